import { expect, test } from '@jest/globals';
import { admitsJson } from './accept.js';

test.each([
  undefined,
  '',
  '  ',
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/*',
  '*/*',
  'text/html, application/json',
  'text/html,application/json ; q=0.1',
  'application/json;q=0.01',
  'application/json;q=1.0',
])('Accept: %s admits JSON', (accept) => {
  expect(admitsJson(accept)).toBe(true);
});

test.each([
  'text/html',
  'text/*',
  'application/xml',
  'application/jsonp',
  'application/json;q=0',
  'application/json; Q=0.000',
  'application/json;q=0, text/html',
])('Accept: %s does not admit JSON', (accept) => {
  expect(admitsJson(accept)).toBe(false);
});

test('a form of JSON with a name of its own is admitted by that name, and by those for all of them', () => {
  const names = ['application/graphql-response+json'];
  expect(admitsJson('application/graphql-response+json', names)).toBe(true);
  expect(admitsJson('application/*', names)).toBe(true);
  expect(admitsJson('application/json', names)).toBe(false);
});
