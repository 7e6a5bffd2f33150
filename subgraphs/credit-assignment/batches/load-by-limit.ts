import { groupBy } from '../../../shared/group-by.js';

/**
 * Runs a batched read with one query for all keys that ask for the same number of rows, and returns the results in the order of the keys.
 * @param load reads for keys with one limit, and returns how to find the result of each
 */
export async function loadByLimit<Key extends { readonly first: number }, Result>(
  keys: readonly Key[],
  load: (first: number, alike: readonly Key[]) => Promise<(key: Key, index: number) => readonly Result[] | undefined>,
): Promise<(readonly Result[])[]> {
  const results = new Map<Key, readonly Result[]>();
  for (const [first, alike] of groupBy(keys, (key) => key.first)) {
    const resultOf = await load(first, alike);
    for (const [index, key] of alike.entries()) results.set(key, resultOf(key, index) ?? []);
  }
  return keys.map((key) => results.get(key) ?? []);
}

/** Returns the distinct values that keys have in common queries. */
export function distinct<Key>(keys: readonly Key[], valueOf: (key: Key) => string): string[] {
  return [...new Set(keys.map(valueOf))];
}
