import { expect, test } from '@jest/globals';
import { auditParameters, filterOf } from '../../apps/panel/operator/audit-filter.js';

test('days of the audit log are whole days in São Paulo, also those on which summer time begins or ends', () => {
  const between = (from: string, to: string) => {
    const filter = filterOf({ from, to });
    return [filter.from, filter.to];
  };
  expect(between('2026-11-27', '2026-11-27')).toEqual(['2026-11-27T03:00:00.000Z', '2026-11-28T03:00:00.000Z']);
  expect(between('2018-11-04', '2018-11-04')).toEqual(['2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z']);
  expect(between('2019-02-16', '2019-02-16')).toEqual(['2019-02-16T02:00:00.000Z', '2019-02-17T03:00:00.000Z']);
  expect(filterOf({})).toMatchObject({ from: null, to: null });
});

test('a parameter that is no day does not filter the audit log', () => {
  expect(auditParameters({ from: 'ontem', to: '2026-13-01', actor: 7 })).toEqual({ actor: '7' });
  expect(auditParameters({ from: '2026-11-27' })).toEqual({ from: '2026-11-27' });
});
