import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, parse, validate, type DocumentNode, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { createContext, type Context } from '../../shared/context.js';
import type { KeyRing } from '../../shared/crypto.js';
import { ApiError } from '../../shared/errors.js';
import { createExecutor } from '../../shared/subgraph/execute.js';
import type { GraphResultStream, GraphRequest } from '../../shared/subgraph/executor.js';
import type { Subgraph } from '../../shared/subgraph/subgraph.js';
import { under } from '../../shared/tracing/under.js';
import { requestSpanOptions, spanNameOf } from '../edge/request-span.js';
import type { EdgeRules } from '../edge/route-policy.js';
import { createCallTokens } from './call-token.js';
import { completeEvent, eventOf, eventStream, heartbeat, heartbeatMs, replayedHeader } from './wire-format.js';

export interface SubgraphPluginOptions {
  readonly subgraph: Pick<Subgraph, 'name' | 'schema'>;
  readonly keyRing: KeyRing;
}

/** Policy of the route: the gateway has charged the request; only its token is checked here. */
const rules: EdgeRules = { credential: 'none', bucket: 'unmetered', plainHttp: true, trustedBodies: true };
/** Maximum number of documents that are remembered, from the operations that the gateway knows. */
const maxDocuments = 2_000;
/** Maximum body: lists of entities can be larger than a caller's body. */
const bodyLimit = 16 * 1_048_576;

/**
 * Serves one subgraph to the gateway: federation over HTTP, subscriptions as server-sent events. Accepts only
 * tokens that a part of this platform signed.
 */
export function subgraphPlugin(app: FastifyInstance, { subgraph, keyRing }: SubgraphPluginOptions): void {
  const { name, schema } = subgraph;
  const executor = createExecutor(schema, keyRing);
  const tokens = createCallTokens(keyRing, app.edgeMaker.parts.clock);
  const documents = new LRUCache<string, DocumentNode>({ max: maxDocuments });
  const streams = new Set<GraphResultStream>();

  const requestOf = (body: unknown): GraphRequest => {
    const { query, variables } = read(body);
    const document = documents.get(query) ?? documentOf(schema, query);
    documents.set(query, document);
    return { document, variables };
  };

  const contextOf = async (request: FastifyRequest): Promise<Context> => {
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new ApiError('UNAUTHORIZED');
    const call = await tokens.verify(name, request.rawBody ?? Buffer.alloc(0), token);
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
    const answers = await executor.subscribe(given, context);
    if (!('next' in answers)) return sendJson(reply, answers);
    streams.add(answers);
    app.edgeMaker.gate.leave(request.raw);
    await sendEvents(reply, answers);
    streams.delete(answers);
    return reply;
  });
  app.addHook('preClose', async () => {
    for (const stream of streams) await stream.return?.();
  });
}

function isStream({ headers }: FastifyRequest): boolean {
  return headers.accept?.startsWith(eventStream) === true;
}

function sendJson(reply: FastifyReply, response: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(response));
}

/** Writes each result as an event, no faster than the gateway reads, until either side ends. */
async function sendEvents(reply: FastifyReply, answers: GraphResultStream): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { 'content-type': eventStream, 'cache-control': 'no-store' });
  raw.flushHeaders();
  raw.once('close', () => void answers.return?.());
  // If the caller disconnected while the subscription began, `close` was emitted before anyone listened.
  if (raw.destroyed) void answers.return?.();
  const beats = setInterval(() => raw.write(heartbeat), heartbeatMs);
  try {
    for await (const response of answers) {
      if (!raw.write(eventOf(response))) await drained(raw);
    }
    raw.end(completeEvent);
  } finally {
    clearInterval(beats);
    raw.end();
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

function read(body: unknown): { query: string; variables: Record<string, unknown> } {
  if (typeof body !== 'object' || body === null || !('query' in body) || typeof body.query !== 'string')
    throw new ApiError('BAD_REQUEST', { message: 'Send a GraphQL document as query' });
  const variables = 'variables' in body && typeof body.variables === 'object' ? body.variables : {};
  return { query: body.query, variables: { ...variables } };
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
