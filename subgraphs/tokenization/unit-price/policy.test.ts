import { describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { requirePolicy, type PriceIndexer, type UnitPriceEvent, type UnitPricePolicy } from './policy.js';

const amortizing = (calculationDate: string, share: number): UnitPriceEvent => ({
  calculationDate,
  interest: 'PAID',
  amortizationPercentage: new Decimal(share),
});

const indexer: PriceIndexer = {
  kind: 'PRICE_INDEX',
  index: 'IPCA',
  lagMonths: 1,
  anniversaryDay: 15,
  proRata: 'BUSINESS_DAYS',
  base: 'LAST_EVENT',
};

/** A series that amortizes 60 % twice. */
const policy: UnitPricePolicy = {
  startDate: '2024-01-10',
  issueValue: new Decimal(1000),
  dayCount: 'BUS252',
  rate: new Decimal(6),
  indexer,
  amortizationOf: 'BALANCE',
  events: [amortizing('2024-06-10', 60), amortizing('2024-07-10', 60)],
};

describe('a policy', () => {
  test('may amortize percentages of the balance that add up to more than 100', () => {
    expect(() => {
      requirePolicy(policy);
    }).not.toThrow();
  });

  test('may amortize the issue value with an index factor since the start, and with no other', () => {
    const ofIssue = (base: PriceIndexer['base']) => () => {
      requirePolicy({
        ...policy,
        indexer: { ...indexer, base },
        amortizationOf: 'ISSUE_VALUE',
        events: [amortizing('2024-06-10', 60), amortizing('2024-07-10', 40)],
      });
    };
    expect(ofIssue('START')).not.toThrow();
    for (const base of ['LAST_EVENT', 'ANNIVERSARY', 'YEARLY'] as const)
      expect(ofIssue(base)).toThrow('Amortization of the issue value needs an index factor since the start');
  });
});
