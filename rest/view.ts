import { filterSchema, pruneSchema } from '@graphql-tools/utils';
import { getNamedType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import { pathParameters, type Route } from './route.js';

/**
 * The part of the graph that the routes name, and no more: SOFA makes a route of every root field that it sees.
 * @throws {Error} when a route names a field or an argument that the graph does not have.
 */
export function restView(graph: GraphQLSchema, routes: readonly Route[]): GraphQLSchema {
  const named = new Set(routes.map(({ operation }) => operation));
  const view = pruneSchema(
    filterSchema({
      schema: graph,
      rootFieldFilter: (kind, field) => kind !== 'Subscription' && named.has(field),
    }),
  );
  for (const route of routes) checkArguments(view, route);
  return view;
}

/** The root field of a route, and whether it is a query or a mutation. */
export function rootField(view: GraphQLSchema, { operation }: Pick<Route, 'operation'>) {
  const query = view.getQueryType()?.getFields()[operation];
  if (query !== undefined) return { kind: 'Query', field: query } as const;
  const mutation = view.getMutationType()?.getFields()[operation];
  if (mutation !== undefined) return { kind: 'Mutation', field: mutation } as const;
  throw new Error(`The graph has no operation ${operation}`);
}

function checkArguments(view: GraphQLSchema, route: Route): void {
  const field: GraphQLField<unknown, unknown> = rootField(view, route).field;
  const known = new Set(field.args.map(({ name }) => name));
  const told = Object.keys(route.parameters);
  const strange = [...told, ...pathParameters(route.path)].filter((name) => !known.has(name));
  const untold = [...known].filter((name) => !told.includes(name));
  if (strange.length > 0) throw new Error(`${route.operation} has no argument ${strange.join(', ')}`);
  if (untold.length > 0) throw new Error(`${route.method} ${route.path} does not describe ${untold.join(', ')}`);
}

/**
 * The fields that routes leave out where they have no value, as `Type.field`.
 * @throws {Error} when a place is not in the answer.
 */
export function absentFields(view: GraphQLSchema, routes: readonly Route[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const route of routes) {
    for (const place of route.absent ?? []) {
      const names = place.split('.');
      let type = getNamedType(rootField(view, route).field.type);
      for (const [index, name] of names.entries()) {
        const field = isObjectType(type) ? type.getFields()[name] : undefined;
        if (field === undefined) throw new Error(`${route.operation} answers nothing at ${place}`);
        if (index === names.length - 1) found.add(`${type.name}.${name}`);
        type = getNamedType(field.type);
      }
    }
  }
  return found;
}
