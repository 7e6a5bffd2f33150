import {
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
} from 'graphql';
import { useSofa } from 'sofa-api';
import { z } from 'zod';
import type { Graph } from '../gateway/graph/graph.js';
import type { Prepared } from '../gateway/graph/operation.js';
import { inVariableNames } from '../gateway/graph/variable-names.js';
import type { Context } from '../shared/kernel/context.js';
import { ApiError } from '../shared/kernel/errors.js';
import type { GraphResult } from '../shared/graphql/executor.js';
import { isCachedResponse, revisionOf } from '../shared/graphql/response-cache.js';
import { messageOf } from '../shared/kernel/thrown.js';
import { isLongList } from '../shared/kernel/turns.js';
import { errorOfGraph, gravest, withDetails } from '../gateway/graph/graph-error.js';
import type { Operations, RestOperation } from './operations.js';
import { headerNames, type Row } from './route.js';
import { atPlaces, flattenAt, type ChangeResponse } from '../gateway/graph/at-places.js';
import { markedPlaces, type SelectedValue } from '../gateway/graph/json-schema/marked-places.js';

/** A response as it is sent: its JSON is made once, and kept as long as a cached response. */
export interface RestResponse {
  readonly status: number;
  readonly json: string | Buffer;
  /** Names the state of the data that it was made of, where it is cached (`revisionOf`). */
  readonly revision?: string | undefined;
}

/** Runs the operation of a route. `values` are the arguments by name, as they came. @throws {ApiError} */
export type RunRoute = (values: Arguments, context: Context) => Promise<RestResponse>;

type Arguments = Readonly<Record<string, unknown>>;

/** The parts of a request that SOFA's handlers read: a full WHATWG request costs 15 µs more, and its body would be parsed again. */
interface SofaRequest {
  readonly url: string;
  readonly body: null;
  readonly params: Arguments;
}

/** Data that SOFA passes unchanged from the caller of a handler to `execute`. */
interface Run {
  readonly context: Context;
  /** Arguments that are withheld from SOFA: it would copy a list of 50,000 items in one go, and they already have their types. */
  readonly long?: Arguments | undefined;
  /** JSON of the operation's result, kept from SOFA, which would serialize and measure it; undefined for null. */
  json?: RestResponse['json'] | undefined;
  revision?: string | undefined;
}

type SofaHandler = (request: SofaRequest, run: Run) => Promise<Response>;

interface Ready extends Pick<RestOperation, 'variableNames' | 'pick'> {
  readonly operation: Prepared;
  readonly form: Form;
  /** The value that SOFA receives in place of the result. */
  readonly nothing: Readonly<Record<string, null>>;
}

const sofaRoute = z.object({
  path: z.string(),
  handler: z.custom<SofaHandler>((value) => typeof value === 'function'),
});

/** Returns the path under which SOFA keeps the handler of an operation. SOFA's router is never used, so the path is only a name. */
const pathOf = (operation: string) => `/run/${operation}`;

/** SOFA over one root field per operation: it coerces arguments and asks for the field. Its router, with `/webhook`, is never called. */
export function sofaRoutes(graph: Graph, operations: Operations, rows: readonly Row[]): (row: Row) => RunRoute {
  const named = new Map(rows.map(({ operation }) => [operation, operations(operation)]));
  const prepared = new Map([...named].map(([name, operation]) => [name, preparedBy(graph, name, operation)]));
  const jsonOf = jsonMaker();
  const router = useSofa({
    basePath: '/',
    schema: argumentsSchema(named),
    routes: Object.fromEntries(
      rows.map((row) => {
        const { method, operation, status: responseStatus } = row;
        const kind = operations(operation).kind === OperationTypeNode.QUERY ? 'Query' : 'Mutation';
        return [`${kind}.${operation}`, { method, path: pathOf(operation), responseStatus }];
      }),
    ),
    context: (server: object) => server,
    execute: async ({ document, contextValue, variableValues }: ExecutionArgs) => {
      // SOFA passes on exactly the object that `RunRoute` gave it.
      const run = contextValue as Run;
      const name = rootName(document);
      const ready = prepared.get(name);
      if (ready === undefined) throw new Error(`SOFA ran ${name}, which no route names`);
      const variables = run.long === undefined ? variableValues : { ...variableValues, ...run.long };
      const result = await graph.run(ready.operation, variables ?? {}, run.context);
      if (result.errors !== undefined) {
        throw gravest(
          result.errors.map((error) =>
            withDetails(errorOfGraph(error), (details) => inVariableNames(ready.variableNames, error, details)),
          ),
        );
      }
      run.json = jsonOf(result, ready);
      run.revision = revisionOf(result);
      return { data: ready.nothing };
    },
    errorHandler: (errors: readonly unknown[]) => {
      throw gravest(errors);
    },
  });
  const handlers = new Map(
    z
      .array(sofaRoute)
      .parse(router.__routes)
      .map(({ path, handler }) => [path, handler]),
  );
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
        if (!(error instanceof ApiError) || headers.size === 0) throw error;
        throw withDetails(error, (details) =>
          details.map((detail) => ({ ...detail, path: headers.get(detail.path) ?? detail.path })),
        );
      });
      if (run.json === undefined) throw missing(row);
      return { status, json: run.json, revision: run.revision };
    };
  };
}

function preparedBy(graph: Graph, name: string, { document, variableNames, pick, response }: RestOperation): Ready {
  try {
    return {
      variableNames,
      pick,
      operation: graph.prepare(document, { assumeValid: true, sized: true }),
      form: formOf(response),
      nothing: { [name]: null },
    };
  } catch (cause) {
    throw new Error(`rest/operations/${name}.graphql: ${messageOf(cause)}`, { cause });
  }
}

/** The type of every response: SOFA does not need to know what an operation selects. */
const Unknown = new GraphQLScalarType({ name: 'Response' });

/** SOFA needs a query type, also where no operation is a query. */
const noQueries = new GraphQLObjectType({ name: 'Query', fields: { none: { type: Unknown } } });

function argumentsSchema(operations: ReadonlyMap<string, RestOperation>): GraphQLSchema {
  const rootOf = (name: string, of: OperationTypeNode) => {
    const own = [...operations].filter(([, { kind }]) => kind === of);
    const fields = own.map(([field, { variables }]) => {
      const args = variables.map(
        ({ name: argument, type, defaultValue }) => [argument, { type, defaultValue }] as const,
      );
      return [field, { type: Unknown, args: Object.fromEntries(args) }] as const;
    });
    return fields.length === 0 ? null : new GraphQLObjectType({ name, fields: Object.fromEntries(fields) });
  };
  return new GraphQLSchema({
    query: rootOf('Query', OperationTypeNode.QUERY) ?? noQueries,
    mutation: rootOf('Mutation', OperationTypeNode.MUTATION),
  });
}

function missing({ missing: { code = 'NOT_FOUND', message } = {} }: Row): ApiError {
  return new ApiError(code, message === undefined ? {} : { message });
}

function longLists(values: Arguments): Arguments | undefined {
  if (!Object.values(values).some(isLongList)) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isLongList(value)));
}

/** Returns the arguments with an empty list in place of each that is left out. */
function without(values: Arguments, left: Arguments): Arguments {
  return { ...values, ...Object.fromEntries(Object.keys(left).map((name) => [name, []])) };
}

function jsonMaker(): (result: GraphResult, ready: Pick<Ready, 'pick' | 'form'>) => RestResponse['json'] | undefined {
  const kept = new WeakMap<GraphResult, Buffer>();
  return (result, { pick, form }) => {
    const known = kept.get(result);
    if (known !== undefined) return known;
    const value = pick(result.data ?? {});
    if (value == null) return undefined;
    form(value);
    const json = JSON.stringify(value);
    if (!isCachedResponse(result)) return json;
    const bytes = Buffer.from(json);
    kept.set(result, bytes);
    return bytes;
  };
}

function rootName(document: DocumentNode): string {
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  const [root] = operation?.selectionSet.selections ?? [];
  return root?.kind === Kind.FIELD ? root.name.value : '';
}

type Form = ChangeResponse;

function formOf(response: SelectedValue): Form {
  const forms = [
    // Places of the other directives are in the flattened response.
    flattenAt(markedPlaces(response, 'flatten')),
    atPlaces(markedPlaces(response, 'omitNull'), leaveOut),
    atPlaces(markedPlaces(response, 'number'), toNumber),
    atPlaces(markedPlaces(response, 'lowerCase'), toLowerCase),
  ];
  return (value) => {
    for (const form of forms) form(value);
  };
}

/** The contract calls a few fields absent where they have no value, and every other one is `null`. */
function leaveOut(owner: object, name: string): void {
  if (Reflect.get(owner, name) === null) Reflect.deleteProperty(owner, name);
}

/** The contract has a few decimals as JSON numbers. A decimal of up to 15 digits is exact as one. */
function toNumber(owner: object, name: string): void {
  const value: unknown = Reflect.get(owner, name);
  if (typeof value === 'string') Reflect.set(owner, name, Number(value));
}

/** The contract has the values of a few enums in lower case. */
function toLowerCase(owner: object, name: string): void {
  const value: unknown = Reflect.get(owner, name);
  if (typeof value === 'string') Reflect.set(owner, name, value.toLowerCase());
}
