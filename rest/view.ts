import { filterSchema, pruneSchema } from '@graphql-tools/utils';
import {
  getNamedType,
  isInputObjectType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
} from 'graphql';
import { pathParameters, rowsOf, textRows, type Parameter, type Route, type Row } from './route.js';

/**
 * Returns the part of the graph that the routes name, and no more: SOFA makes a route of every root field that it sees.
 * @throws {Error} when a route names a field or an argument that the graph does not have.
 */
export function restView(graph: GraphQLSchema, routes: readonly Route[]): GraphQLSchema {
  const rows = rowsOf(routes);
  const named = new Set(rows.map(({ operation }) => operation));
  const view = pruneSchema(
    filterSchema({
      schema: graph,
      rootFieldFilter: (kind, field) => kind !== 'Subscription' && named.has(field),
      // The documented paths show the current state: only a route that describes `asOf` takes it.
      argumentFilter: (_type, field, name) =>
        name !== 'asOf' || rows.some((row) => row.operation === field && row.parameters['asOf'] !== undefined),
    }),
  );
  for (const row of rows) checkArguments(view, row);
  for (const route of routes) checkAnswers(view, route);
  return view;
}

/** Returns the root field of a route, and whether it is a query or a mutation. */
export function rootField(view: GraphQLSchema, { operation }: Pick<Route, 'operation'>) {
  const query = view.getQueryType()?.getFields()[operation];
  if (query !== undefined) return { kind: 'Query', field: query } as const;
  const mutation = view.getMutationType()?.getFields()[operation];
  if (mutation !== undefined) return { kind: 'Mutation', field: mutation } as const;
  throw new Error(`The graph has no operation ${operation}`);
}

function checkArguments(view: GraphQLSchema, row: Row): void {
  const { args } = rootField(view, row).field;
  const known = new Set(args.map(({ name }) => name));
  const strange = pathParameters(row.path).filter((name) => !known.has(name));
  if (strange.length > 0) throw new Error(`${row.operation} has no argument ${strange.join(', ')}`);
  checkNames(row.operation, `${row.method} ${row.path}`, args, row.parameters);
}

/** Checks that the described parameters and the graph's arguments are the same, including the members of objects. */
function checkNames(
  holder: string,
  place: string,
  fields: readonly (GraphQLArgument | GraphQLInputField)[],
  parameters: Readonly<Record<string, Parameter>>,
): void {
  const strange = Object.keys(parameters).filter((described) => !fields.some(({ name }) => name === described));
  const missing = fields.filter(({ name }) => parameters[name] === undefined).map(({ name }) => name);
  if (strange.length > 0) throw new Error(`${holder} has no argument ${strange.join(', ')}`);
  if (missing.length > 0) throw new Error(`${place} does not describe ${missing.join(', ')}`);
  for (const { name, type } of fields) {
    const own = getNamedType(type);
    const members = isInputObjectType(own) ? Object.values(own.getFields()) : [];
    checkNames(own.name, `${place} (${name})`, members, parameters[name]?.members ?? {});
  }
}

function checkAnswers(view: GraphQLSchema, route: Route): void {
  const typeOf = (row: Row) => String(rootField(view, row).field.type);
  const other = textRows(route).find((row) => typeOf(row) !== typeOf(route));
  if (other !== undefined) throw new Error(`${other.operation} does not return the type of ${route.operation}`);
}

/**
 * Returns the fields that routes leave out where they have no value, as `Type.field`.
 * @throws {Error} when a place is not in the response.
 */
export function absentFields(view: GraphQLSchema, routes: readonly Route[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const route of routes) {
    for (const place of route.absent ?? []) {
      const names = place.split('.');
      let type = getNamedType(rootField(view, route).field.type);
      for (const [index, name] of names.entries()) {
        const field = isObjectType(type) ? type.getFields()[name] : undefined;
        if (field === undefined) throw new Error(`The response of ${route.operation} has no ${place}`);
        if (index === names.length - 1) found.add(`${type.name}.${name}`);
        type = getNamedType(field.type);
      }
    }
  }
  return found;
}
