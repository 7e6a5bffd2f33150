import {
  ApolloServer,
  HeaderMap,
  type ApolloServerPlugin,
  type BaseContext,
  type HTTPGraphQLHead,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import {
  GraphQLError,
  OperationTypeNode,
  type FormattedExecutionResult,
  type GraphQLFormattedError,
  type VariableDefinitionNode,
} from 'graphql';
import type { Context } from '../../shared/kernel/context.js';
import { logUnavailable } from '../../shared/database/log-unavailable.js';
import { shortened } from '../../shared/kernel/echo.js';
import { ApiError, apiErrorFrom } from '../../shared/kernel/errors.js';
import type { Logger } from '../../shared/kernel/log.js';
import type { GraphResult } from '../../shared/graphql/executor.js';
import { graphqlErrorsOf } from '../../shared/graphql/mask.js';
import { admitsJson, graphqlResponseType } from '../http/reply/accept.js';
import { codeOfStatus } from '../http/reply/envelope.js';
import type { Graph } from '../graph/graph.js';
import { leastNewPoints, type Operations } from './operations.js';
import { pay, settle, type Admitted, type CostBudget, type PaidRun } from '../graph/limits/cost-budget.js';
import type { PersistedQueries } from './safelist.js';
import { z } from 'zod';
import { detailForm } from '../graph/graph-error.js';
import type { Prepared } from '../graph/operation.js';

export interface Caller extends BaseContext {
  readonly context: Context;
  readonly budget: CostBudget;
  readonly reportsCost: boolean;
  /** The same context without the caller, for a request whose response may be public; undefined for any other one. */
  readonly publicContext: Context | undefined;
  /** Called when an operation that only reads was run: its response may be compressed, and where it is public, kept by caches. */
  readonly onQuery: (isPublic: boolean) => void;
}

export interface ApolloOptions {
  readonly graph: Graph;
  readonly operations: Operations;
  readonly maxTokens: number;
  /** Undefined where only documents of the safelist run. */
  readonly persisted: PersistedQueries | undefined;
  readonly log: Logger;
}

const mediaTypes = ['application/json', graphqlResponseType];

/** Starts Apollo Server, which reads requests and writes responses; the graph does the work in between. */
export async function startApollo(options: ApolloOptions): Promise<ApolloServer<Caller>> {
  const { graph, operations, maxTokens, persisted, log } = options;
  const server = new ApolloServer<Caller>({
    gateway: graph.gateway,
    documentStore: operations.documents,
    parseOptions: { maxLexicalTokens: maxTokens },
    // `operations.admit` validates, after it has measured the document.
    dangerouslyDisableValidation: true,
    persistedQueries: persisted === undefined ? false : { cache: persisted.cache },
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: (formatted, thrown) => houseError(formatted, thrown, log),
    logger: log,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      throughTheGraph(graph, operations),
    ],
  });
  await server.start();
  return server;
}

/** Takes each operation from Apollo Server once its document is known, and runs it on the graph. */
function throughTheGraph(graph: Graph, operations: Operations): ApolloServerPlugin<Caller> {
  return {
    requestDidStart: () => {
      let paid: { readonly run: PaidRun; readonly cost: number } | undefined;
      let refused: readonly GraphQLError[] = [];
      return Promise.resolve({
        parsingDidStart: ({ contextValue: { budget } }) =>
          Promise.resolve((error) => (error === undefined ? Promise.resolve() : payForUnreadable(budget))),
        didResolveOperation: async ({ document, request, contextValue }) => {
          const { budget, reportsCost } = contextValue;
          try {
            // Apollo Server checks this only after the operation has run, which is too late for a mutation.
            if (!admitsJson(request.http?.headers.get('accept'), mediaTypes)) throw new ApiError('NOT_ACCEPTABLE');
            const admitted = await operations.admit(document, request.operationName, budget.spend);
            const context = contextOfRun(admitted, contextValue);
            const run: PaidRun = { admitted, variables: request.variables ?? {}, budget, context, reportsCost };
            // The edge took one point when the request came in.
            paid = { run, cost: await pay(run, 1) };
          } catch (error) {
            const errors = refusals(error, contextValue.context);
            refused = errors;
            throw forApollo(errors[0]);
          }
        },
        // Apollo Server takes one error, and a document can have several.
        willSendResponse: ({ response: { body } }) => {
          if (refused.length > 1 && body.kind === 'single')
            body.singleResult.errors = refused.map((one) => one.toJSON());
          return Promise.resolve();
        },
        responseForOperation: async ({ operation, contextValue: { onQuery, publicContext } }) => {
          if (paid === undefined) return null;
          const { run, cost } = paid;
          const result = await runPaid(graph, run, cost);
          if (operation.operation === OperationTypeNode.QUERY)
            onQuery(run.context === publicContext && result.errors === undefined);
          return { http: headOf(result), body: { kind: 'single', singleResult: formattedResult(result) } };
        },
      });
    },
  };
}

/** The context of a run: without the caller where its response may be public. Fields that are limited by source address need that address. */
function contextOfRun({ prepared, guarded }: Admitted, { context, publicContext }: Caller): Context {
  const reads = prepared.operation.operation === OperationTypeNode.QUERY;
  return reads && guarded === 0 ? (publicContext ?? context) : context;
}

/** Charges a document that cannot be read. The caller receives the error of the document even without enough points for it. */
async function payForUnreadable({ spend }: CostBudget): Promise<void> {
  try {
    await spend(leastNewPoints);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

export async function runPaid(graph: Graph, run: PaidRun, requested: number): Promise<GraphResult> {
  const { prepared } = run.admitted;
  const result = await graph.run(prepared, run.variables, run.context);
  return settle(run, requested, withEntries(result, prepared));
}

export function formattedResult({ data, errors, extensions }: GraphResult): FormattedExecutionResult {
  return {
    ...(errors === undefined ? {} : { errors: errors.map((error) => error.toJSON()) }),
    ...(data === undefined ? {} : { data }),
    ...(extensions === undefined ? {} : { extensions }),
  };
}

/** Returns the HTTP status and headers of a response: 200 when the operation was run, whatever its result (GraphQL over HTTP §6.4). */
export function headOf({ data, errors }: GraphResult): HTTPGraphQLHead {
  const extensions = data === undefined ? errors?.[0]?.extensions : undefined;
  return extensions === undefined ? { headers: new HeaderMap() } : head(extensions);
}

function head(extensions: Readonly<Record<string, unknown>>): Required<HTTPGraphQLHead> {
  const { statusCode, retryAfterSeconds } = extensions;
  const headers = new HeaderMap();
  if (typeof retryAfterSeconds === 'number') headers.set('retry-after', String(retryAfterSeconds));
  return { headers, status: typeof statusCode === 'number' ? statusCode : 500 };
}

/** Returns the errors as callers see them: a single one, or all errors of a document. */
export function refusals(
  thrown: unknown,
  { requestId, log }: Pick<Context, 'requestId' | 'log'>,
): [GraphQLError, ...GraphQLError[]] {
  const error = apiErrorFrom(thrown);
  const { status, cause } = error;
  if (status >= 500 && !logUnavailable(log, error))
    log.error({ err: cause ?? thrown }, 'An operation could not be admitted');
  return graphqlErrorsOf(error, requestId);
}

export function apolloRefusal(thrown: unknown, parts: Pick<Context, 'requestId' | 'log'>): GraphQLError {
  return forApollo(refusals(thrown, parts)[0]);
}

function forApollo({ message, extensions, nodes, source, positions }: GraphQLError): GraphQLError {
  const own: Record<string, unknown> = { ...extensions, http: head(extensions) };
  return new GraphQLError(message, { nodes: nodes ?? null, source, positions, extensions: own });
}

/** Gives Apollo Server's errors our code for their status. An unknown persisted query keeps its code, by which clients know to send the text. */
function houseError(formatted: GraphQLFormattedError, thrown: unknown, log: Logger): GraphQLFormattedError {
  const { message, extensions = {} } = formatted;
  if (typeof extensions['statusCode'] === 'number') return formatted;
  const status = statusOf(thrown);
  if (status === undefined) {
    log.error({ reason: message }, 'Apollo Server failed');
    const error = new ApiError('INTERNAL');
    return { message: error.message, extensions: { ...error.extensions } };
  }
  const { code } = extensions;
  const known = typeof code === 'string' && code.startsWith('PERSISTED_QUERY') ? { code } : {};
  const error = new ApiError(codeOfStatus(status) ?? 'BAD_REQUEST');
  return {
    message: shortened(message.trim()),
    ...(formatted.locations === undefined ? {} : { locations: formatted.locations }),
    extensions: { ...error.extensions, ...known },
  };
}

function statusOf(thrown: unknown): number | undefined {
  const http: unknown = thrown instanceof GraphQLError ? thrown.extensions['http'] : undefined;
  const status = typeof http === 'object' && http !== null && 'status' in http ? http.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

const detailsForm = z.array(detailForm).min(1);

/** Gives each error of the variables an entry of its own, at the place where the document declares the variable. Errors of the operation itself are not changed. */
export function withEntries(result: GraphResult, { operation }: Prepared): GraphResult {
  const { data, errors } = result;
  if (data !== undefined || errors === undefined) return result;
  const { variableDefinitions = [] } = operation;
  const declared = new Map(variableDefinitions.map((node) => [node.variable.name.value, node]));
  return { ...result, errors: errors.flatMap((error) => entriesOf(error, declared)) };
}

function entriesOf(error: GraphQLError, declared: ReadonlyMap<string, VariableDefinitionNode>): GraphQLError[] {
  const details = detailsForm.safeParse(error.extensions['details']).data;
  if (error.path !== undefined || error.locations !== undefined || details === undefined) return [error];
  const entries = details.flatMap((detail) => {
    const node = declared.get(/^[^.[]*/.exec(detail.path)?.[0] ?? '');
    if (node === undefined) return [];
    const message = details.length === 1 ? error.message : `${detail.path}: ${detail.message}`;
    return new GraphQLError(message, { nodes: node, extensions: { ...error.extensions, details: [detail] } });
  });
  return entries.length === details.length ? entries : [error];
}
