import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from 'graphql';
import { constraintOf } from '../gateway/graph/constraint-checks.js';
import { bounded, scalarSchema, type JsonSchema } from '../gateway/json-schema/json-schema.js';
import { agentSchemas } from './json-schema.js';

/**
 * What the graph accepts of texts with a format, where the format admits more: a UUID as a URN, lower-case letters and leap seconds in an instant, the
 * year 0. A program that generates arguments from the schema reads it there.
 */
const patterns: Readonly<Record<string, string>> = {
  ID: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  Date: '^(?!0000)',
  DateTime: String.raw`^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$`,
};

/**
 * Returns the schema of a value that a caller sends for an input type of the graph. It has one type, since some hosts refuse every tool of a server for one
 * argument with two; null is accepted without being declared.
 * @param within the input objects around it: one that contains itself has no schema without references.
 */
export function inputSchema(type: GraphQLInputType, within: readonly GraphQLInputObjectType[] = []): JsonSchema {
  const nullable: GraphQLInputType = getNullableType(type);
  if (isListType(nullable)) return { type: 'array', items: inputSchema(nullable.ofType, within) };
  if (isInputObjectType(nullable)) return objectSchema(nullable, within);
  if (isEnumType(nullable)) return agentSchemas.enumeration(nullable);
  if (isScalarType(nullable)) return { ...scalarSchema(nullable.name), ...patternOf(nullable.name) };
  throw new Error(`${String(type)} is not an input type`);
}

function patternOf(scalar: string): Pick<JsonSchema, 'pattern'> {
  const pattern = patterns[scalar];
  return pattern === undefined ? {} : { pattern };
}

function objectSchema(type: GraphQLInputObjectType, within: readonly GraphQLInputObjectType[]): JsonSchema {
  if (within.includes(type)) throw new Error(`${type.name} contains itself, which the schema of a tool cannot express`);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const field of Object.values(type.getFields())) {
    const schema = agentSchemas.described(
      bounded(inputSchema(field.type, [...within, type]), constraintOf(field)),
      field.description,
    );
    properties[field.name] = field.defaultValue === undefined ? schema : { ...schema, default: field.defaultValue };
    if (isNonNullType(field.type) && field.defaultValue === undefined) required.push(field.name);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}
