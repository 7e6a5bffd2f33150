/** The part of OpenAPI 3.0.3's schema object that the graph's types need. */
export interface Schema {
  $ref?: string;
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  enum?: (string | null)[];
  nullable?: boolean;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: boolean;
  /** Maximum number of decimals. */
  'x-decimals'?: number;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  example?: unknown;
}

/** JSON schema of each scalar of the graph. */
const scalars: Readonly<Record<string, Schema>> = {
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
};

/** Returns the JSON schema of a scalar. @throws {Error} for a scalar that has none here. */
export function scalarSchema(name: string): Schema {
  const known = scalars[name];
  if (known === undefined) throw new Error(`rest/openapi/schema.ts has no JSON schema for the scalar ${name}`);
  return { ...known };
}
