export interface Conditions {
  readonly values: unknown[];
  readonly place: (value: unknown) => string;
  /** Adds a condition on a value; null, undefined and an empty list do not restrict the rows. */
  readonly where: (value: unknown, condition: (placeholder: string) => string) => void;
  readonly text: () => string;
}

export function oneOf(expression: string): (placeholder: string) => string {
  return (values) => `${expression} = ANY (${values})`;
}

/** Collects the conditions of a filter. @param first conditions that always hold */
export function conditionsOf(...first: readonly string[]): Conditions {
  const values: unknown[] = [];
  const all = [...first];
  const place = (value: unknown) => `$${values.push(value)}`;
  return {
    values,
    place,
    where: (value, condition) => {
      if (value == null || (Array.isArray(value) && value.length === 0)) return;
      all.push(condition(place(value)));
    },
    text: () => (all.length === 0 ? 'true' : all.join(' AND ')),
  };
}
