/** Returns the values of some fields of a row, in the order of the names, as the parameters of a statement. */
export function valuesOf<T, Field extends keyof T>(row: T, ...fields: readonly Field[]): T[Field][] {
  return fields.map((field) => row[field]);
}
