import type { JsonSchema } from '../../../gateway/graph/json-schema/json-schema.js';
import { schemaAt, type OpenApi } from './open-api.js';

const mostLevels = 12;
const texts: Readonly<Record<string, string>> = {
  uuid: '0190a000-0000-7000-8000-000000000001',
  date: '2026-12-15',
  'date-time': '2026-12-15T15:04:05.000Z',
  email: 'ana.souza@integrador.example',
  uri: 'https://integrador.example/',
};
const decimals = [
  { pattern: String.raw`^-?[0-9]+\.[0-9]{2}$`, value: '1234.50' },
  { pattern: String.raw`^-?[0-9]+\.[0-9]{8}$`, value: '1034.12345678' },
  { pattern: String.raw`^-?[0-9]+(\.[0-9]+)?$`, value: '0.25000000' },
  { pattern: String.raw`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`, value: '0.25000000' },
  { pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$', value: '2026-12' },
];

/** Returns a value that a schema allows: the example that it names, or one of its form. A test validates each one against its schema. */
export function sampleOf(document: OpenApi, given: JsonSchema, level = 0): unknown {
  const schema = schemaAt(document, given);
  if (schema.example !== undefined) return schema.example;
  if (schema.enum !== undefined) return schema.enum[0];
  const alternative = schema.oneOf?.[0];
  if (alternative !== undefined) return sampleOf(document, alternative, level + 1);
  if (schema.properties !== undefined)
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(() => level < mostLevels)
        .map(([name, property]) => [name, sampleOf(document, property, level + 1)]),
    );
  if (schema.items !== undefined) return level < mostLevels ? [sampleOf(document, schema.items, level + 1)] : [];
  const [type] = [schema.type].flat();
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  return textOf(schema);
}

function textOf({ format = '', pattern }: JsonSchema): string {
  return texts[format] ?? decimals.find((one) => one.pattern === pattern)?.value ?? '…';
}
