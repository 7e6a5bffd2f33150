import { HeaderMap, type ApolloServer } from '@apollo/server';
import { OperationTypeNode, printSchema, type FormattedExecutionResult } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../shared/config.js';
import type { Answer } from '../../shared/subgraph/executor.js';
import { sendReading } from '../edge/compression.js';
import { contextOf } from '../edge/context.js';
import { spendMore } from '../edge/edge.js';
import type { Callers, EdgeRules } from '../edge/route-policy.js';
import { serveFile } from '../edge/serve-file.js';
import type { Graph } from '../graph.js';
import { apolloRefusal, formattedAnswer, headOf, refusals, startApollo, type Caller } from './apollo.js';
import { blockFieldSuggestions } from './block-field-suggestions.js';
import { sendGraphiql, wantsPage } from './graphiql.js';
import { fastPathRun, type FastPathRun } from './fast-path.js';
import { createOperations } from './operations.js';
import { operationBucket, pay, costBudgetOf } from './cost-budget.js';
import { readSafelist, type Safelist } from './safelist.js';
import { createConnectionLimiter, type ConnectionLimiter } from './connection-limiter.js';
import { createSendBudget, type SendBudget } from './send-budget.js';
import { createSockets, type SocketTiming } from './sockets.js';
import { routeUpgrades, wantsSocket } from './upgrade.js';

export interface GraphqlPluginOptions {
  readonly graph: Graph;
  readonly config: Pick<Config, 'graphql' | 'production' | 'sockets'>;
  readonly callers: Callers;
  /** Root fields whose documented paths are limited by source address: they are limited here too, for every caller. */
  readonly guardedFields?: ReadonlySet<string>;
  /** Places and memory for sockets, shared with other transports; created here when not given. */
  readonly connectionLimiter?: ConnectionLimiter;
  readonly budget?: SendBudget;
  /** For tests: the intervals of keep-alives and credential checks. */
  readonly timing?: Partial<SocketTiming>;
}

const path = '/graphql';
const forNothing = () => Promise.resolve();
const rules: EdgeRules = { credential: 'optional', bucket: operationBucket, idempotent: true };

/**
 * Serves front ends: GraphQL over HTTP, and over WebSocket on the same path. A safelist is read, and its documents
 * are planned, before the server listens.
 * @throws when the safelist is unreadable, or holds a document that the graph cannot run.
 */
export async function graphqlPlugin(app: FastifyInstance, options: GraphqlPluginOptions): Promise<void> {
  const {
    config,
    callers,
    timing = {},
    connectionLimiter = createConnectionLimiter(config.sockets),
    budget = createSendBudget(),
  } = options;
  const { safelistFile, sdl, ...limits } = config.graphql;
  const graph = limits.introspection ? options.graph : blockFieldSuggestions(options.graph);
  const operations = createOperations(graph, limits, options.guardedFields);
  const safelist = safelistFile === undefined ? undefined : readSafelist(safelistFile);
  for (const text of safelist?.texts ?? []) await operations.admit(operations.read(text), undefined, forNothing);
  const { log } = app.edgeMaker.parts;
  const apollo = await startApollo({
    graph,
    operations,
    maxTokens: limits.maxTokens,
    persistedQueries: safelist === undefined,
    log,
  });
  const textOf = (payload: SubscribePayload) => safelist?.textOf(payload) ?? payload.query;
  const sockets = createSockets(app, { graph, operations, callers, textOf, connectionLimiter, budget, timing });
  routeUpgrades(app);

  app.post(path, { config: { edge: rules }, bodyLimit: limits.maxBodyBytes }, (request, reply) => {
    const known = safelist === undefined ? fastPathRun(request, operations) : undefined;
    return known === undefined ? answer(apollo, safelist, request, reply) : answerKnown(graph, known, request, reply);
  });
  app.get(path, { config: { edge: rules }, exposeHeadRoute: false }, async (request, reply) => {
    if (wantsSocket(request)) return sockets.accept(request, reply);
    if (!config.production && wantsPage(request)) return sendGraphiql(reply);
    return answer(apollo, safelist, request, reply);
  });
  if (sdl) {
    const read = () => Buffer.from(`${printSchema(options.graph.apiSchema)}\n`);
    serveFile(app, '/schema.graphql', { type: 'text/plain; charset=utf-8', read });
  }
  app.addHook('preClose', () => sockets.close());
  app.addHook('onClose', () => apollo.stop());
}

async function answer(
  apollo: ApolloServer<Caller>,
  safelist: Safelist | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const { body, search } =
    safelist === undefined ? { body: request.body, search: searchOf(request) } : listed(request, safelist);
  let send: typeof sendReading = (whole, answered) => whole.send(answered);
  const onQuery = () => {
    send = sendReading;
  };
  const result = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: request.method, headers, body, search },
    context: () => Promise.resolve().then(() => ({ ...apolloCaller(request, reply), onQuery })),
  });
  for (const [name, value] of result.headers) reply.header(name, value);
  if (result.body.kind !== 'complete') throw new Error('Apollo Server returned an incremental response');
  const { string: text } = result.body;
  const { status = 200 } = result;
  const unsigned = status >= 400 || text.startsWith(unknownHash);
  reply.code(status);
  if (unsigned) return reply.send(withRequestId(text, request.id));
  return send(reply, text);
}

/** Sends the same bytes as Apollo Server would. */
async function answerKnown(
  graph: Graph,
  { admitted, variables }: FastPathRun,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const result = await runKnown(graph, admitted, variables, request, reply);
  const { headers, status = 200 } = headOf(result);
  for (const [name, value] of headers) reply.header(name, value);
  reply.code(status).header('content-type', 'application/json; charset=utf-8');
  const text = JSON.stringify(formattedAnswer(result));
  if (status >= 400) return reply.send(text);
  const { operation } = admitted.prepared.operation;
  return operation === OperationTypeNode.QUERY ? sendReading(reply, `${text}\n`) : reply.send(`${text}\n`);
}

async function runKnown(
  graph: Graph,
  admitted: FastPathRun['admitted'],
  variables: FastPathRun['variables'],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  try {
    const { context, budget } = callerOf(request, reply);
    await pay(admitted, variables, budget, 1);
    return await graph.run(admitted.prepared, variables, context);
  } catch (error) {
    return { errors: refusals(error, { requestId: request.id, log: request.server.edgeMaker.parts.log }) };
  }
}

/** Returns the context and the cost budget of a request. @throws {ApiError} when the request cannot have a context. */
function callerOf(request: FastifyRequest, reply: FastifyReply): Omit<Caller, 'onQuery'> {
  const { edgeMaker } = request.server;
  const budget = costBudgetOf(edgeMaker, { principal: request.edge.principal, ip: request.ip });
  // The headers report the points that are left.
  return { context: contextOf(request), budget: { ...budget, spend: (points) => spendMore(request, reply, points) } };
}

/** Does the same as `callerOf`, with errors in the form that Apollo Server takes. */
function apolloCaller(request: FastifyRequest, reply: FastifyReply): Omit<Caller, 'onQuery'> {
  try {
    return callerOf(request, reply);
  } catch (error) {
    throw apolloRefusal(error, { requestId: request.id, log: request.server.edgeMaker.parts.log });
  }
}

/** The one error that Apollo Server sends with status 200. */
const unknownHash = '{"errors":[{"message":"PersistedQueryNotFound"';

/** Adds the request's id to Apollo Server's own errors. */
function withRequestId(text: string, requestId: string): string {
  const { errors } = JSON.parse(text) as FormattedExecutionResult;
  return JSON.stringify({
    errors: errors?.map(({ extensions, ...error }) => ({ ...error, extensions: { ...extensions, requestId } })),
  });
}

function searchOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?');
  return at === -1 ? '' : request.url.slice(at);
}

/** Returns the request with the text of its document, which must be on the list. */
function listed(request: FastifyRequest, safelist: Safelist): { body: unknown; search: string } {
  if (request.method === 'POST') {
    const body: Record<string, unknown> = { ...(typeof request.body === 'object' ? request.body : {}) };
    return { body: { ...body, query: safelist.textOf(body), extensions: null }, search: '' };
  }
  const search = new URLSearchParams(searchOf(request));
  const given = Object.fromEntries(search);
  search.set('query', safelist.textOf({ ...given, extensions: jsonOf(given['extensions']) }));
  search.delete('extensions');
  return { body: undefined, search: `?${search.toString()}` };
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
