import type { FastifyInstance } from 'fastify';
import { printSchema, GraphQLError } from 'graphql';
import type { SubscribePayload } from 'graphql-ws';
import type { Config } from '../../shared/kernel/config.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import type { Callers, EdgeRules } from '../http/route-policy.js';
import { serveFile } from '../http/reply/serve-file.js';
import type { Graph } from '../graph/graph.js';
import { createSubscriptionLimiter, type SubscriptionLimiter } from '../live/subscription-limiter.js';
import { startApollo } from './apollo.js';
import { createConnectionLimiter, type ConnectionLimiter, createSendBudget, type SendBudget } from './socket-limits.js';
import { operationBucket } from '../graph/limits/cost-budget.js';
import { sendGraphiql, serveGraphiql, wantsPage } from './graphiql.js';
import { respondByApollo, respondFast, fastPathRun } from './http-responses.js';
import { createOperations } from './operations.js';
import { demandShape, withoutEmptyParts } from './request-parts.js';
import { readSafelist, createPersistedQueries } from './safelist.js';
import { createSockets } from './sockets.js';
import { routeUpgrades, wantsSocket } from './upgrade.js';
import { ApiError, type ErrorDetail, ruleOf } from '../../shared/kernel/errors.js';
import { InvalidDocument } from '../../shared/graphql/invalid-document.js';
import type { GraphResult } from '../../shared/graphql/executor.js';

export interface GraphqlPluginOptions {
  readonly graph: Graph;
  readonly config: Pick<Config, 'graphql' | 'production' | 'sockets' | 'subscriptions'>;
  readonly callers: Callers;
  /** Root fields whose documented paths are limited by source address: they are limited here too, for every caller. */
  readonly guardedFields?: ReadonlySet<string>;
  /** Places and memory for sockets, shared with other transports; created here when not given. */
  readonly connectionLimiter?: ConnectionLimiter;
  readonly subscriptionLimiter?: SubscriptionLimiter;
  readonly budget?: SendBudget;
  /** Documents of the program's own pages: named by hash, planned before the server listens, and allowed beside a safelist. */
  readonly documents?: readonly string[];
  /** For tests: the interval of pings, in milliseconds; credentials are checked three times as often. */
  readonly heartbeatMs?: number | undefined;
}

const path = '/graphql';
const forNothing = () => Promise.resolve();
const rules: EdgeRules = {
  credential: 'optional',
  bucket: operationBucket,
  idempotent: true,
  respondsInGraphql: true,
};

/** Serves GraphQL over HTTP and WebSocket. @throws when the safelist is unreadable, or holds a document that the graph cannot run */
export async function graphqlPlugin(app: FastifyInstance, options: GraphqlPluginOptions): Promise<void> {
  const {
    config,
    callers,
    heartbeatMs,
    documents = [],
    connectionLimiter = createConnectionLimiter(config.sockets),
    subscriptionLimiter = createSubscriptionLimiter(config.subscriptions),
    budget = createSendBudget(),
  } = options;
  const { safelistFile, sdl, ...limits } = config.graphql;
  const graph = limits.introspection ? options.graph : blockFieldSuggestions(options.graph);
  const operations = createOperations(graph, limits, options.guardedFields);
  const safelist = safelistFile === undefined ? undefined : readSafelist(safelistFile, documents);
  for (const text of safelist?.texts ?? documents) await operations.admit(operations.read(text), undefined, forNothing);
  const { log } = app.edgeMaker.parts;
  const persisted = safelist === undefined ? createPersistedQueries(documents) : undefined;
  const apollo = await startApollo({
    graph,
    operations,
    maxTokens: limits.maxTokens,
    persisted,
    log,
  });
  const findText = safelist?.find ?? persisted?.find ?? (() => undefined);
  const textOf = (payload: SubscribePayload) => {
    const parts = withoutEmptyParts(payload);
    return safelist?.textOf(parts) ?? parts.query ?? findText(parts) ?? '';
  };
  const bounds = { connectionLimiter, subscriptionLimiter, budget };
  const sockets = createSockets(app, { graph, operations, callers, textOf, ...bounds, heartbeatMs });
  routeUpgrades(app);

  app.post(path, { config: { edge: rules }, bodyLimit: limits.maxBodyBytes }, (request, reply) => {
    if (isRecord(request.body)) request.body = withoutEmptyParts(request.body);
    const known = safelist === undefined ? fastPathRun(request, operations) : undefined;
    return known === undefined
      ? respondByApollo(apollo, safelist, request, reply)
      : respondFast(graph, known, request, reply);
  });
  if (!config.production) serveGraphiql(app);
  app.get(path, { config: { edge: rules, takesSockets: true }, exposeHeadRoute: true }, async (request, reply) => {
    if (wantsSocket(request)) return sockets.accept(request, reply);
    if (!config.production && wantsPage(request)) return sendGraphiql(reply);
    demandShape(request);
    return respondByApollo(apollo, safelist, request, reply);
  });
  if (sdl) {
    const read = () => Buffer.from(`${printSchema(options.graph.apiSchema)}\n`);
    serveFile(app, '/schema.graphql', { type: 'text/plain; charset=utf-8', read });
  }
  app.addHook('preClose', () => sockets.close());
  app.addHook('onClose', () => apollo.stop());
}

/** Removes graphql-js's suggestions of the nearest names from errors, which would reveal the schema without introspection. */
function blockFieldSuggestions(graph: Graph): Graph {
  return {
    ...graph,
    prepare: (document, options) => {
      try {
        return graph.prepare(document, options);
      } catch (error) {
        throw error instanceof ApiError ? errorWithoutSuggestions(error) : error;
      }
    },
    run: async (prepared, variables, context) => withoutSuggestions(await graph.run(prepared, variables, context)),
    subscribe: async (prepared, variables, context) => {
      const begun = await graph.subscribe(prepared, variables, context);
      // Names are suggested where a request is refused, which is before its first event.
      return 'next' in begun ? begun : withoutSuggestions(begun);
    },
  };
}

function errorWithoutSuggestions(error: ApiError): ApiError {
  if (error instanceof InvalidDocument) {
    return new InvalidDocument(error.errors.map((one) => ({ ...one, message: withoutSuggestion(one.message) })));
  }
  const { details } = error.extensions;
  return new ApiError(error.code, {
    message: withoutSuggestion(error.message),
    ...ruleOf(error.extensions),
    ...(details === undefined ? {} : { details: details.map(detailWithoutSuggestion) }),
    cause: error.cause,
  });
}

function withoutSuggestions(result: GraphResult): GraphResult {
  if (result.errors === undefined) return result;
  return { ...result, errors: result.errors.map(withoutItsSuggestion) };
}

function withoutItsSuggestion(error: GraphQLError): GraphQLError {
  const { message, path, extensions } = error;
  const { details } = extensions;
  return new GraphQLError(withoutSuggestion(message), {
    path: path ?? null,
    extensions: { ...extensions, ...(isDetails(details) ? { details: details.map(detailWithoutSuggestion) } : {}) },
  });
}

function detailWithoutSuggestion(detail: ErrorDetail): ErrorDetail {
  return { ...detail, message: withoutSuggestion(detail.message) };
}

function isDetails(details: unknown): details is readonly ErrorDetail[] {
  return Array.isArray(details);
}

/** Removes the suggestion, which is the last sentence. A search for its end would read a hostile text many times. */
function withoutSuggestion(message: string): string {
  const at = message.lastIndexOf('Did you mean ');
  return at === -1 ? message : message.slice(0, at).trimEnd();
}
