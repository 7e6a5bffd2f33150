import { z } from 'zod';
import { referenceOf, type JsonSchema } from '../../gateway/json-schema/json-schema.js';

const schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null);
const content = z.record(z.string(), z.object({ schema }));

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  description: z.string().default(''),
  schema,
});

const operation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.union([z.object({ $ref: z.string() }), parameter])),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
});

const document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string().optional() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

export type Parameter = z.infer<typeof parameter>;
export type OpenApi = z.infer<typeof document>;

/** An operation of the OpenAPI document with its place. */
export interface Operation extends z.infer<typeof operation> {
  readonly method: string;
  readonly path: string;
}

/** Reads of the text of an OpenAPI document what the clients are made of; a text of another form is an error. */
export function readOpenApi(text: string): OpenApi {
  return document.parse(JSON.parse(text));
}

/** Returns the operations that a program can call, in the order of the document: all but those for the cookie of a browser alone. */
export function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
    )
    .filter(({ security }) => !security.some((schemes) => 'browserSession' in schemes));
}

/** Returns the schema itself, or the one that it refers to. */
export function resolved({ components }: OpenApi, one: JsonSchema): JsonSchema {
  const name = refName(one);
  return name === undefined ? one : (components.schemas[name] ?? {});
}

/** Returns the name of the schema that this one refers to; undefined if it refers to none. */
export function refName(schema: JsonSchema): string | undefined {
  const ref = referenceOf(schema);
  return ref?.slice(ref.lastIndexOf('/') + 1);
}
