import type { BrokenImportRule } from '../import-rules.js';

/** A fragment of a JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Misread {
  readonly error: BrokenImportRule;
}

/** `read` takes text in plain form (decimal point, ISO dates) and returns PostgreSQL's; CSV in Brazilian form is converted first. */
export interface ValueType {
  /** The conversion that the CSV reader applies before `read`. */
  readonly form: 'text' | 'number' | 'date' | 'month' | 'list';
  /** Column type in the staging table. */
  readonly sql: string;
  readonly schema: JsonSchema;
  readonly hint: string;
  readonly read: (text: string) => string | Misread;
}

/** A record's values by field name, in the form that PostgreSQL accepts. */
export type Values = Record<string, string | null>;

/** Quotes a value for a message: short and on one line. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return `"${line.length > 40 ? `${line.slice(0, 39)}…` : line}"`;
}

export function isMisread(read: string | Misread): read is Misread {
  return typeof read !== 'string';
}
