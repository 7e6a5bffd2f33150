import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Config } from '../../shared/config.js';
import { anonymous, type Context, type Principal } from '../../shared/context.js';
import { Fault } from '../../shared/errors.js';
import { answerFault } from './answer-fault.js';
import { unmetBy } from './below.js';
import { readBodies } from './body.js';
import { offerCompression } from './compression.js';
import type { ContextMaker } from './context.js';
import { allowOrigin, answerPreflight, baseHeaders, isPreflight, standingHeaders } from './headers.js';
import { demand, type Bucket, type Limiter } from './limiter.js';
import { networkOf, type Trust } from './network.js';
import { observe } from './observe.js';
import { collectPaths, pathOf } from './paths.js';
import { probes } from './probes.js';
import type { ReadyChecks } from './readiness.js';
import { bucketOf, challengeOf, credentialOf, isSigned, presents, publicBucket, publicRules, suits } from './rules.js';
import type { Callers, EdgeRules } from './rules.js';
import { proveClaim, readClaim } from './signature.js';
import { isSecure, secureAddress, terminateTls } from './transport.js';
import { boundUnproved, type HoldUnproved } from './unproved.js';

export interface EdgeOptions extends ContextMaker {
  readonly config: Pick<
    Config,
    'allowedOrigins' | 'host' | 'metricsAllow' | 'publicUrl' | 'rateLimits' | 'requireHttps' | 'tls' | 'trustProxy'
  >;
  readonly callers: Callers;
  readonly limiter: Limiter;
  readonly registry: Registry;
  readonly checks: ReadyChecks;
}

/** What the edge knows of a request. */
export interface EdgeState {
  rules: EdgeRules;
  /** The route's template, as metrics name it; `unmatched` when there is none. */
  route: string;
  principal: Principal;
  context: Context | undefined;
  /** Whether it says that it is signed and that is not proved yet: a fault is then at the expense of its network. */
  unproved: boolean;
  /** Proves a signed request, once its body is there; undefined where nothing is left to prove. */
  prove: (() => Promise<void>) | undefined;
  /** By which a request was proved to be its client's. */
  signature: Buffer | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    edge?: EdgeRules;
  }
  interface FastifyRequest {
    edge: EdgeState;
    /** The body as it came, where there is one. */
    rawBody: Buffer | undefined;
  }
  interface FastifyInstance {
    edgeMaker: ContextMaker & {
      readonly limiter: Limiter;
      readonly limits: Config['rateLimits'];
      tlsPort: number | undefined;
    };
  }
}

async function spend(request: FastifyRequest, reply: FastifyReply, bucket: Bucket, cost = 1): Promise<void> {
  const standing = await request.server.edgeMaker.limiter.take(bucket, cost);
  reply.headers(standingHeaders(standing));
  if (cost > 0) demand(standing);
}

/**
 * Spends further points of the request's own bucket: for a door that knows only later what a request costs.
 * @throws {Fault} TOO_MANY_REQUESTS
 */
export async function spendMore(request: FastifyRequest, reply: FastifyReply, cost: number): Promise<void> {
  const { rules, principal } = request.edge;
  await spend(request, reply, bucketOf(rules.bucket, request.server.edgeMaker.limits, principal, request.ip), cost);
}

/** Finds the caller. One whose credential is no good spends from its network's bucket, then hears 401. */
async function identify(request: FastifyRequest, reply: FastifyReply, options: EdgeOptions): Promise<Principal> {
  const { credential: rule } = request.edge.rules;
  const given = presents(rule, request.headers);
  if (rule === 'none' || (rule === 'optional' && !given)) return request.edge.principal;
  const credential = credentialOf(rule, request.headers);
  const principal = credential === undefined ? undefined : await options.callers.authenticate(credential);
  if (principal !== undefined && suits(rule, principal)) return principal;
  await spend(request, reply, publicBucket(options.config.rateLimits, request.ip));
  reply.header('www-authenticate', challengeOf(rule, given));
  throw new Fault('UNAUTHORIZED');
}

/**
 * The bucket of a request that reaches no route: below `/developer` that of a good key, as on the paths there. Who is redirected
 * to TLS is not asked for a key.
 */
async function strayBucket(
  request: FastifyRequest,
  { config, callers }: EdgeOptions,
  redirect: boolean,
): Promise<Bucket> {
  const rule = 'developerKey';
  const asked = !redirect && request.is404 && pathOf(request).startsWith('/developer/');
  const credential = asked ? credentialOf(rule, request.headers) : undefined;
  const principal = credential === undefined ? undefined : await callers.authenticate(credential);
  const good = principal !== undefined && suits(rule, principal);
  return good
    ? bucketOf('apiKey', config.rateLimits, principal, request.ip)
    : publicBucket(config.rateLimits, request.ip);
}

/** Lets a caller in who is known: the request spends from the bucket of its route. */
async function admit(request: FastifyRequest, reply: FastifyReply, options: EdgeOptions): Promise<void> {
  const { rules, principal } = request.edge;
  const bucket = bucketOf(rules.bucket, options.config.rateLimits, principal, request.ip);
  await spend(request, reply, bucket, rules.bucket === 'probe' ? 0 : 1);
  options.callers.touch(principal);
}

/**
 * Reads what the headers of a signed request say, so that a stranger is refused before the body is read. The body's bytes
 * are proved as soon as they are there, before anything parses them.
 */
async function claim(
  request: FastifyRequest,
  reply: FastifyReply,
  options: EdgeOptions,
  hold: HoldUnproved,
): Promise<void> {
  const { edge: state } = request;
  state.unproved = true;
  const claimed = await readClaim(request, options.callers.findClient, options.parts.clock);
  const release = hold(request, reply);
  state.prove = async () => {
    state.prove = undefined;
    release();
    state.principal = proveClaim(claimed, request);
    state.unproved = false;
    state.signature = claimed.signature;
    await admit(request, reply, options);
  };
}

/** Proves a signed request whose body no parser took. */
function proveUnparsed(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { prove } = request.edge;
  if (prove === undefined) done();
  else
    prove().then(() => {
      done();
    }, done);
}

function stateOf(request: FastifyRequest): EdgeState {
  const settings = request.routeOptions.config;
  return {
    rules: settings.edge ?? publicRules,
    route: request.is404 ? 'unmatched' : settings.url,
    principal: anonymous(networkOf(request.ip)),
    context: undefined,
    unproved: false,
    prove: undefined,
    signature: undefined,
  };
}

/**
 * The edge: everything about a request that is not its business. Registered once, before any route; routes say what they
 * want of it in `config.edge`.
 */
export function edge(app: FastifyInstance, options: EdgeOptions, trusted: Trust): void {
  const { config } = options;
  const origins = new Set(config.allowedOrigins);
  const methodsOf = collectPaths(app);
  const requireHttps = config.requireHttps || config.tls !== undefined;
  const hold = boundUnproved();
  let draining = false;

  app.decorate('edgeMaker', {
    parts: options.parts,
    keyRing: options.keyRing,
    limiter: options.limiter,
    limits: config.rateLimits,
    tlsPort: config.tls?.port,
  });
  app.decorateRequest('edge');
  readBodies(app);
  offerCompression(app);

  /** Requests that never reach a route. */
  const turnAway = async (request: FastifyRequest, reply: FastifyReply, redirect: boolean): Promise<FastifyReply> => {
    await spend(request, reply, await strayBucket(request, options, redirect));
    if (draining) throw new Fault('UNAVAILABLE', { retryAfterSeconds: 1 });
    const unmet = unmetBy(request.raw);
    if (unmet !== undefined) throw unmet;
    if (redirect) {
      const { tlsPort } = app.edgeMaker;
      return reply.redirect(secureAddress(config.publicUrl, tlsPort, request.host, request.url), 301);
    }
    const methods = methodsOf(request);
    if (methods.length === 0) throw new Fault('NOT_FOUND', { message: 'This path does not exist' });
    if (isPreflight(request)) return answerPreflight(reply, methods);
    reply.header('allow', methods.join(', '));
    throw new Fault('METHOD_NOT_ALLOWED');
  };

  app.addHook('onRequest', async (request, reply) => {
    request.edge = stateOf(request);
    const secure = isSecure(request.raw, trusted);
    reply.headers(baseHeaders(request.id, secure));
    allowOrigin(request, reply, origins);
    const { rules } = request.edge;
    const probe = rules.bucket === 'probe';
    const hidden = rules.visibleTo?.(request) === false;
    const redirect = requireHttps && !secure && (hidden || rules.plainHttp !== true);
    const turned = redirect || hidden || request.is404 || (draining && !probe) || unmetBy(request.raw) !== undefined;
    if (turned) return turnAway(request, reply, redirect);
    if (isSigned(rules.credential, request.method, request.headers)) {
      await claim(request, reply, options, hold);
    } else {
      request.edge.principal = await identify(request, reply, options);
      await admit(request, reply, options);
    }
    return undefined;
  });
  app.addHook('preValidation', proveUnparsed);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (draining) reply.header('connection', 'close');
    if (request.edge.context?.idempotency?.replayed === true) reply.header('x-idempotent-replayed', 'true');
    done(null, payload);
  });
  app.addHook('preClose', (done) => {
    draining = true;
    done();
  });
  app.setErrorHandler((error, request, reply) => answerFault(error, request, reply, options));

  observe(app, { log: options.parts.log, registry: options.registry });
  const { clock } = options.parts;
  probes(app, { ...options, clock, metricsAllow: config.metricsAllow, trusted, isDraining: () => draining });
  if (config.tls !== undefined) terminateTls(app, config.tls, config.host);
}
