import { expect, test } from '@jest/globals';
import { everyPage } from './every-page.js';

const listOf = (pages: number) => (after: string | null) => {
  const at = Number(after ?? 0);
  const pageInfo = { hasNextPage: at + 1 < pages, endCursor: String(at + 1) };
  return Promise.resolve({ nodes: [at], pageInfo });
};

test('a list is read to its end, and refused where it is longer than a file may be', async () => {
  expect(await everyPage(3, listOf(1))).toEqual([0]);
  expect(await everyPage(3, listOf(3))).toEqual([0, 1, 2]);
  await expect(everyPage(3, listOf(4))).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
});
