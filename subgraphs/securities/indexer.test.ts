import { expect, test } from '@jest/globals';
import { formatRemuneration } from './indexer.js';

test.each([
  ['PREFIXED', '100', '12', '12,00% a.a.'],
  ['CDI', '100', '3.5', 'CDI + 3,50% a.a.'],
  ['CDI', '110.0000', '0', '110,00% do CDI'],
  ['CDI', '110', '1.25', '110,00% do CDI + 1,25% a.a.'],
  ['IPCA', '100.0000', '-0.25', 'IPCA - 0,25% a.a.'],
  ['IGPM', '100', '6', 'IGP-M + 6,00% a.a.'],
  ['SELIC', '100', '0.000000', 'Selic'],
  ['IPCA', '100', '7.1250', 'IPCA + 7,125% a.a.'],
] as const)('a remuneration in words: %s %s %s is %s', (indexer, indexerPercent, rate, words) => {
  expect(formatRemuneration({ indexer, indexerPercent, rate })).toBe(words);
});
