import type { Field, Kind } from './kind.js';
import { childrenOf, kinds } from './kinds.js';
import { operations } from './operations.js';
import type { JsonSchema } from './value.js';

/**
 * The JSON Schema (draft 2020-12) of the input, made from the kinds. It is committed as `operation.schema.json`, so that editors
 * and other programs can read it; a test holds the two together.
 */
export function importSchema(): JsonSchema {
  const operation = { $ref: `#/$defs/${definitionName(operations)}` };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:lastro:issuances:operation',
    title: 'Securitization operations',
    description:
      'One operation, a list of operations, or an object whose "operations" is such a list. Amounts are decimals, as text or as ' +
      'JSON numbers, and are never rounded. Rates and shares are percent numbers: 3.5 means 3,5 %. Dates are YYYY-MM-DD.',
    anyOf: [
      operation,
      { type: 'array', items: operation },
      {
        type: 'object',
        properties: { operations: { type: 'array', items: operation, description: 'The operations.' } },
        required: ['operations'],
        additionalProperties: false,
      },
    ],
    examples: [sample(operations)],
    $defs: Object.fromEntries(kinds.map((kind) => [definitionName(kind), definition(kind)])),
  };
}

/** Key of a kind's own schema under `$defs`. */
export function definitionName(kind: Kind): string {
  return kind.label.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** How many records of one kind a single object may hold in JSON; more come as CSV. */
const maxItems = 100_000;

function definition(kind: Kind): JsonSchema {
  const { properties, required } = objectOf(kind.fields, '');
  const lists = childrenOf(kind).map((child) => [
    child.list,
    { type: 'array', maxItems, description: child.description, items: { $ref: `#/$defs/${definitionName(child)}` } },
  ]);
  return {
    type: 'object',
    description: kind.description,
    properties: {
      ...(kind === operations
        ? { $schema: { type: 'string', description: 'Address of this schema, for editors.' } }
        : {}),
      ...properties,
      ...Object.fromEntries(lists),
    },
    required,
    additionalProperties: false,
    examples: [sample(kind)],
  };
}

/** The fields that lie directly in an object, and one object more for each that lies deeper. */
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

/** An object in which every field has its example. */
function sample(kind: Kind): JsonSchema {
  const whole: Record<string, unknown> = {};
  for (const { name, example } of kind.fields) {
    const [own = '', deeper] = name.split('.');
    if (deeper === undefined) whole[own] = example;
    else whole[own] = { ...(whole[own] as JsonSchema | undefined), [deeper]: example };
  }
  return whole;
}

/** The schema as the committed file holds it. */
export function printSchema(): string {
  return `${JSON.stringify(importSchema(), null, 2)}\n`;
}
