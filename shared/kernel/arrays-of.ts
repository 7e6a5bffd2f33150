/** Returns the values of some fields of rows, one array for each field, as `unnest` takes them. */
export function arraysOf<T, Field extends keyof T>(rows: readonly T[], ...fields: readonly Field[]): T[Field][][] {
  return fields.map((field) => rows.map((row) => row[field]));
}
