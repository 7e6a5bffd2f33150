/** Groups items by a key; each group keeps the order of the items. (`Map.groupBy` came with Node 21.) */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns the items of each key, in the order of the keys. */
export function groupsOf<T, K>(keys: readonly K[], items: Iterable<T>, keyOf: (item: T) => K): T[][] {
  const groups = groupBy(items, keyOf);
  return keys.map((key) => groups.get(key) ?? []);
}

/** Returns the item of each key, in the order of the keys; undefined for a key without one. */
export function itemsOf<T, K>(keys: readonly K[], items: Iterable<T>, keyOf: (item: T) => K): (T | undefined)[] {
  const byKey = new Map(Array.from(items, (item) => [keyOf(item), item]));
  return keys.map((key) => byKey.get(key));
}

/** Returns the values of some fields of rows, one array for each field, as `unnest` takes them. */
export function arraysOf<T, Field extends keyof T>(rows: readonly T[], ...fields: readonly Field[]): T[Field][][] {
  return fields.map((field) => rows.map((row) => row[field]));
}

/** Returns the values of some fields of a row, in the order of the names, as the parameters of a statement. */
export function valuesOf<T, Field extends keyof T>(row: T, ...fields: readonly Field[]): T[Field][] {
  return fields.map((field) => row[field]);
}
