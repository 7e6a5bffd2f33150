import { expect, test } from '@jest/globals';
import { createResponseStore } from './response-cache.js';

const result = (characters: number) => ({ stamp: '1', response: { data: { text: 'x'.repeat(characters) } } });

test('a very long result is kept, and evicts no others', () => {
  const store = createResponseStore();
  const [short, long] = [result(1_000), result(20_000_000)];
  store.set('short', short);
  store.set('long', long);
  expect([store.get('short'), store.get('long')]).toEqual([short, long]);
});

test('a result that grows long, or short again, is found as it was stored last', () => {
  const store = createResponseStore();
  for (const characters of [10, 9_000_000, 20]) {
    const next = result(characters);
    store.set('list', next);
    expect(store.get('list')).toBe(next);
  }
});

test('results are evicted beyond the limit, the least recently used first', () => {
  const store = createResponseStore();
  for (let at = 0; at < 10; at += 1) store.set(`${at}`, result(1_000_000));
  expect([store.get('0'), store.get('9')?.stamp]).toEqual([undefined, '1']);
});
