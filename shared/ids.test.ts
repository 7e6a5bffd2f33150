import { expect, test } from '@jest/globals';
import { isUuid, newId } from './ids.js';

test('ids are version 7, unique, and in the order in which they were made', () => {
  const ids = Array.from({ length: 20_000 }, () => newId());
  expect(ids.every((id) => isUuid(id) && id[14] === '7' && '89ab'.includes(id[19] ?? ''))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

test('an id begins with its moment', () => {
  const now = Date.now() + 5_000;
  expect(Number.parseInt(newId(now).replaceAll('-', '').slice(0, 12), 16)).toBe(now);
});
