import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../shared/config.js';
import type { Principal } from '../../shared/context.js';
import { ApiError } from '../../shared/errors.js';
import type { Admission } from './admission.js';
import { answerError } from './error-handler.js';
import { unmetBy } from './client-error.js';
import { readBodies } from './body.js';
import { offerCompression } from './compression.js';
import type { Connections } from './connections.js';
import type { ContextMaker } from './context.js';
import { discardBody } from './discard.js';
import type { Gate } from './gate.js';
import { allowOrigin, answerPreflight, baseHeaders, isPreflight, standingHeaders } from './headers.js';
import { originOf, strayBucket } from './identify.js';
import { tellIgnored } from './ignored-parameters.js';
import { createRefusalDelay } from './refusal-delay.js';
import { demand, type Bucket, type Limiter } from './limiter.js';
import type { Trust } from './network.js';
import { recordAccess } from './access-log.js';
import type { EdgeOptions } from './options.js';
import { collectPaths, methodRefused } from './paths.js';
import { pointsOfBytes } from './points.js';
import { probes } from './probes.js';
import {
  bucketOf,
  challengeOf,
  credentialOf,
  isSigned,
  presents,
  publicBucket,
  refusalOf,
  suits,
  unreadIn,
} from './route-policy.js';
import type { Callers, EdgeRules } from './route-policy.js';
import { proveClaim, readClaim } from './signature.js';
import { stateOf, type EdgeState } from './state.js';
import { isGzip } from './text-body.js';
import { isSecure, secureAddress } from './transport.js';

/** Parts of the server that the edge needs. */
export interface EdgeServer {
  readonly trusted: Trust;
  readonly admission: Admission;
  readonly gate: Gate;
  readonly connections: Connections;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    edge?: EdgeRules;
  }
  interface FastifyRequest {
    edge: EdgeState;
    /** The unchanged bytes of the body, where there is one. */
    rawBody: Buffer | undefined;
  }
  interface FastifyInstance {
    edgeMaker: ContextMaker & {
      readonly callers: Callers;
      readonly limiter: Limiter;
      readonly rateLimits: Config['rateLimits'];
      readonly admission: Admission;
      readonly gate: Gate;
      readonly delayRefusal: ReturnType<typeof createRefusalDelay>;
      tlsPort: number | undefined;
    };
  }
}

async function spend(request: FastifyRequest, reply: FastifyReply, bucket: Bucket, cost = 1): Promise<void> {
  const { limiter, gate, delayRefusal } = request.server.edgeMaker;
  const standing = await limiter.take(bucket, cost);
  reply.headers(standingHeaders(standing));
  if (cost === 0 || standing.allowed) return;
  const held = delayRefusal(bucket);
  if (held !== undefined) {
    // While it is held, the request occupies nothing that others could use.
    gate.leave(request.raw);
    await held;
  }
  demand(standing);
}

/**
 * Charges further points to the request's own bucket, for an interface that learns the cost of a request only later.
 * @throws {ApiError} TOO_MANY_REQUESTS
 */
export async function spendMore(request: FastifyRequest, reply: FastifyReply, cost: number): Promise<void> {
  const { rules, principal } = request.edge;
  await spend(request, reply, bucketOf(rules.bucket, request.server.edgeMaker.rateLimits, principal, request.ip), cost);
}

/** Identifies the caller. An invalid credential is charged to the bucket of its network and gets 401. */
async function identify(request: FastifyRequest, reply: FastifyReply, options: EdgeOptions): Promise<Principal> {
  const { credential: rule } = request.edge.rules;
  const given = presents(rule, request.headers);
  if (rule === 'none' || (rule === 'optional' && !given)) return request.edge.principal;
  const credential = credentialOf(rule, request.headers);
  const principal =
    credential === undefined ? undefined : await options.callers.authenticate(credential, originOf(request));
  const unread = unreadIn(rule, request.headers);
  if (principal !== undefined && suits(rule, principal)) {
    return unread === undefined ? principal : { ...principal, unread };
  }
  await spend(request, reply, publicBucket(options.config.rateLimits, request.ip));
  reply.header('www-authenticate', challengeOf(rule, given));
  throw refusalOf(rule, credential, unread);
}

/**
 * Admits an identified caller: the request is charged to the bucket of its route, and a longer request costs more. A body without
 * an announced length is charged once it has been read.
 */
async function admit(request: FastifyRequest, reply: FastifyReply, options: EdgeOptions): Promise<void> {
  const { rules, principal } = request.edge;
  const bucket = bucketOf(rules.bucket, options.config.rateLimits, principal, request.ip);
  const pointsOf = (bytes: number) => pointsOfBytes(rules.bucket, bytes + request.url.length, bucket.limit);
  const known = request.rawBody?.length ?? Number(request.headers['content-length'] ?? 0);
  let paid = rules.bucket === 'unmetered' ? 0 : pointsOf(Math.min(known, request.routeOptions.bodyLimit));
  await spend(request, reply, bucket, paid);
  const payMore = async (bytes: number) => {
    const more = pointsOf(bytes) - paid;
    if (more <= 0) return;
    await spend(request, reply, bucket, more);
    paid += more;
  };
  if (paid > 0 && known === 0 && request.headers['transfer-encoding'] !== undefined) request.edge.payForBody = payMore;
  if (paid > 0 && isGzip(request)) request.edge.payForUnpacked = payMore;
  options.callers.touch(principal);
}

/**
 * Checks the headers of a signed request, so that an unknown client is refused before the body is read. The signature is
 * verified over the body's bytes as soon as they are complete, before anything parses them.
 */
async function claim(request: FastifyRequest, reply: FastifyReply, options: EdgeOptions): Promise<void> {
  const { edge: state } = request;
  state.unproved = true;
  const claimed = await readClaim(request, options.callers.findClient, options.parts.clock);
  state.hash = claimed.hash;
  state.prove = async () => {
    state.prove = undefined;
    state.hash = undefined;
    state.principal = proveClaim(claimed);
    state.unproved = false;
    state.signature = claimed.signature;
    await admit(request, reply, options);
  };
}

/** Verifies a signed request whose body no parser read. */
function proveUnparsed(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { prove } = request.edge;
  if (prove === undefined) done();
  else
    prove().then(() => {
      done();
    }, done);
}

function decorate(app: FastifyInstance, options: EdgeOptions, parts: Pick<EdgeServer, 'admission' | 'gate'>): void {
  const { parts: own, keyRing, limiter, config } = options;
  app.decorate('edgeMaker', {
    ...parts,
    parts: own,
    keyRing,
    callers: options.callers,
    limiter,
    rateLimits: config.rateLimits,
    delayRefusal: createRefusalDelay(),
    tlsPort: config.tls?.port,
  });
}

/**
 * Registers the edge, which handles everything about a request except its domain logic. Registered once, before any route; routes
 * declare their policy in `config.edge`.
 */
export function edge(
  app: FastifyInstance,
  options: EdgeOptions,
  { trusted, admission, gate, connections }: EdgeServer,
): void {
  const { config } = options;
  const origins = new Set(config.allowedOrigins);
  const pathMethods = collectPaths(app);
  const requireHttps = config.requireHttps || config.tls !== undefined;
  let draining = false;

  decorate(app, options, { admission, gate });
  app.decorateRequest('edge');
  gate.guard(app);
  readBodies(app);
  offerCompression(app);

  /** Responds to a request that reaches no route. */
  const turnAway = async (request: FastifyRequest, reply: FastifyReply, redirect: boolean): Promise<FastifyReply> => {
    await spend(request, reply, await strayBucket(request, options, redirect));
    if (draining) throw new ApiError('UNAVAILABLE', { retryAfterSeconds: 1 });
    const unmet = unmetBy(request.raw);
    if (unmet !== undefined) throw unmet;
    if (redirect) {
      return reply.redirect(secureAddress(config.publicUrl, app.edgeMaker.tlsPort, request.host, request.url), 301);
    }
    const known = pathMethods(request);
    if (known.methods.length === 0) throw new ApiError('NOT_FOUND', { message: 'This path does not exist' });
    if (isPreflight(request)) return answerPreflight(reply, known.methods);
    reply.header('allow', known.methods.join(', '));
    throw methodRefused(request.method, known);
  };

  app.addHook('onRequest', async (request, reply) => {
    request.edge = stateOf(request);
    const secure = isSecure(request.raw, trusted);
    reply.headers(baseHeaders(request.id, secure));
    allowOrigin(request, reply, origins);
    const { rules } = request.edge;
    const closed = draining && rules.bucket !== 'unmetered';
    const hidden = rules.visibleTo?.(request) === false;
    const redirect = requireHttps && !secure && (hidden || rules.plainHttp !== true);
    const turned = redirect || hidden || request.is404 || closed || unmetBy(request.raw) !== undefined;
    if (turned) return turnAway(request, reply, redirect);
    if (rules.parametersOf !== undefined) tellIgnored(request, reply, rules.parametersOf(request));
    if (isSigned(rules.credential, request.method, request.headers)) {
      await claim(request, reply, options);
    } else {
      request.edge.principal = await identify(request, reply, options);
      await admit(request, reply, options);
    }
    return undefined;
  });
  app.addHook('preValidation', proveUnparsed);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.raw.complete) {
      if (discardBody(request.raw)) reply.removeHeader('connection');
      else reply.header('connection', 'close');
    }
    if (draining) reply.header('connection', 'close');
    request.edge.release?.();
    if (request.edge.context?.idempotency?.replayed === true) reply.header('x-idempotent-replayed', 'true');
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    draining = true;
    connections.drain();
    done();
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, options));

  recordAccess(app, { log: options.parts.log, registry: options.registry });
  const { clock } = options.parts;
  probes(app, { ...options, clock, metricsAllow: config.metricsAllow, trusted, isDraining: () => draining });
}
