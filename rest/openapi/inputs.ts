import {
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { hasBody, type Route } from '../route.js';
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
    const form = formOf(argument.type);
    if (form === undefined || (form.type === 'array' && !hasBody(route))) {
      throw new Error(`${route.operation} takes ${argument.name} in a form that REST cannot carry yet`);
    }
    const parameter = route.parameters[argument.name];
    const nullable = hasBody(route) && !isNonNullType(argument.type) ? { nullable: true } : {};
    properties[argument.name] = {
      ...form,
      ...nullable,
      ...parameter?.schema,
      description: parameter?.description ?? '',
    };
    if (isNonNullType(argument.type) && argument.defaultValue === undefined) required.push(argument.name);
  }
  return { type: 'object', properties, required };
}

/** How a value of a type looks in JSON; undefined for types that no argument of a REST path has yet. */
function formOf(given: GraphQLInputType): Schema | undefined {
  const type = getNullableType(given);
  if (isScalarType(type)) return scalarSchema(type.name);
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  const items = isListType(type) ? formOf(type.ofType) : undefined;
  return items === undefined ? undefined : { type: 'array', items };
}
