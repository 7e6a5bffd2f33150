import { describe, expect, test } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { followsIpca } from '../../../tests/tokenization/formulas.js';
import type { PriceIndexer, UnitPricePolicy } from './policy.js';
import { restartsIndex, settle, type Unit } from './settle.js';

const none = new Decimal(0);
/** A unit whose figures have digits after the eighth decimal as soon as something is multiplied. */
const unit: Unit = {
  vne: new Decimal('1500.5'),
  vna: new Decimal('1000.12345678'),
  indexFactor: new Decimal('1.23456789'),
  interestFactor: new Decimal('1.012345678'),
  interestJ: new Decimal('12.34720215'),
} as Unit;
const onBalance = { issueValue: new Decimal('1000'), indexer: { kind: 'NONE' }, amortizationOf: 'BALANCE' } as const;
const indexer: PriceIndexer = { ...followsIpca, base: 'START' };
const onIssueValue: Pick<UnitPricePolicy, 'issueValue' | 'indexer' | 'amortizationOf'> = {
  issueValue: new Decimal('1000.12345678'),
  indexer,
  amortizationOf: 'ISSUE_VALUE',
};
const texts = ({ amortization, payment, nextVne }: ReturnType<typeof settle>) =>
  [amortization, payment, nextVne].map(String);

describe('an event', () => {
  test('makes principal of interest that is truncated at the eighth decimal before it is added', () => {
    // 1000.12345678 × 0.012345678 = 12.34720215|76…, and 7.77777777 % of the value = 77.78737989|39…
    const event = { interest: 'INCORPORATED', amortizationPercentage: new Decimal('7.77777777') } as const;
    expect(texts(settle(onBalance, unit, { event, isUpdate: false }))).toEqual([
      '77.787379893990397806',
      '77.787379893990397806',
      '934.68327903',
    ]);
  });

  test('takes a percentage of the issue value that is truncated at the eighth decimal before the index factor', () => {
    // 33.33333333 % of 1000.12345678 = 333.37448555|99…
    const event = { interest: 'PAID', amortizationPercentage: new Decimal('33.33333333') } as const;
    const amortization = new Decimal('411.5734352052989895');
    expect(texts(settle(onIssueValue, unit, { event, isUpdate: false }))).toEqual([
      String(amortization),
      String(amortization.plus('12.34720215')),
      '1167.12551445',
    ]);
  });

  test.each([undefined, { interest: 'ACCRUED', amortizationPercentage: none } as const])(
    'that leaves the interest accruing takes nothing: %j',
    (event) => {
      expect(texts(settle(onBalance, unit, { event, isUpdate: false }))).toEqual(['0', '0', '1500.5']);
    },
  );
});

describe('the index factor', () => {
  const events = [
    { interest: 'PAID', amortizationPercentage: none },
    { interest: 'PAID', amortizationPercentage: new Decimal(1) },
    { interest: 'INCORPORATED', amortizationPercentage: none },
    { interest: 'INCORPORATED', amortizationPercentage: new Decimal(1) },
  ] as const;

  test.each([
    ['LAST_EVENT', [true, true, true, true]],
    ['ANNIVERSARY', [false, false, true, true]],
    ['YEARLY', [false, false, true, true]],
    ['START', [false, false, true, true]],
  ] as const)('since %s begins anew where interest is paid, amortized, incorporated, both: %j', (base, restarts) => {
    const begins = events.map((event) => restartsIndex({ ...indexer, base }, { event, isUpdate: false }));
    expect(begins).toEqual(restarts);
  });

  test.each([undefined, { interest: 'ACCRUED', amortizationPercentage: none } as const, ...events])(
    'begins anew where its base is updated, whatever is paid: %j',
    (event) => {
      expect(restartsIndex({ ...indexer, base: 'YEARLY' }, { event, isUpdate: true })).toBe(true);
    },
  );

  test('that is updated leaves the updated value, less what was amortized of it', () => {
    const policy = { ...onBalance, indexer: { ...indexer, base: 'ANNIVERSARY' } } as const;
    const [, amortizing] = events;
    const left = (event: (typeof events)[number] | undefined) =>
      settle(policy, unit, { event, isUpdate: true }).nextVne;
    expect(left(undefined).toString()).toBe('1000.12345678');
    // 1 % of it is 10.0012345678
    expect(left(amortizing).toString()).toBe('990.12222221');
  });

  test('that goes on leaves the nominal value in the money that it had, less what was amortized of it', () => {
    const [, amortizing] = events;
    const { nextVne } = settle({ ...onBalance, indexer }, unit, { event: amortizing, isUpdate: false });
    expect(nextVne.toString()).toBe('1485.495');
  });

  test('that begins anew where interest is incorporated leaves the updated value and the interest on it', () => {
    const [, , incorporating] = events;
    const { nextVne } = settle({ ...onBalance, indexer }, unit, { event: incorporating, isUpdate: false });
    // 1000.12345678 × 0.012345678 = 12.34720215|76…
    expect(nextVne.toString()).toBe('1012.47065893');
  });
});
