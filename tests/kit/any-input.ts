import fc from 'fast-check';
import type { Json } from './import.js';

/** Values that a careless or hostile input holds. */
export const odd = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      '',
      ' ',
      '\u0000',
      'a\u0000',
      '\ud800',
      '\\N',
      '\\.',
      '{}',
      '"',
      "';--",
      '9'.repeat(40),
      '-1',
      '1e30',
      '0',
      '٣',
      '2026-02-30',
      '0001-01-01',
      'infinity',
      'NaN',
      '＋1',
      -0,
      1e21,
      1e-9,
      true,
      null,
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

/** Every place of a JSON value, as paths. */
export function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      placesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

/** A JSON value with another one at a place. */
export function put(value: unknown, [step, ...rest]: readonly (string | number)[], changed: unknown): unknown {
  if (step === undefined) return changed;
  if (Array.isArray(value)) return value.map((item: unknown, at) => (at === step ? put(item, rest, changed) : item));
  const object = value as Json;
  return { ...object, [step]: put(object[step], rest, changed) };
}
