import { z } from 'zod';
import { admitsNull, referenceOf, type JsonSchema } from '../../../gateway/graph/json-schema/json-schema.js';

const schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null);
const reference = z.object({ $ref: z.string() });
const content = z.record(z.string(), z.object({ schema, example: z.unknown().optional() }));
const header = z.object({ description: z.string(), schema });
const response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.union([reference, header])).default({}),
  content: content.default({}),
});
const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().default(false),
  description: z.string().default(''),
  schema,
  example: z.unknown().optional(),
});
const operation = z.object({
  operationId: z.string(),
  tags: z.tuple([z.string()]),
  summary: z.string(),
  description: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.union([reference, parameter])).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([reference, response])),
  callbacks: z.unknown().optional(),
  'x-codeSamples': z.tuple([z.object({ source: z.string() })]).optional(),
});
const document = z.object({
  info: z.object({ description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    securitySchemes: z.record(z.string(), z.object({ description: z.string().default('') })),
    headers: z.record(z.string(), header),
    parameters: z.record(z.string(), parameter),
    responses: z.record(z.string(), response),
    schemas: z.record(z.string(), schema),
  }),
});

export type Parameter = z.infer<typeof parameter>;
export type Body = z.infer<typeof content>[string];

/** A response of an operation, with nothing left to look up. */
export interface Response {
  readonly status: number;
  readonly description: string;
  readonly headers: readonly { readonly name: string; readonly description: string }[];
  readonly content: Readonly<Record<string, Body>>;
}

/** An operation of the OpenAPI text, with nothing left to look up but its schemas. */
export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Each way to authenticate: the schemes that belong together; none for a public path. */
  readonly security: readonly (readonly string[])[];
  readonly parameters: readonly Parameter[];
  readonly body: Readonly<Record<string, Body>>;
  readonly responses: readonly Response[];
  /** Whether webhooks that it creates receive events. */
  readonly announces: boolean;
  readonly curl: string | undefined;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** The OpenAPI text as pages read it. */
export interface OpenApi {
  readonly introduction: string;
  readonly tags: readonly Tag[];
  readonly schemes: Readonly<Record<string, string>>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** Reads an OpenAPI text. @throws {ZodError} where it has another form than that of `rest/openapi` */
export function readOpenApi(text: string): OpenApi {
  const { info, tags, paths, components } = document.parse(JSON.parse(text));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): Operation => ({
      id: one.operationId,
      tag: one.tags[0],
      method: method.toUpperCase(),
      path,
      summary: one.summary,
      description: one.description,
      security: one.security.map((schemes) => Object.keys(schemes)),
      parameters: one.parameters.map((given) => resolved(given, components.parameters)),
      body: one.requestBody?.content ?? {},
      responses: Object.entries(one.responses).map(([status, given]) => {
        const { headers, ...rest } = resolved(given, components.responses);
        const named = Object.entries(headers).map(([name, head]) => ({
          name,
          description: resolved(head, components.headers).description,
        }));
        return { status: Number(status), headers: named, ...rest };
      }),
      announces: one.callbacks !== undefined,
      curl: one['x-codeSamples']?.[0].source,
    })),
  );
  return {
    introduction: info.description,
    tags: tags.map((tag) => ({ ...tag, operations: operations.filter((one) => one.tag === tag.name) })),
    schemes: Object.fromEntries(
      Object.entries(components.securitySchemes).map(([name, { description }]) => [name, description]),
    ),
    schemas: components.schemas,
  };
}

function resolved<T extends object>(
  given: NoInfer<T> | { readonly $ref: string },
  known: Readonly<Record<string, T>>,
): T {
  if (!('$ref' in given)) return given;
  const name = nameOf(given.$ref);
  const found = known[name];
  if (found === undefined) throw new Error(`The OpenAPI text has no component ${name}`);
  return found;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** Returns the schema itself, or the one that it refers to, with the description of the place where it stands. */
export function schemaAt({ schemas }: Pick<OpenApi, 'schemas'>, given: JsonSchema): JsonSchema {
  const reference = referenceOf(given);
  if (reference === undefined) return given;
  const found = schemas[nameOf(reference)] ?? {};
  const nullable = admitsNull(given) ? { nullable: true } : {};
  return given.description === undefined
    ? { ...found, ...nullable }
    : { ...found, ...nullable, description: given.description };
}

/** Returns all operations, in the order of the text. */
export function operationsOf({ tags }: OpenApi): readonly Operation[] {
  return tags.flatMap(({ operations }) => operations);
}

/** Returns the name of a tag in an address. */
export function tagSlug(tag: string): string {
  return tag.toLowerCase().replaceAll(' ', '-');
}
