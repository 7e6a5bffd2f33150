import { expect, test } from '@jest/globals';
import { isUuid, newId } from './ids.js';

test('ids are version 7, unique, and in the order in which they were made', () => {
  const ids = Array.from({ length: 20_000 }, () => newId());
  expect(ids.every((id) => isUuid(id) && id[14] === '7' && '89ab'.includes(id[19] ?? ''))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
});

const momentOf = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

test('an id begins with its moment, unless an earlier id has a later one', () => {
  const later = momentOf(newId()) + 5_000;
  expect(momentOf(newId(later))).toBe(later);
  expect(momentOf(newId(later - 5_000))).toBe(later);
});
