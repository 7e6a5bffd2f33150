import { expect, test } from '@jest/globals';
import { requestParameters } from '../../apps/panel/developer/request-filter.js';
import { receivableParameters } from '../../apps/panel/originator/batch-state.js';

test('parameters of an address that cannot be are left out: the server would refuse them', () => {
  const days = [
    '2028-02-29',
    '2027-02-29',
    '2026-02-30',
    '2026-04-31',
    '0000-01-01',
    '9999-12-31',
    '2026-1-1',
    '2026-13-01',
  ];
  expect(days.filter((de) => receivableParameters({ de }).de === de)).toEqual(['2028-02-29', '9999-12-31']);
  const statuses = ['2', '404', '418', '0', '6', '99', '1e2', '99999999999999999999', 'abc'];
  expect(statuses.filter((status) => requestParameters({ status }).status === status)).toEqual(['2', '404', '418']);
});
