import { isEnumType, type GraphQLEnumType, type GraphQLScalarType } from 'graphql';

/** The part of JSON Schema (draft 2020-12) that GraphQL's types need. The SDK's own type allows any keyword. */
export interface JsonSchema {
  [keyword: string]: unknown;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

/** The schema that MCP requires at the root of a tool's input and of its output. */
export interface ObjectSchema extends JsonSchema {
  type: 'object';
}

/** JSON form of each scalar of the graph. */
const scalars: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Decimal: { type: 'string', pattern: String.raw`^-?\d+(\.\d+)?$` },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
  Month: { type: 'string', pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])$` },
  JSON: {},
  JSONObject: { type: 'object' },
};

/**
 * Returns the schema of a scalar or an enum, with the meanings of an enum's values.
 * @throws {Error} when the form of the scalar in JSON is not known here.
 */
export function leafSchema(type: GraphQLScalarType | GraphQLEnumType): JsonSchema {
  if (isEnumType(type)) {
    const values = type.getValues();
    const meanings = values.flatMap(({ name, description }) => (description ? [`${name}: ${description}`] : []));
    return described({ type: 'string', enum: values.map(({ name }) => name) }, meanings.join('\n'));
  }
  const known = scalars[type.name];
  if (known === undefined) throw new Error(`mcp/json-schema.ts has no JSON schema for the scalar ${type.name}`);
  return { ...known };
}

/** Returns the same schema, extended to allow null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (schema.type === undefined) {
    return schema.anyOf === undefined ? schema : { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  }
  const nullable: JsonSchema = { ...schema, type: [schema.type, 'null'].flat() };
  return schema.enum === undefined ? nullable : { ...nullable, enum: [...schema.enum, null] };
}

/** Returns the schema with the first description that is not empty at the head of its own. */
export function described(schema: JsonSchema, ...descriptions: readonly (string | null | undefined)[]): JsonSchema {
  const heading = descriptions.find((text) => text?.trim());
  const description = [heading?.trim(), schema.description].filter((text) => text !== undefined).join('\n');
  return description === '' ? schema : { ...schema, description };
}
