import { sha256 } from '../../crypto.js';
import type { Field, Kind } from './kind.js';
import { isMisread, type Values } from './value.js';
import type { ImportDay, RuleError } from './rules.js';

/**
 * Reads a record from plain texts: `given` returns a field's text, or null when it is absent. Reports every error by field name; the rules between
 * fields are checked once every single field is valid.
 */
export function readRecord(
  { fields, identity, rules, complete }: Kind,
  given: (field: Field) => string | null,
  day: ImportDay,
): { readonly values: Values; readonly faults: readonly RuleError[] } {
  const values: Values = {};
  const faults: RuleError[] = [];
  for (const field of fields) {
    const { name, type, required, keeps, fallback } = field;
    const text = given(field);
    const read = text === null ? (keeps ? null : fallback) : type.read(text);
    if (text === null && required) faults.push({ field: name, fault: 'is required' });
    else if (read !== null && isMisread(read)) faults.push({ field: name, fault: read.fault });
    else values[name] = read;
  }
  if (faults.length > 0) return { values, faults };
  if (identity.length > 0) values['externalId'] ??= derivedId(identity.map((name) => values[name] ?? ''));
  complete(values);
  return { values, faults: rules.flatMap((rule) => rule(values, day) ?? []) };
}

function derivedId(parts: readonly string[]): string {
  return `auto-${sha256(JSON.stringify(parts)).toString('hex').slice(0, 20)}`;
}
