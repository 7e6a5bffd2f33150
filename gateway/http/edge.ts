import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Config } from '../../shared/kernel/config.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { singleFlight } from '../../shared/memo.js';
import { recordAccess } from './reply/access-log.js';
import type { Admission } from './limits/admission.js';
import { readBodies } from './body/body.js';
import { admit } from './limits/charge.js';
import { offerCompression } from './reply/compression.js';
import type { Connections } from './limits/connections.js';
import type { ContextMaker } from './identify/context.js';
import { createDeparture, type Departure } from './reply/departure.js';
import { discardBody } from './body/discard.js';
import { answerError } from './reply/error-handler.js';
import type { Gate } from './limits/gate.js';
import { allowOrigin, baseHeaders, dropEmptyHeaders } from './reply/headers.js';
import { identify } from './identify/identify.js';
import type { Limiter } from './limits/limiter.js';
import { type Trust, trustOf } from './limits/network.js';
import type { EdgeOptions } from './options.js';
import { collectPaths } from './paths.js';
import { createReadiness, type ReadyChecks } from './readiness.js';
import { createRefusalDelay } from './limits/refusal-delay.js';
import { createRequestSpans } from './reply/request-span.js';
import { isSigned, type Callers, type EdgeRules } from './route-policy.js';
import { proveClaim, readClaim } from './identify/signature.js';
import { createSites, isElsewhere, type Sites } from './sites.js';
import { stateOf, type EdgeState } from './state.js';
import { isSecure } from './transport.js';
import { turnAway, unmetRequirement } from './limits/turn-away.js';
import { createUnsent, type HoldUnsent } from './reply/unsent.js';

/** Parts of the server that the edge needs. */
export interface EdgeServer {
  readonly trusted: Trust;
  readonly admission: Admission;
  readonly gate: Gate;
  readonly connections: Connections;
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
  const { config, parts, keyRing, callers, limiter } = options;
  const { rateLimits, tls, publicUrl, metricsAllow } = config;
  const departure = createDeparture(app, connections);
  app.decorate('edgeMaker', {
    parts,
    keyRing,
    callers,
    limiter,
    rateLimits,
    admission,
    gate,
    delayRefusal: createRefusalDelay(),
    holdUnsent: createUnsent(),
    tlsPort: tls?.port,
    sites: createSites(config),
    departure,
  });
  app.decorateRequest('edge');
  const pathMethods = collectPaths(app);
  gate.guard(app);
  readBodies(app);
  offerCompression(app);

  const beginSpan = createRequestSpans(parts.tracer, config.tracing);
  const origins = new Set(config.allowedOrigins);
  const requireHttps = config.requireHttps || tls !== undefined;
  app.addHook('onRequest', async (request, reply) => {
    dropEmptyHeaders(request.raw);
    request.edge = stateOf(request);
    request.edge.span = beginSpan?.(request);
    const secure = isSecure(request.raw, trusted);
    reply.headers(baseHeaders(request.id, secure));
    allowOrigin(request, reply, origins);

    const { rules } = request.edge;
    const hidden = rules.visibleTo?.(request) === false || isElsewhere(request);
    const redirect = requireHttps && !secure && (hidden || rules.plainHttp !== true);
    const closed = departure.isClosing() && rules.bucket !== 'unmetered';
    if (request.is404 || hidden || redirect || closed || unmetRequirement(request.raw) !== undefined) {
      return turnAway(request, reply, { publicUrl, pathMethods }, { isDraining: departure.isClosing(), redirect });
    }

    if (rules.parametersOf !== undefined) tellIgnored(request, reply, rules.parametersOf(request));
    if (isSigned(rules.credential, request.method, request.headers)) {
      await checkSignedHead(request, reply);
    } else {
      request.edge.principal = await identify(request, reply);
      await admit(request, reply);
    }
    return undefined;
  });
  app.addHook('preValidation', proveUnparsed);
  finishResponses(app, departure);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, options));

  const { registry, noteRequest } = options;
  recordAccess(app, { log: parts.log, registry, noteRequest });
  probes(app, { ...options, clock: parts.clock, metricsAllow, trusted, isDraining: departure.hasBegun });
}

/** Adds what is known of a request only once it has its response. */
function finishResponses(app: FastifyInstance, departure: Departure): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!request.raw.complete) {
      if (discardBody(request.raw)) reply.removeHeader('connection');
      else reply.header('connection', 'close');
    }
    if (departure.hasBegun()) reply.header('connection', 'close');
    request.edge.release?.();
    const { idempotency } = request.edge.context ?? {};
    if (idempotency?.replayed === true) reply.header('x-idempotent-replayed', 'true');
    done(null, payload);
  });
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
      readonly holdUnsent: HoldUnsent;
      tlsPort: number | undefined;
      readonly sites: Sites;
      /** The time between the signal to stop and the end. */
      readonly departure: Departure;
    };
  }
}

/**
 * Checks the headers of a signed request, so that an unknown client is refused before the body is read. The signature is
 * verified over the body's bytes as soon as they are complete, before anything parses them.
 * @throws {ApiError} PUBLIC_KEY_NOT_REGISTERED, EXPIRED_TIMESTAMP, INVALID_SIGNATURE
 */
async function checkSignedHead(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { edge: state } = request;
  const { callers, parts } = request.server.edgeMaker;
  state.unproved = true;
  const claim = await readClaim(request, callers.findClient, parts.clock);
  state.hash = claim.hash;
  state.prove = async () => {
    state.prove = undefined;
    state.hash = undefined;
    state.principal = proveClaim(claim);
    state.unproved = false;
    state.signature = claim.signature;
    await admit(request, reply);
  };
}

/** Verifies a signed request whose body no parser read. With a callback: the many requests without a signature do not wait for a promise. */
function proveUnparsed({ edge }: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  if (edge.prove === undefined) done();
  else edge.prove().then(() => done(), done);
}

const rules: EdgeRules = { credential: 'none', bucket: 'unmetered', plainHttp: true };

export interface ProbeParts {
  readonly checks: ReadyChecks;
  readonly clock: Clock;
  readonly registry: Registry;
  /** The networks that may read the metrics; undefined is everyone. For anyone else the path does not exist. */
  readonly metricsAllow: readonly string[] | undefined;
  /** Proxies whose forwarding headers are trusted. */
  readonly trusted: Trust;
  isDraining(): boolean;
}

/** Registers the probes. `/healthz`: the process is alive. `/readyz`: it can serve; 503 lists the failing checks. `/metrics`: Prometheus text. */
function probes(app: FastifyInstance, parts: ProbeParts): void {
  const { registry } = parts;
  const readiness = createReadiness(parts.checks);
  // Some metrics query the database.
  const measure = singleFlight(() => registry.metrics());
  app.get('/healthz', { config: { edge: rules } }, () => ({ status: 'ok' }));
  app.get('/readyz', { config: { edge: rules } }, async () => {
    if (parts.isDraining()) throw new ApiError('UNAVAILABLE', { message: 'The instance is shutting down' });
    const details = await readiness();
    if (details.length > 0) throw new ApiError('UNAVAILABLE', { details });
    return { status: 'ready' };
  });
  app.get('/metrics', { config: { edge: { ...rules, ...onlyTo(parts) } } }, async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await measure()),
  );
}

/** Limits the metrics to networks. An untrusted proxy hides the caller behind its own address, so requests that it forwards are always refused. */
function onlyTo({ metricsAllow, trusted }: Pick<ProbeParts, 'metricsAllow' | 'trusted'>): Pick<EdgeRules, 'visibleTo'> {
  if (metricsAllow === undefined) return {};
  const allowed = trustOf(metricsAllow);
  return {
    visibleTo: ({ ip, headers, socket }) => {
      const passedOn = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
      return allowed(ip) && (!passedOn || trusted(socket.remoteAddress ?? ''));
    },
  };
}

/** Maximum number of query parameters that one response repeats, and of characters of each. */
const maxNames = 20;
const maxCharacters = 60;
/** Marks an omission: after the beginning of a name, or in place of all further names. */
const andMore = '...';

/**
 * Lists the query parameters that the route does not read in `X-Ignored-Parameters`: they have no effect, and a caller who sent
 * one by mistake can see it. Without such a parameter the header is absent.
 */
function tellIgnored({ query }: FastifyRequest, reply: FastifyReply, known: ReadonlySet<string>): void {
  const ignored = ignoredNames(query, known);
  if (ignored.length > 0) reply.header('x-ignored-parameters', listOf(ignored));
}

/** Returns the unknown names of a query; no more of them than it takes to see that there are too many. */
function ignoredNames(query: unknown, known: ReadonlySet<string>): string[] {
  const names: string[] = [];
  if (typeof query !== 'object' || query === null) return names;
  for (const name in query) {
    if (name === '' || known.has(name) || isListOf(name, known)) continue;
    names.push(name);
    if (names.length > maxNames) break;
  }
  return names;
}

/** Whether a name writes a known parameter as a list (`page[]`): that is refused, not ignored. */
function isListOf(name: string, known: ReadonlySet<string>): boolean {
  const at = name.indexOf('[');
  return at !== -1 && known.has(name.slice(0, at));
}

/** Returns the value of the header. Percent-encoding leaves letters, digits and `-_.!~*'()`: nothing that could end a name or the header. */
function listOf(names: readonly string[]): string {
  const named = names.slice(0, maxNames).map(encoded);
  return [...named, ...(names.length > maxNames ? [andMore] : [])].join(', ');
}

function encoded(name: string): string {
  let text = '';
  for (const character of name) {
    // Half of a surrogate pair is no character and has no encoding.
    const part = /\p{Surrogate}/u.test(character) ? '%EF%BF%BD' : encodeURIComponent(character);
    if (text.length + part.length > maxCharacters) return `${text}${andMore}`;
    text += part;
  }
  return text;
}
