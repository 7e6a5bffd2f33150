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

/**
 * Reads once for all keys with the same values of some fields, and returns the results in the order of the keys.
 * @param read gets the first of alike keys and all of them, and returns how to find the result of each
 */
export async function readAlike<Key, Result>(
  keys: readonly Key[],
  fields: readonly (keyof Key)[],
  read: (one: Key, alike: readonly Key[]) => Promise<(key: Key, index: number) => Result>,
): Promise<Result[]> {
  const results = new Array<Result>(keys.length);
  const groups = groupBy(keys.entries(), ([, key]) => JSON.stringify(valuesOf(key, ...fields)));
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const resultOf = await read(
      first[1],
      group.map(([, key]) => key),
    );
    for (const [index, [place, key]] of group.entries()) results[place] = resultOf(key, index);
  }
  return results;
}
