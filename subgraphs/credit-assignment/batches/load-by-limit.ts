import { groupBy } from '../../../shared/kernel/group-by.js';

/** One query for all keys of the same number of rows and direction; results in the order of the keys. @param load reads for keys with one limit, and returns how to find each result */
export async function loadByLimit<Key extends { readonly first: number; readonly backward?: boolean }, Result>(
  keys: readonly Key[],
  load: (
    first: number,
    alike: readonly [Key, ...Key[]],
  ) => Promise<(key: Key, index: number) => readonly Result[] | undefined>,
): Promise<(readonly Result[])[]> {
  const results = new Map<Key, readonly Result[]>();
  for (const alike of groupBy(keys, ({ first, backward = false }) => `${first} ${backward}`).values()) {
    const [key, ...others] = alike;
    if (key === undefined) continue;
    const resultOf = await load(key.first, [key, ...others]);
    for (const [index, key] of alike.entries()) results.set(key, resultOf(key, index) ?? []);
  }
  return keys.map((key) => results.get(key) ?? []);
}

/** Returns the distinct values that keys have in common queries. */
export function distinct<Key>(keys: readonly Key[], valueOf: (key: Key) => string): string[] {
  return [...new Set(keys.map(valueOf))];
}
