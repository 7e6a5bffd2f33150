import { expect, test } from '@jest/globals';
import { searchText } from './search-text.js';

test('an operation is found by whatever names it', () => {
  const series = [{ ticker: 'LAS001S1', isin: 'BRLASTCRI001', ifCode: null }];
  const operation = {
    ticker: 'LAS001',
    slug: 'ipe-roxo',
    name: 'Ipê Roxo',
    sub: '',
    issuer: null,
    backingAsset: 'CCI',
  };
  expect(searchText({ ...operation, series })).toBe('las001 ipe roxo ipe roxo cci las001s1 brlastcri001');
});
