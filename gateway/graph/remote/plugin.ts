import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, parse, validate, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import { z } from 'zod';
import { createExecutor } from '../../../shared/graphql/execute.js';
import type { GraphResultStream, GraphRequest } from '../../../shared/graphql/executor.js';
import type { Subgraph } from '../../../shared/graphql/subgraph.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import {
  createContext,
  type Context,
  type Idempotency,
  type Principal,
  anonymous,
  under,
} from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { networkOf } from '../../../shared/kernel/network.js';
import { canRestart, cursorOf, subjectOf } from '../../../shared/kernel/stream-place.js';
import { sha256, type KeyRing } from '../../../shared/security/crypto.js';
import { chosenName } from '../../http/identify/context.js';
import { requestSpanOptions, spanNameOf } from '../../http/reply/request-span.js';
import type { EdgeRules } from '../../http/route-policy.js';
import { countedRun } from '../../live/metrics.js';
import { createCallTokens, type Call } from './call-token.js';
import {
  eventStream,
  lastEventIdHeader,
  replayedHeader,
  completeEvent,
  eventOf,
  heartbeat,
  heartbeatMs,
  placeOf,
  restartsHeader,
  subjectHeader,
} from './wire-format.js';

export interface SubgraphPluginOptions {
  readonly subgraph: Pick<Subgraph, 'name' | 'schema'>;
  readonly keyRing: KeyRing;
  readonly router?: RouterTrust | undefined;
}

/** Policy of the route: the gateway has charged the request; only its token is checked here. */
const rules: EdgeRules = { credential: 'none', bucket: 'unmetered', plainHttp: true, trustedBodies: true };
/** Maximum memory for parsed documents: another router may send ever new ones, with values in their text. */
const maxDocumentBytes = 64 * 1_048_576;
/** Maximum body: lists of entities can be larger than a caller's body. */
const bodyLimit = 16 * 1_048_576;
/** Requests after which a connection ends, so that balancers reach processes that have just begun; a new one takes less than a millisecond. */
const requestsPerConnection = 200;

/** Serves a subgraph to gateways over HTTP, subscriptions as server-sent events. Accepts only this platform's tokens, or a configured router's. */
export function subgraphPlugin(app: FastifyInstance, { subgraph, keyRing, router }: SubgraphPluginOptions): void {
  const { name, schema } = subgraph;
  const executor = createExecutor(schema, keyRing);
  const { clock } = app.edgeMaker.parts;
  const tokens = createCallTokens(keyRing, clock);
  const routerTokens = router === undefined ? undefined : createRouterTokens(router, clock);
  const documents = new LRUCache<string, DocumentNode>({ maxSize: maxDocumentBytes, sizeCalculation: bytesOf });
  const streams = new Set<GraphResultStream>();
  let isStopping = false;
  app.server.maxRequestsPerSocket = requestsPerConnection;

  const requestOf = (body: unknown): GraphRequest => {
    const { query, variables } = read(body);
    const known = documents.get(query);
    const document = known ?? documentOf(schema, query);
    if (known === undefined) documents.set(query, document);
    return { document, variables };
  };

  const callOf = async (request: FastifyRequest): Promise<Call> => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new ApiError('UNAUTHORIZED');
    if (routerTokens === undefined || tokens.isOwn(token))
      return tokens.verify(name, request.rawBody ?? Buffer.alloc(0), token);
    return callThrough(request, await routerTokens.verify(name, token, networkOf(request.ip)));
  };

  const contextOf = async (request: FastifyRequest): Promise<Context> => {
    const call = await callOf(request);
    const { parts } = app.edgeMaker;
    const log = parts.log.child({ requestId: call.requestId });
    const context = createContext({ ...parts, ...call, log });
    // Only once the token shows that the gateway has sent it. A subscription has no end that its span could wait for.
    const span = isStream(request)
      ? undefined
      : parts.tracer?.join(spanNameOf(request), request.headers, requestSpanOptions(request));
    request.edge.span = span;
    return span === undefined ? context : under({ ...context, log: log.child({ traceId: span.traceId }) }, span);
  };

  app.post('/graphql', { config: { edge: rules }, bodyLimit }, async (request, reply) => {
    const context = await contextOf(request);
    const given = requestOf(request.body);
    if (!isStream(request)) {
      const response = await executor.execute(given, context);
      if (context.idempotency?.replayed === true) reply.header(replayedHeader, 'true');
      return sendJson(reply, response);
    }
    const lastEventId = request.headers[lastEventIdHeader];
    const sendsIds = typeof lastEventId === 'string';
    const resumeAfter = sendsIds && lastEventId !== '' ? lastEventId : undefined;
    const begun = await executor.subscribe(given, { ...context, resumeAfter });
    if (!('next' in begun)) return sendJson(reply, begun);
    const results = countedRun(begun);
    streams.add(results);
    app.edgeMaker.gate.leave(request.raw);
    // A gateway that knows ids goes on in the process that follows this one: for it the stream is not complete.
    const isComplete = () => !(sendsIds && isStopping);
    try {
      await sendEvents(reply, results, { sendsIds, isComplete, log: context.log });
    } finally {
      streams.delete(results);
    }
    return reply;
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    await Promise.all([...streams].map((stream) => endStream(stream, app.edgeMaker.parts.log)));
  });
}

/** Returns the call that another router makes for a caller. Data that is not in the token is in headers that the router passes on. */
function callThrough(request: FastifyRequest, principal: Principal): Call {
  const userAgent = request.headers['user-agent'];
  const idempotency = idempotencyThrough(request, principal);
  return {
    principal,
    requestId: request.id,
    ip: request.ip,
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(idempotency === undefined ? {} : { idempotency }),
  };
}

/** A router sends several calls of one request with one key, so each is known by its body too: a reused key with another body is not noticed. */
function idempotencyThrough(request: FastifyRequest, { kind, ownerId }: Principal): Idempotency | undefined {
  const name = chosenName(request);
  if (name === undefined) return undefined;
  const digest = sha256(request.rawBody ?? '');
  const owner = `ROUTER:${kind}:${ownerId}:${digest.toString('base64url')}`;
  return { owner, key: name.key, operation: 'POST /graphql', digest, replayed: false };
}

function isStream({ headers }: FastifyRequest): boolean {
  return headers.accept?.startsWith(eventStream) === true;
}

function sendJson(reply: FastifyReply, response: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(response));
}

function read(body: unknown): { query: string; variables: Record<string, unknown> } {
  if (typeof body !== 'object' || body === null || !('query' in body) || typeof body.query !== 'string')
    throw new ApiError('BAD_REQUEST', { message: 'Send a GraphQL document as query' });
  const variables = 'variables' in body && typeof body.variables === 'object' ? body.variables : {};
  return { query: body.query, variables: { ...variables } };
}

/** Returns the memory of a document with its compiled functions, estimated as in `gateway/graphql/operations.ts` for one subgraph. */
function bytesOf(_document: DocumentNode, query: string): number {
  return 10_000 + 110 * query.length;
}

function documentOf(schema: GraphQLSchema, query: string): DocumentNode {
  try {
    const document = parse(query);
    const [error] = validate(schema, document);
    if (error === undefined) return document;
    throw error;
  } catch (error) {
    if (error instanceof GraphQLError) throw new ApiError('BAD_REQUEST', { message: error.message });
    throw error;
  }
}

export interface SendOptions {
  readonly sendsIds: boolean;
  /** Whether a stream that has ended has nothing more to say, in this process or another. */
  readonly isComplete: () => boolean;
  readonly log: Logger;
}

/** Writes each result as an event, no faster than the gateway reads, until either side ends. */
async function sendEvents(
  reply: FastifyReply,
  results: GraphResultStream,
  { sendsIds, isComplete, log }: SendOptions,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const subject = subjectOf(results);
  const idOf = (thing: object) => (sendsIds ? cursorOf(thing) : undefined);
  const beginsAfter = idOf(results);
  raw.writeHead(200, {
    'content-type': eventStream,
    'cache-control': 'no-store',
    ...(subject === undefined ? {} : { [subjectHeader]: subject }),
    ...(beginsAfter === undefined ? {} : { [lastEventIdHeader]: beginsAfter }),
    ...(canRestart(results) ? { [restartsHeader]: 'true' } : {}),
  });
  raw.flushHeaders();
  const leave = () => void endStream(results, log);
  raw.once('close', leave);
  // If the caller disconnected while the subscription began, `close` was emitted before anyone listened.
  if (raw.destroyed) leave();
  // Says how far the reader is, so that the id is not too old where nothing happens for days.
  const beats = setInterval(() => {
    const id = idOf(results);
    raw.write(id === undefined ? heartbeat : placeOf(id));
  }, heartbeatMs);
  try {
    for await (const response of results) {
      if (!raw.write(eventOf(response, idOf(response)))) await drained(raw);
    }
    if (isComplete()) raw.end(completeEvent);
  } finally {
    clearInterval(beats);
    raw.off('close', leave).end();
  }
}

async function endStream(results: GraphResultStream, log: Logger): Promise<void> {
  try {
    await results.return?.();
  } catch (error) {
    log.warn({ err: error }, 'A subscription could not be ended');
  }
}

function drained(raw: FastifyReply['raw']): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      raw.off('drain', done).off('close', done);
      resolve();
    };
    raw.once('drain', done).once('close', done);
    if (raw.destroyed) done();
  });
}

/** Another federation router that is trusted to say who calls: the keys that its tokens are signed with, and their issuer. */
interface RouterTrust {
  readonly keys: JSONWebKeySet;
  readonly issuer: string;
}

export interface RouterTokens {
  /** @param network the caller where the token names nobody @throws {ApiError} UNAUTHORIZED for an unknown key, another service or another time */
  verify(subgraph: string, token: string, network: string): Promise<Principal>;
}

/** Signatures by keys that only their owner has: what verifies a token here cannot make one. */
const algorithms = ['EdDSA', 'ES256', 'ES384', 'PS256', 'RS256'];
/** A token is for a request, and not for a day: whoever reads it in the network of the subgraphs can use it for as long. */
const maxLifetimeSeconds = 300;
/** Maximum difference between the clocks of two machines. */
const toleranceSeconds = 30;
/** The audience of a token for all subgraphs; the name of one is accepted by that one too. */
const anySubgraph = 'lastro';

const id = z.string().min(1).max(200);
const claims = z.object({
  sub: id.optional(),
  iat: z.number(),
  exp: z.number(),
  caller: z
    .object({
      // Neither operators nor the program itself: their acts come by the platform's own gateway.
      kind: z.enum(['API_KEY', 'DEVELOPER_KEY', 'SESSION', 'CLIENT', 'TRADER']),
      id,
      scopes: z.array(z.string().max(100)).max(100).default([]),
    })
    .optional(),
});

/** Creates the verification. Claims: `iss`, `aud`, `iat`, `exp`, and for a known caller `sub` (its owner) and `caller` (kind, id and scopes of its credential). */
export function createRouterTokens({ keys, issuer }: RouterTrust, clock: Clock): RouterTokens {
  const known = createLocalJWKSet(keys);
  return {
    verify: async (subgraph, token, network) => {
      const { payload } = await jwtVerify(token, known, {
        algorithms,
        issuer,
        audience: [anySubgraph, subgraph],
        currentDate: clock.now(),
        clockTolerance: toleranceSeconds,
        maxTokenAge: maxLifetimeSeconds,
        requiredClaims: ['exp', 'iat'],
      }).catch((cause: unknown) => {
        throw new ApiError('UNAUTHORIZED', { cause });
      });
      const said = claims.safeParse(payload);
      if (!said.success) throw new ApiError('UNAUTHORIZED', { cause: said.error });
      const { sub, iat, exp, caller } = said.data;
      if (exp - iat > maxLifetimeSeconds) throw new ApiError('UNAUTHORIZED');
      if (caller === undefined) return anonymous(network);
      if (sub === undefined) throw new ApiError('UNAUTHORIZED');
      return { kind: caller.kind, id: caller.id, ownerId: sub, scopes: caller.scopes };
    },
  };
}
