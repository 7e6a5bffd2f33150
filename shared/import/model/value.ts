/** A fragment of a JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What `read` answers for a text that is no such value; `fault` completes a sentence that begins with the field's name. */
export interface Misread {
  readonly fault: string;
}

/**
 * The kinds of values that the input holds. `read` takes a text in its plain form (a point before the decimals, ISO dates) and
 * answers the text that PostgreSQL gets; CSV files in Brazilian form are brought to the plain form before.
 */
export interface ValueType {
  /** What the CSV reader has to undo before `read`. */
  readonly form: 'text' | 'number' | 'date' | 'month' | 'list';
  /** Column type in the staging table. */
  readonly sql: string;
  readonly schema: JsonSchema;
  /** How a person is told what belongs into a CSV column. */
  readonly hint: string;
  readonly read: (text: string) => string | Misread;
}

/** A record's values by field name, in the form that PostgreSQL takes. */
export type Values = Record<string, string | null>;

/** A value in a message: short, in quotes, on one line. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return `"${line.length > 40 ? `${line.slice(0, 39)}…` : line}"`;
}

export function isMisread(read: string | Misread): read is Misread {
  return typeof read !== 'string';
}
