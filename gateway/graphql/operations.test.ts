import { expect, test } from '@jest/globals';
import { ApiError } from '../../shared/kernel/errors.js';
import { graphqlConfig as limits, testGraph } from '../../tests/graph/kit.js';
import { createOperations } from './operations.js';

test('of many who bring a new document at once, one pays for it', async () => {
  const operations = createOperations(await testGraph(), limits);
  const document = operations.read('{ echo(price: "12") }');
  const paid: number[] = [];
  const spend = (points: number) => {
    paid.push(points);
    return Promise.resolve();
  };
  const admitted = await Promise.all(Array.from({ length: 20 }, () => operations.admit(document, undefined, spend)));
  expect(paid).toEqual([50]);
  expect(new Set(admitted).size).toBe(1);
});

test('where the one who pays has no points left, the next one pays', async () => {
  const operations = createOperations(await testGraph(), limits);
  const document = operations.read('{ echo(price: "12") }');
  const poor = operations.admit(document, undefined, () => Promise.reject(new ApiError('TOO_MANY_REQUESTS')));
  const rich = operations.admit(document, undefined, () => Promise.resolve());
  await expect(poor).rejects.toThrow('Too Many Requests');
  expect((await rich).guarded).toBe(0);
});
