import type { ServerResponse, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { LRUCache } from 'lru-cache';
import { logUnavailable } from '../../shared/database/log-unavailable.js';
import { graphqlErrorOf } from '../../shared/graphql/mask.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Config } from '../../shared/kernel/config.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { shared } from '../../shared/memo.js';
import { readBodies } from './body/body.js';
import { discardBody } from './body/discard.js';
import type { ContextMaker } from './identify/context.js';
import { identify, strayBucket } from './identify/identify.js';
import { proveClaim, readClaim } from './identify/signature.js';
import type { Admission } from './limits/admission.js';
import { admit, charge } from './limits/charge.js';
import type { Connections } from './limits/connections.js';
import type { Gate } from './limits/gate.js';
import { type Limiter, excess, windowMs, type Bucket } from './limits/limiter.js';
import { type Trust, trustOf, networkOf } from '../../shared/kernel/network.js';
import { pointsOfBytes } from './limits/points.js';
import { createRefusals } from './limits/refusals.js';
import type { EdgeOptions } from './options.js';
import { collectPaths, methodRefused, type PathMethods } from './paths.js';
import { createReadiness, type ReadyChecks } from './readiness.js';
import { graphqlResponseType, prefersGraphqlResponse } from './reply/accept.js';
import { recordAccess } from './reply/access-log.js';
import { offerCompression } from './reply/compression.js';
import { createDeparture, type Departure } from './reply/departure.js';
import { envelope, apiErrorOf } from './reply/envelope.js';
import {
  allowOrigin,
  baseHeaders,
  dropEmptyHeaders,
  standingHeaders,
  answerPreflight,
  isPreflight,
} from './reply/headers.js';
import { createRequestSpans } from './reply/request-span.js';
import { isSigned, type Callers, type EdgeRules, challengeOf, publicBucket } from './route-policy.js';
import { createSites, isElsewhere, type Sites } from './sites.js';
import { stateOf, type EdgeState } from './state.js';
import { isSecure, secureAddress } from './transport.js';

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
  const measured = shared<string>();
  app.get('/healthz', { config: { edge: rules } }, () => ({ status: 'ok' }));
  app.get('/readyz', { config: { edge: rules } }, async () => {
    if (parts.isDraining()) throw new ApiError('UNAVAILABLE', { message: 'The instance is shutting down' });
    const details = await readiness();
    if (details.length > 0) throw new ApiError('UNAVAILABLE', { details });
    return { status: 'ready' };
  });
  app.get('/metrics', { config: { edge: { ...rules, ...onlyTo(parts) } } }, async (_request, reply) =>
    reply.header('content-type', registry.contentType).send(await measured('', () => registry.metrics())),
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

/** Sends an error in the envelope, or as a response of GraphQL where the route responds in that form. An unexpected error becomes a 500 without details, and a line in the log. */
async function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  options: EdgeOptions,
): Promise<FastifyReply> {
  let error = apiErrorOf(thrown);
  const { log } = options.parts;
  // An outage is logged once with its cause; the log line of each request shows only the status.
  if (error.status > 500) logUnavailable(log, error);
  else if (error.status === 500) {
    const err = error.cause ?? error;
    log.error({ requestId: request.id, method: request.method, route: request.edge.route, err }, 'failed');
  }
  if (!reply.hasHeader('x-ratelimit-limit')) {
    const charged = request.edge.unproved && error.status < 500;
    const bucket = publicBucket(options.config.rateLimits, request.ip);
    const points = charged ? pointsOfBytes('public', request.rawBody?.length ?? 0, bucket.limit) : 0;
    const standing = await options.limiter.take(bucket, points);
    reply.headers(standingHeaders(standing));
    if (charged) error = excess(standing) ?? error;
  }
  const wait = error.extensions.retryAfterSeconds;
  if (wait !== undefined) reply.header('retry-after', wait);
  if (error.status === 401 && !reply.hasHeader('www-authenticate')) {
    reply.header('www-authenticate', challengeOf(request.edge.rules.credential, false));
  }
  request.edge.errorCode = error.code;
  const body = envelope(error, request.id, request.edge.rules.namesRules);
  const page = options.errorPage?.(request, body);
  if (page !== undefined) return reply.code(error.status).headers(page.headers).send(page.html);
  if (request.edge.rules.respondsInGraphql === true) return sendInGraphql(error, request, reply);
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.code(error.status).send(JSON.stringify(body));
}

/** Sends an error as a response of GraphQL without data, in the media type that the request prefers. */
function sendInGraphql(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const type = prefersGraphqlResponse(request.headers.accept) ? graphqlResponseType : 'application/json';
  const requestId = error.extensions.requestId ?? request.id;
  reply.header('content-type', `${type}; charset=utf-8`);
  return reply.code(error.status).send(JSON.stringify({ errors: [graphqlErrorOf(error, requestId)] }));
}

/** Number of refusals of one bucket in a window that are sent without delay. */
const atOnce = 100;
/** Maximum number of buckets whose refusals are counted; beyond that the least recently used are forgotten. */
const maxBuckets = 10_000;

/**
 * Returns the function that counts the refusals (429) of each bucket and delays further ones of a bucket with too many: a caller that sends a request as soon
 * as the last was refused would take the time of others.
 * @returns resolves when the refusal may be sent
 */
export function createRefusalDelay(): (bucket: Bucket) => Promise<void> | undefined {
  const refused = new LRUCache<string, { count: number }>({ max: maxBuckets, ttl: windowMs });
  const hold = createRefusals();
  return ({ key }) => {
    const known = refused.get(key);
    if (known === undefined) {
      refused.set(key, { count: 1 });
      return undefined;
    }
    known.count += 1;
    return known.count > atOnce ? new Promise(hold) : undefined;
  };
}

export interface TurnAwayParts {
  readonly publicUrl: string;
  readonly pathMethods: (request: FastifyRequest) => PathMethods;
}

/** State of a request that reaches no route. */
export interface Stray {
  readonly isDraining: boolean;
  /** Whether the request came by plain HTTP, and has to be sent again by HTTPS. */
  readonly redirect: boolean;
}

/**
 * Responds to a request that reaches no route: a redirect to HTTPS, from the operators' site to a page of the public one, or a preflight.
 * @throws {ApiError} in any other case
 */
async function turnAway(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl, pathMethods }: TurnAwayParts,
  { isDraining, redirect }: Stray,
): Promise<FastifyReply> {
  await charge(request, reply, await strayBucket(request, redirect));
  if (isDraining) throw new ApiError('UNAVAILABLE', { retryAfterSeconds: 1 });
  const unmet = unmetRequirement(request.raw);
  if (unmet !== undefined) throw unmet;
  if (redirect) {
    const { tlsPort, sites } = request.server.edgeMaker;
    return reply.redirect(secureAddress(sites.urlOf(request.hostname), tlsPort, request.host, request.url), 301);
  }
  if (isElsewhere(request)) return leaveOperators(request, reply, publicUrl);
  const known = pathMethods(request);
  if (known.methods.length === 0) throw new ApiError('NOT_FOUND', { message: 'This path does not exist' });
  if (isPreflight(request)) return answerPreflight(reply, known.methods);
  reply.header('allow', known.methods.join(', '));
  throw methodRefused(request.method, known);
}

/** Sends a reader on: from the start of the operators' site to the panel, and from any other page to the public site. Nothing else exists there. */
function leaveOperators(request: FastifyRequest, reply: FastifyReply, publicUrl: string): FastifyReply {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    throw new ApiError('NOT_FOUND', { message: 'This path does not exist' });
  return reply.redirect(request.url === '/' ? '/painel' : publicUrl + request.url, 302);
}

/** A name or an address, with or without a port: nothing that proxies could read in two ways. */
const hostForm = /^(\[[\da-f:.]+\]|[\w.~%-]*)(:\d{0,5})?$/i;

/**
 * Checks the requirements of HTTP/1.1 itself that Node would refuse without a body, or not at all: BAD_REQUEST without `Host`, with several, or
 * with one that is none (RFC 9112 §3.2), EXPECTATION_FAILED for an expectation other than `100-continue` (RFC 9110 §10.1.1).
 */
function unmetRequirement(request: IncomingMessage): ApiError | undefined {
  const wrong = wrongHost(request);
  if (wrong !== undefined) return new ApiError('BAD_REQUEST', { details: [{ path: 'Host', message: wrong }] });
  const { expect } = request.headers;
  if (request.httpVersion !== '1.1' || expect === undefined || /^100-continue$/i.test(expect)) return undefined;
  return new ApiError('EXPECTATION_FAILED');
}

function wrongHost({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (host === undefined) return httpVersion === '1.1' ? 'is missing' : undefined;
  if (!hostForm.test(host)) return 'must be a name or an address, with or without a port';
  // Node keeps the first of several.
  const lines = rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host');
  return lines.length > 1 ? `must be given once, not ${lines.length} times` : undefined;
}

/** Shorter bodies fit into the buffers of a connection. */
const shortestBytes = 65_536;
/** How long a client may take to read its response, whatever else waits. */
const graceMs = 2000;

interface Unsent {
  readonly network: string;
  readonly bytes: number;
  /** When its connection may be closed, on the clock of `performance.now()`. */
  readonly until: number;
}

/** Counts the body of a response as unsent until the response is closed. */
type HoldUnsent = (reply: FastifyReply, bytes: number) => void;

/**
 * Bounds the memory of bodies that were made for one response and that its client has not read yet. Beyond it, connections of the network that has the most of
 * them are closed, the one that has waited longest first: whoever reads nothing ends no connection but its own.
 */
function createUnsent(maxBytes = 64 * 1_048_576): HoldUnsent {
  const held = new Map<ServerResponse, Unsent>();
  const ofNetwork = new Map<string, number>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;
  const count = (network: string, bytes: number) => {
    total += bytes;
    const sum = (ofNetwork.get(network) ?? 0) + bytes;
    if (sum === 0) ofNetwork.delete(network);
    else ofNetwork.set(network, sum);
  };
  const release = (response: ServerResponse) => {
    const unsent = held.get(response);
    if (unsent === undefined || !held.delete(response)) return;
    count(unsent.network, -unsent.bytes);
  };
  const closeExcess = () => {
    while (total > maxBytes && timer === undefined) {
      const [most] = [...ofNetwork].reduce((one, other) => (other[1] > one[1] ? other : one));
      const found = [...held].find(([, { network }]) => network === most);
      if (found === undefined) throw new Error('Unsent bytes belong to no response');
      const [response, { until }] = found;
      const left = until - performance.now();
      if (left <= 0) {
        release(response);
        response.destroy();
        continue;
      }
      timer = setTimeout(() => {
        timer = undefined;
        closeExcess();
      }, left).unref();
    }
  };
  return ({ raw, request }, bytes) => {
    if (bytes < shortestBytes) return;
    const network = networkOf(request.ip);
    held.set(raw, { network, bytes, until: performance.now() + graceMs });
    count(network, bytes);
    raw.once('close', () => {
      release(raw);
    });
    closeExcess();
  };
}
