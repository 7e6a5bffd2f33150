import fc from 'fast-check';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';

/** Characters of one, two, three and four bytes, a quote, and blanks within. */
const anyText = fc.string({ unit: fc.constantFrom('a', '7', 'é', 'ç', '中', '😀', '"', '.', ' ') });

/** Any value of a schema. */
export function valueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { type, enum: words, format, pattern, minLength = 0, maxLength = 40, minimum = 0, maximum = 1e6 } = schema;
  if (words !== undefined) return fc.constantFrom(...words);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'number') return fc.integer({ min: 1, max: 10_000_000 }).map((cents) => cents / 100);
  if (format === 'uuid') return fc.uuid();
  if (format === 'date')
    return fc.date({ min: day('2026-01-01'), max: day('2040-12-31'), noInvalidDate: true }).map(civil);
  if (format === 'date-time')
    return fc
      .date({ min: day('2026-01-01'), max: day('2026-06-30'), noInvalidDate: true })
      .map((at) => at.toISOString());
  if (format === 'email') return fc.stringMatching(/^[a-z0-9]{1,20}@[a-z0-9]{1,20}\.com$/);
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  if (type === 'array') {
    const { minItems = 0, items = {} } = schema;
    return fc.array(valueOf(items), { minLength: minItems, maxLength: minItems + 2 });
  }
  if (type === 'object') {
    const { properties = {}, required = [] } = schema;
    const fields = Object.entries(properties).map(([name, field]) => [name, valueOf(field)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  }
  const form = pattern === undefined ? undefined : new RegExp(pattern);
  const fits = (value: string) =>
    (form?.test(value) ?? true) && countOf(value) >= minLength && countOf(value) <= maxLength;
  const longest = anyText.filter((value) => value !== '').map((value) => value.repeat(maxLength).slice(0, maxLength));
  if (form === undefined || form.test('aé')) return fc.oneof(anyText, longest.map(wellFormed)).filter(fits);
  return fc.stringMatching(form, { maxLength }).filter(fits);
}

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const civil = (date: Date) => date.toISOString().slice(0, 10);
const countOf = (value: string) => Array.from(value).length;
/** Without halves of characters at the end. */
export const wellFormed = (value: string) => value.replace(/[\ud800-\udbff]$/, 'a');

/** Begins a text that is sent without its quotes: a number with digits that JavaScript would not write. */
export const raw = 'written: ';

/** Values just outside of a schema, each with what is wrong with it. */
export function outside(schema: JsonSchema): [what: string, value: unknown][] {
  const { type, enum: words, pattern, minLength, maxLength, minimum, exclusiveMinimum, maximum, nullable } = schema;
  const found: [string, unknown][] = [];
  if (nullable !== true) found.push(['null', null]);
  if (type === 'string') found.push(['a number', 5]);
  if (type === 'number' || type === 'integer') found.push(['a text', 'x'], ['no number', true]);
  if (type === 'boolean') found.push(['a word', 'yes']);
  if (words !== undefined) found.push(['another word', 'NO-SUCH-WORD']);
  if (minLength !== undefined && minLength > 0)
    found.push(['too short', 'a1'.repeat(minLength).slice(0, minLength - 1)]);
  if (maxLength !== undefined && words === undefined)
    found.push(['too long', 'a1'.repeat(maxLength).slice(0, maxLength + 1)]);
  if (pattern !== undefined && !new RegExp(pattern).test('a\u0007b')) found.push(['a control character', 'a\u0007b']);
  if (maximum !== undefined) found.push(['above the maximum', maximum + 1]);
  if (minimum !== undefined) found.push(['below the minimum', exclusiveMinimum === true ? minimum : minimum - 1]);
  if (schema['x-decimals'] !== undefined)
    found.push(['a decimal too many', 4.355], ['more digits than a double keeps', `${raw}1500.50000000000000000001`]);
  if (type === 'array') {
    const { minItems = 0 } = schema;
    found.push(['no list', {}]);
    if (minItems > 0) found.push(['too few', []]);
    for (const [what, value] of outside(schema.items ?? {})) found.push([`of an item: ${what}`, [value]]);
  }
  return found;
}
