import type { FragmentDefinitionNode, GraphQLEnumType, GraphQLNamedType } from 'graphql';
import type { Constraint } from '../../../shared/graphql/constraint.js';

/** The part of JSON Schema that GraphQL's types need: of draft 2020-12 (MCP), and of the form that OpenAPI 3.0 has. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  title?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  /** Beside `minimum` and `nullable`, in the form of OpenAPI 3.0. */
  exclusiveMinimum?: boolean;
  nullable?: boolean;
  'x-decimals'?: number;
  example?: unknown;
  default?: unknown;
}

export interface Dialect {
  orNull(schema: JsonSchema): JsonSchema;
  described(schema: JsonSchema, description: string | null | undefined): JsonSchema;
  enumeration(type: GraphQLEnumType): JsonSchema;
  fragment(fragment: FragmentDefinitionNode, type: GraphQLNamedType, make: () => JsonSchema): JsonSchema;
  oneOf(alternatives: readonly { readonly type: GraphQLNamedType; readonly schema: JsonSchema }[]): JsonSchema;
}

const scalars: Readonly<Record<string, JsonSchema>> = {
  // The program's own ids are UUIDs; any other id is a String in the graph.
  ID: { type: 'string', format: 'uuid' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Decimal: { type: 'string', pattern: String.raw`^-?[0-9]+(\.[0-9]+)?$` },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
  Month: { type: 'string', pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$' },
  JSON: {},
  JSONObject: { type: 'object' },
};

/** Returns the schema of a scalar. @throws {Error} when the form of the scalar in JSON is not known here. */
export function scalarSchema(name: string): JsonSchema {
  const known = scalars[name];
  if (known === undefined) throw new Error(`gateway/graph/json-schema has no JSON schema for the scalar ${name}`);
  return { ...known };
}

/** Adds to a schema the maximum length or number of items that the graph accepts there. */
export function bounded(schema: JsonSchema, { maxLength, maxItems }: Constraint): JsonSchema {
  const kinds = [schema.type].flat();
  if (kinds.includes('string') && schema.enum === undefined && maxLength !== undefined) return { ...schema, maxLength };
  if (!kinds.includes('array')) return schema;
  const items =
    schema.items === undefined ? {} : { items: bounded(schema.items, maxLength === undefined ? {} : { maxLength }) };
  return { ...schema, ...items, ...(maxItems === undefined ? {} : { maxItems }) };
}
