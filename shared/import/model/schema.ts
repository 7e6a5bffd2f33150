import { compactJson } from '../../kernel/format/compact-json.js';
import { childrenOf, rootsOf, type ImportDomain } from '../domain.js';
import type { Field, Kind } from './kind.js';
import type { JsonSchema } from './value.js';

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema (draft 2020-12) of a domain's input. It is committed, for editors and other programs; a test keeps it up to date. */
export function importSchema(domain: ImportDomain): JsonSchema {
  const { id, title, description } = domain.schema;
  const roots = rootsOf(domain);
  const records = roots.map((kind) => ({ $ref: `#/$defs/${definitionName(kind)}` }));
  const lists = roots.map((kind, at): [string, JsonSchema] => [
    kind.list,
    { type: 'array', items: records[at], description: `The ${kind.list}.` },
  ]);
  return {
    $schema: dialect,
    $id: id,
    title,
    description,
    anyOf: [
      ...records,
      ...records.map((items) => ({ type: 'array', items })),
      {
        type: 'object',
        properties: { ...schemaAddress, ...Object.fromEntries(lists) },
        ...(roots.length === 1 ? { required: roots.map(({ list }) => list) } : { minProperties: 1 }),
        additionalProperties: false,
      },
    ],
    examples: roots.map(sample),
    $defs: Object.fromEntries(domain.kinds.map((kind) => [definitionName(kind), definition(domain, kind)])),
  };
}

export function bundleSchemas(domains: readonly ImportDomain[]): JsonSchema {
  return {
    $schema: dialect,
    $id: 'urn:lastro:import',
    title: 'Files that can be imported',
    anyOf: domains.map(({ schema }) => ({ $ref: schema.id })),
    $defs: Object.fromEntries(domains.map((domain) => [domain.schema.name, importSchema(domain)])),
  };
}

const schemaAddress = { $schema: { type: 'string', description: 'Address of this schema, read by editors.' } };

/** Returns the key of a kind's own schema under `$defs`. */
export function definitionName(kind: Kind): string {
  return kind.label.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The most records of one kind in a single JSON object; more have to come as CSV. */
const maxItems = 100_000;

function definition(domain: ImportDomain, kind: Kind): JsonSchema {
  const { properties, required } = objectOf(kind.fields, '');
  const lists = childrenOf(domain, kind).map((child) => [
    child.list,
    { type: 'array', maxItems, description: child.description, items: { $ref: `#/$defs/${definitionName(child)}` } },
  ]);
  return {
    type: 'object',
    description: kind.description,
    properties: {
      ...(kind.parent === undefined ? schemaAddress : {}),
      ...properties,
      ...Object.fromEntries(lists),
    },
    required,
    additionalProperties: false,
    examples: [sample(kind)],
  };
}

function objectOf(fields: readonly Field[], prefix: string): { properties: JsonSchema; required: readonly string[] } {
  const properties: Record<string, JsonSchema> = {};
  for (const field of fields) {
    const [own = '', deeper] = field.name.slice(prefix.length).split('.');
    if (deeper === undefined) properties[own] = property(field);
    else if (properties[own] === undefined) {
      const inside = fields.filter(({ name }) => name.startsWith(`${prefix}${own}.`));
      properties[own] = {
        type: ['object', 'null'],
        description: `Fields of ${own}; all of them may be absent.`,
        properties: objectOf(inside, `${prefix}${own}.`).properties,
        additionalProperties: false,
      };
    }
  }
  return { properties, required: fields.filter((field) => field.required).map(({ name }) => name) };
}

function property({ type, required, description, example }: Field): JsonSchema {
  const { schema } = type;
  return {
    ...schema,
    ...(required ? {} : { type: [schema['type'], 'null'].flat() }),
    ...(required || !Array.isArray(schema['enum']) ? {} : { enum: [...(schema['enum'] as readonly unknown[]), null] }),
    description,
    examples: [example],
  };
}

function sample(kind: Kind): JsonSchema {
  const whole: Record<string, unknown> = {};
  for (const { name, example } of kind.fields) {
    const [own = '', deeper] = name.split('.');
    if (deeper === undefined) whole[own] = example;
    else whole[own] = { ...(whole[own] as JsonSchema | undefined), [deeper]: example };
  }
  return whole;
}

export function printSchema(schema: JsonSchema): string {
  return `${compactJson(schema)}\n`;
}
