import { getNullableType, isEnumType, isNonNullType, isScalarType, type GraphQLSchema } from 'graphql';
import type { Route } from '../route.js';
import { rootField } from '../view.js';
import { scalarSchema, type Schema } from './schema.js';

export interface InputSchema extends Schema {
  readonly properties: Record<string, Schema>;
  readonly required: string[];
}

/**
 * What a caller may send for a route, by name of the argument, wherever it stands: the types are the graph's, narrowed
 * by what the route table says.
 */
export function inputSchema(view: GraphQLSchema, route: Route): InputSchema {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  for (const argument of rootField(view, route).field.args) {
    const type = getNullableType(argument.type);
    const parameter = route.parameters[argument.name];
    const narrowed = { ...parameter?.schema, description: parameter?.description ?? '' };
    if (isScalarType(type)) properties[argument.name] = { ...scalarSchema(type.name), ...narrowed };
    else if (isEnumType(type)) {
      properties[argument.name] = { type: 'string', enum: type.getValues().map(({ name }) => name), ...narrowed };
    } else throw new Error(`${route.operation} takes ${argument.name} in a form that REST cannot carry yet`);
    if (isNonNullType(argument.type) && argument.defaultValue === undefined) required.push(argument.name);
  }
  return { type: 'object', properties, required };
}
