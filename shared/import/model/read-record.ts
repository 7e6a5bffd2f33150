import { sha256 } from '../../security/crypto.js';
import { broken } from '../import-rules.js';
import type { Field, Kind } from './kind.js';
import { isMisread, type Values } from './value.js';
import type { ImportDay, RuleError } from './rules.js';

/** `given` returns a field's text, null when absent. Reports every error; rules between fields are checked once each is valid. */
export function readRecord(
  { fields, identity, rules, complete }: Kind,
  given: (field: Field) => string | null,
  day: ImportDay,
): { readonly values: Values; readonly errors: readonly RuleError[] } {
  const values: Values = {};
  const errors: RuleError[] = [];
  for (const field of fields) {
    const { name, type, required, keeps, fallback } = field;
    const text = given(field);
    const read = text === null ? (keeps ? null : fallback) : type.read(text);
    if (text === null && required) errors.push({ field: name, error: broken('FIELD_REQUIRED') });
    else if (read !== null && isMisread(read)) errors.push({ field: name, error: read.error });
    else values[name] = read;
  }
  if (errors.length > 0) return { values, errors };
  if (identity.length > 0) values['externalId'] ??= derivedId(identity.map((name) => values[name] ?? ''));
  complete(values);
  return { values, errors: rules.flatMap((rule) => rule(values, day) ?? []) };
}

function derivedId(parts: readonly string[]): string {
  return `auto-${sha256(JSON.stringify(parts)).toString('hex').slice(0, 20)}`;
}
