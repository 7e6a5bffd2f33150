import type { JsonSchema } from '../../../gateway/graph/json-schema/json-schema.js';
import { schemaAt, type OpenApi } from './open-api.js';

/** A field of a value, or of a value in it, as a table shows it. */
export interface FieldRow {
  /** As in `contracts[].faceValue`. */
  readonly path: string;
  readonly type: string;
  /** Bounds and allowed values. */
  readonly rules: readonly string[];
  readonly description: string;
  /** Whether the field is always there. */
  readonly required: boolean;
}

/** How deep objects in objects are described; a schema that contains itself ends here. */
const mostLevels = 12;

/** Returns a row for every field of a schema, those of objects in it below their own. */
export function fieldRows(document: OpenApi, schema: JsonSchema): readonly FieldRow[] {
  return rowsOf(document, schema, '', 0);
}

function rowsOf(document: OpenApi, given: JsonSchema, path: string, level: number): FieldRow[] {
  const schema = schemaAt(document, given);
  if (level > mostLevels) return [];
  const items = schema.items === undefined ? [] : rowsOf(document, schema.items, `${path}[]`, level + 1);
  const alternatives = (schema.oneOf ?? []).flatMap((one) => rowsOf(document, one, path, level));
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const found = schemaAt(document, property);
    const row: FieldRow = {
      path: place,
      type: typeText(document, found),
      rules: rulesOf(document, found),
      description: found.description ?? '',
      required: schema.required?.includes(name) ?? false,
    };
    return [row, ...rowsOf(document, property, place, level + 1)];
  });
  const known = new Set<string>();
  return [...own, ...items, ...alternatives].filter((row) => !known.has(row.path) && known.add(row.path));
}

/** Returns the type of a value in words. */
export function typeText(document: OpenApi, given: JsonSchema): string {
  const schema = schemaAt(document, given);
  const { format, items, nullable } = schema;
  const alternatives = schema.oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map((one) => typeText(document, one)))].join(' or ');
  const name = [schema.type ?? 'any'].flat().join(' or ');
  const base = items === undefined ? name : `array of ${typeText(document, items)}`;
  return `${base}${format === undefined ? '' : ` (${format})`}${nullable === true ? ', or null' : ''}`;
}

/** Returns the bounds of a value, each as a short text. */
export function rulesOf(document: OpenApi, given: JsonSchema): string[] {
  const schema = schemaAt(document, given);
  const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 10 });
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least === undefined && most === undefined) return [];
    if (most === undefined) return [`at least ${number(least ?? 0)}${unit}`];
    return [least === undefined ? `at most ${number(most)}${unit}` : `${number(least)} to ${number(most)}${unit}`];
  };
  const above = schema.exclusiveMinimum === true && schema.minimum !== undefined;
  return [
    ...range(schema.minLength, schema.maxLength, ' characters'),
    ...range(schema.minItems, schema.maxItems, ' items'),
    ...(above ? [`above ${number(schema.minimum ?? 0)}`] : []),
    ...range(above ? undefined : schema.minimum, schema.maximum, ''),
    ...(schema['x-decimals'] === undefined ? [] : [`at most ${schema['x-decimals']} decimals`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
    ...valuesOf(schema.enum ?? schemaAt(document, schema.items ?? {}).enum),
    ...(schema.pattern === undefined || schema.pattern.length > 60 ? [] : [`form ${schema.pattern}`]),
  ];
}

function valuesOf(values: readonly unknown[] | undefined): string[] {
  return values === undefined ? [] : [`one of ${values.map((value) => JSON.stringify(value)).join(', ')}`];
}
