import { expect, test } from '@jest/globals';
import { codingOf } from './compression.js';

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['BR ; q=0.000, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['identity', undefined],
  ['x-br, abr', undefined],
  [`gzip${' '.repeat(1_000_000)}x, br`, 'br'],
  ['', undefined],
  [undefined, undefined],
])('a client that accepts %.40s gets a finished body as %s', (accepted, coding) => {
  expect(codingOf(accepted)).toBe(coding);
});
