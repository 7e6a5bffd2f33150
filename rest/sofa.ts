import { Kind, visit, type DocumentNode, type ExecutionArgs, type GraphQLSchema } from 'graphql';
import { useSofa } from 'sofa-api';
import { z } from 'zod';
import type { Graph } from '../gateway/graph.js';
import type { Prepared } from '../gateway/operation.js';
import type { Context } from '../shared/context.js';
import { ApiError } from '../shared/errors.js';
import type { Answer } from '../shared/subgraph/executor.js';
import { isCachedResponse } from '../shared/subgraph/response-cache.js';
import { isLongList } from '../shared/turns.js';
import { gravest, inHeaders } from './graph-error.js';
import { leaverOut, type LeaveOut } from './leave-out.js';
import { headerNames, type Row } from './route.js';
import { rootField } from './view.js';

/** A response as it is sent: its JSON is made once, and that of a cached response is kept as long as the response. */
export interface RestAnswer {
  readonly status: number;
  readonly json: string | Buffer;
}

/**
 * Runs the operation of a route. `values` are the arguments by name, as they came.
 * @throws {ApiError}
 */
export type RunRoute = (values: Arguments, context: Context) => Promise<RestAnswer>;

type Arguments = Readonly<Record<string, unknown>>;

/** The parts of a request that SOFA's handlers read: a full WHATWG request costs 15 µs more, and its body would be parsed again. */
interface SofaRequest {
  readonly url: string;
  readonly body: null;
  readonly params: Arguments;
}

/** Data that SOFA passes unchanged from the caller of a handler to `execute`. */
interface Run {
  readonly context: Context | undefined;
  /** Arguments that are withheld from SOFA: it would copy a list of 50,000 items in one go, and they already have their types. */
  readonly long?: Arguments | undefined;
  /** JSON of the operation's result, kept from SOFA, which would serialize and measure it; undefined for null. */
  json?: RestAnswer['json'] | undefined;
}

type SofaHandler = (request: SofaRequest, run: Run) => Promise<Response>;

/** An operation of SOFA's, ready to run. */
interface Ready {
  readonly operation: Prepared;
  readonly leaveOut: LeaveOut;
  /** The value that SOFA receives in place of the result. */
  readonly nothing: Readonly<Record<string, null>>;
}

const sofaRoute = z.object({
  path: z.string(),
  handler: z.custom<SofaHandler>((value) => typeof value === 'function'),
});

/** Returns the path under which SOFA keeps the handler of an operation. SOFA's router is never used, so the path is only a name. */
const pathOf = (operation: string) => `/run/${operation}`;

/**
 * Creates SOFA's routes over the REST view of the graph, each with its operation prepared now. SOFA coerces the arguments,
 * runs the operation and shapes the result; Fastify has already matched the path and read the body. SOFA's own
 * router, and with it its `/webhook`, is never called.
 */
export async function sofaRoutes(
  graph: Graph,
  view: GraphQLSchema,
  rows: readonly Row[],
): Promise<(row: Row) => RunRoute> {
  const prepared = new Map<DocumentNode, Ready>();
  const jsonOf = jsonMaker();
  const router = useSofa({
    basePath: '/',
    schema: view,
    routes: Object.fromEntries(
      rows.map((row) => {
        const { method, operation, status: responseStatus } = row;
        return [`${rootField(view, row).kind}.${operation}`, { method, path: pathOf(operation), responseStatus }];
      }),
    ),
    context: (server: object) => server,
    execute: async ({ document, contextValue, variableValues }: ExecutionArgs) => {
      const known = prepared.get(document);
      const run = runIn(contextValue);
      if (known !== undefined && run.context !== undefined) {
        const variables = run.long === undefined ? variableValues : { ...variableValues, ...run.long };
        const answer = await graph.run(known.operation, variables ?? {}, run.context);
        if (answer.errors !== undefined) return answer;
        run.json = jsonOf(answer, known.leaveOut);
        return { data: known.nothing };
      }
      const operation = graph.prepare(withoutTypeNames(document));
      const names = rootNames(operation);
      const absent = rows.find((row) => names.includes(row.operation))?.absent ?? [];
      const nothing = Object.fromEntries(names.map((name) => [name, null]));
      prepared.set(document, { operation, leaveOut: leaverOut(absent), nothing });
      return { data: nothing };
    },
    errorHandler: (errors: readonly unknown[]) => {
      throw gravest(errors);
    },
  });
  const handlers = new Map<string, SofaHandler>();
  for (const { path, handler } of z.array(sofaRoute).parse(router.__routes)) {
    if (path.startsWith('/webhook')) continue;
    // Run once without a context, so that SOFA reveals the operation that it built and it can be prepared.
    await handler({ url: '', body: null, params: {} }, { context: undefined });
    handlers.set(path, handler);
  }
  return (row) => {
    const handler = handlers.get(pathOf(row.operation));
    if (handler === undefined) throw new Error(`SOFA has no route for ${row.operation}`);
    const headers = headerNames(row);
    return async (values, context) => {
      const long = longLists(values);
      const run: Run = { context, long };
      const { status } = await handler(
        { url: '', body: null, params: long === undefined ? values : without(values, long) },
        run,
      ).catch((error: unknown) => {
        throw error instanceof ApiError ? inHeaders(error, headers) : error;
      });
      if (run.json === undefined) throw new ApiError('NOT_FOUND');
      return { status, json: run.json };
    };
  };
}

/** Returns the arguments that are long lists; undefined where there are none. */
function longLists(values: Arguments): Arguments | undefined {
  if (!Object.values(values).some(isLongList)) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isLongList(value)));
}

/** Returns the arguments with an empty list in place of each that is left out. */
function without(values: Arguments, left: Arguments): Arguments {
  return { ...values, ...Object.fromEntries(Object.keys(left).map((name) => [name, []])) };
}

/** Returns the function that serializes the one field of a result. */
function jsonMaker(): (answer: Answer, leaveOut: LeaveOut) => RestAnswer['json'] | undefined {
  const kept = new WeakMap<Answer, Buffer>();
  return (answer, leaveOut) => {
    const known = kept.get(answer);
    if (known !== undefined) return known;
    const [value] = Object.values(answer.data ?? {});
    if (value == null) return undefined;
    leaveOut(value);
    const json = JSON.stringify(value);
    if (!isCachedResponse(answer)) return json;
    const bytes = Buffer.from(json);
    kept.set(answer, bytes);
    return bytes;
  };
}

function runIn(server: unknown): Run {
  // SOFA passes on exactly the object that `RunRoute` gave it.
  return server as Run;
}

function rootNames({ operation }: Prepared): string[] {
  return operation.selectionSet.selections.map((root) => (root.kind === Kind.FIELD ? root.name.value : ''));
}

/** Removes the type names that SOFA selects for unions; the documented responses do not have them. */
function withoutTypeNames(document: DocumentNode): DocumentNode {
  return visit(document, { Field: ({ name }) => (name.value === '__typename' ? null : undefined) });
}
