import { Ajv, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';

export interface OpenApi {
  readonly info: object;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Reply>>;
    readonly parameters: Readonly<Record<string, object>>;
    readonly headers: Readonly<Record<string, { readonly schema: JsonSchema }>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema; readonly example: unknown } };
  };
  readonly responses: Readonly<Record<string, Reply>>;
  readonly 'x-codeSamples': readonly { readonly source: string }[];
}

interface Reply {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: { readonly 'application/json'?: { readonly schema: JsonSchema } };
}

/** An operation with all that its parameters and its body point to in their places, but for the headers that every path takes. */
export function inputOf<T extends { readonly parameters: readonly object[]; readonly requestBody?: object }>(
  { components }: { readonly components: Pick<OpenApi['components'], 'parameters' | 'schemas'> },
  operation: T,
): T {
  const resolved = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(resolved);
    const [kind, name = ''] = '$ref' in value ? String(value.$ref).split('/').slice(2) : [];
    if (kind === 'schemas') return resolved(components.schemas[name]);
    if (kind === 'parameters' && name !== 'RequestId' && name !== 'IdempotencyKey') return components.parameters[name];
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one)]));
  };
  const { parameters, requestBody } = operation;
  return { ...operation, ...(resolved({ parameters, requestBody }) as Pick<T, 'parameters' | 'requestBody'>) };
}

/**
 * The same schema for a validator of JSON Schema, with no field that is not described. `nullable` adds null to the type beside it, or to the reference
 * that it stands beside.
 */
function strictly(schema: JsonSchema): object {
  const { nullable, allOf, oneOf, items, properties, ...rest } = schema;
  const own: Record<string, unknown> = { ...rest };
  if (items !== undefined) own['items'] = strictly(items);
  if (properties !== undefined) {
    own['properties'] = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, strictly(field)]));
    own['additionalProperties'] = false;
  }
  if (oneOf !== undefined) own['oneOf'] = oneOf.map(strictly);
  if (allOf !== undefined) own['allOf'] = allOf.map(strictly);
  // A boolean beside `minimum` in the form of OpenAPI 3.0.
  if (rest.exclusiveMinimum === true) own['exclusiveMinimum'] = rest.minimum;
  if (nullable === true && rest.type !== undefined) own['type'] = [rest.type, 'null'].flat();
  return nullable === true && allOf !== undefined ? { anyOf: [own, { type: 'null' }] } : own;
}

export function answerChecks({ components }: OpenApi): (schema: JsonSchema) => ValidateFunction {
  const ajv = new Ajv({ allErrors: true, strict: false });
  addFormatsModule.default(ajv);
  for (const [name, schema] of Object.entries(components.schemas)) {
    ajv.addSchema(strictly(schema), `#/components/schemas/${name}`);
  }
  return (schema) => ajv.compile(strictly(schema));
}

/** What a text says of an answer with a status, looked up where it points elsewhere. */
export function answerOf({ components }: OpenApi, operation: Operation, status: number): Reply {
  const answer = operation.responses[String(status)];
  if (answer === undefined) throw new Error(`${operation.operationId} does not document ${status}`);
  const name = answer.$ref?.split('/').at(-1);
  const found = name === undefined ? answer : components.responses[name];
  if (found === undefined) throw new Error(`Nothing at ${String(answer.$ref)}`);
  return found;
}
