import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { logUnavailable } from '../../shared/database/log-unavailable.js';
import { graphqlErrorOf } from '../../shared/graphql/mask.js';
import type { Config } from '../../shared/kernel/config.js';
import type { ApiError } from '../../shared/kernel/errors.js';
import { type Trust, networkOf } from '../../shared/kernel/network.js';
import { mayStayOpen, takeBodies } from './body/body.js';
import type { ContextMaker } from './identify/context.js';
import type { Admission } from './limits/admission.js';
import { pointsOfBytes } from './limits/charge.js';
import type { Connections } from './limits/connections.js';
import type { Gate } from './limits/gate.js';
import { type Limiter, excess } from './limits/limiter.js';
import { createRefusalDelay } from './limits/refusals.js';
import type { EdgeOptions } from './options.js';
import { EdgeState, letIn, takeBody } from './pipeline.js';
import { probes } from './readiness.js';
import { graphqlResponseType, prefersGraphqlResponse } from './reply/accept.js';
import { recordAccess } from './reply/access-log.js';
import { offerCompression } from './reply/compression.js';
import { createDeparture, type Departure } from './reply/departure.js';
import { envelope, apiErrorOf } from './reply/envelope.js';
import { allowOrigin, baseHeaders, dropEmptyHeaders, standingHeaders } from './reply/headers.js';
import { createRequestSpans } from './reply/request-span.js';
import { type Callers, type EdgeRules, challengeOf, isSigned, publicBucket } from './route-policy.js';
import { collectPaths, createSites, isElsewhere, turnAway, unmetRequirement, type Sites } from './turn-away.js';
import { isSecure } from './transport.js';
import type { ServerResponse } from 'node:http';

export interface EdgeServer {
  readonly trusted: Trust;
  readonly admission: Admission;
  readonly gate: Gate;
  readonly connections: Connections;
}

/** Registers the edge, once and before any route; routes declare their policy in `config.edge`. */
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
  takeBodies(app);
  offerCompression(app);

  const beginSpan = createRequestSpans(parts.tracer, config.tracing);
  const origins = new Set(config.allowedOrigins);
  const requireHttps = config.requireHttps || tls !== undefined;
  app.addHook('onRequest', async (request, reply) => {
    dropEmptyHeaders(request.raw);
    request.edge = new EdgeState(request);
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
    await letIn(request, reply);
    return undefined;
  });
  app.addHook('preValidation', takeBody);
  finishResponses(app, departure);
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, options));

  const { registry, noteRequest } = options;
  recordAccess(app, { log: parts.log, registry, noteRequest });
  probes(app, { ...options, metricsAllow, trusted, isDraining: departure.hasBegun });
}

/** Ends the work on a request, and adds what is known only once it has its response. */
function finishResponses(app: FastifyInstance, departure: Departure): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (departure.hasBegun() || !mayStayOpen(request.raw)) reply.header('connection', 'close');
    for (const release of request.edge.held.splice(0)) release();
    app.edgeMaker.gate.leave(request.raw);
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
      readonly departure: Departure;
    };
  }
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
    const { stage } = request.edge;
    const charged = error.status < 500 && isUnproved(request);
    const bucket = publicBucket(options.config.rateLimits, request.ip);
    const bytes = stage.at === 'received' ? (stage.body?.bytes.length ?? 0) : 0;
    const points = charged ? pointsOfBytes('public', bytes, bucket.limit) : 0;
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

/** Whether a request claims a signature that was not proved: an error is charged to its network. */
function isUnproved({ edge: { stage, rules }, method, headers }: FastifyRequest): boolean {
  return stage.at !== 'proved' && stage.at !== 'parsed' && isSigned(rules.credential, method, headers);
}

function sendInGraphql(error: ApiError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const type = prefersGraphqlResponse(request.headers.accept) ? graphqlResponseType : 'application/json';
  const requestId = error.extensions.requestId ?? request.id;
  reply.header('content-type', `${type}; charset=utf-8`);
  return reply.code(error.status).send(JSON.stringify({ errors: [graphqlErrorOf(error, requestId)] }));
}

/** Maximum number of query parameters that one response repeats, and of characters of each. */
const maxNames = 20;
const maxCharacters = 60;
/** Marks an omission: after the beginning of a name, or in place of all further names. */
const andMore = '...';

/** Lists ignored query parameters in `X-Ignored-Parameters`, so that a caller sees a misspelt one; absent without any. */
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

/** Shorter bodies fit into the buffers of a connection. */
const shortestBytes = 65_536;
/** How long a client may take to read its response, whatever else waits. */
const graceMs = 2000;
const maxBytes = 64 * 1_048_576;

interface Unsent {
  readonly network: string;
  readonly bytes: number;
  /** When its connection may be closed, on the clock of `performance.now()`. */
  readonly until: number;
}

/** Counts the body of a response as unsent until the response is closed. */
type HoldUnsent = (reply: FastifyReply, bytes: number) => void;

/** Bounds memory of unread bodies. Beyond it, connections of the network with the most are closed, the longest waiting first. */
function createUnsent(): HoldUnsent {
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
    raw.once('close', () => release(raw));
    closeExcess();
  };
}
