import { expect, test } from '@jest/globals';
import { admitsJson } from './accept.js';

test.each([
  undefined,
  '  ',
  'application/json',
  'application/json;charset=utf-8',
  '*/*',
  'text/html,application/json ; q=0.1',
  'application/json;q=0.01',
])('Accept: %s admits JSON', (accept) => {
  expect(admitsJson(accept)).toBe(true);
});

test.each(['text/html', 'application/jsonp', 'application/json;q=0', 'application/json; Q=0.000'])(
  'Accept: %s does not admit JSON',
  (accept) => {
    expect(admitsJson(accept)).toBe(false);
  },
);

test('a form of JSON with a name of its own is admitted by that name, and by those for all of them', () => {
  const names = ['application/graphql-response+json'];
  expect(admitsJson('application/graphql-response+json', names)).toBe(true);
  expect(admitsJson('application/*', names)).toBe(true);
  expect(admitsJson('application/json', names)).toBe(false);
});
