import { expect, test } from '@jest/globals';
import { argumentsCheck } from './check-arguments.js';

test('the error of a word that is not allowed lists those that are, null where nothing may be said', () => {
  const check = argumentsCheck({
    type: 'object',
    properties: { kind: { type: ['string', 'null'], enum: ['A', 'B', null] } },
    required: [],
    additionalProperties: false,
  });
  expect(check({ kind: null })).toEqual([]);
  expect(check({ kind: 'C' })).toEqual([{ path: 'kind', message: 'must be one of A, B, null' }]);
});
