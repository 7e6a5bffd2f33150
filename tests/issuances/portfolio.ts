import fc from 'fast-check';
import { Decimal, round, sum } from '../../shared/kernel/decimal.js';
import { groupBy } from '../../shared/kernel/group-by.js';
import { addDays } from '../../shared/kernel/calendar/days.js';
import type { PortfolioFacts } from '../../subgraphs/issuances/reports/report.js';

export interface TestContract {
  readonly debtor: string;
  readonly status: 'ACTIVE' | 'SETTLED' | 'DEFAULTED' | 'WRITTEN_OFF';
  readonly original: Decimal;
  readonly balance: Decimal;
  readonly indexer: 'PREFIXED' | 'CDI' | 'IPCA';
  readonly rate: Decimal;
  /** On the day on which its balance is known. */
  readonly daysLate: number;
  /** Calendar days from that day to the day of the report. */
  readonly age: number;
  readonly maturity: string;
  readonly collateral: Decimal | undefined;
  /** Due and unpaid; undefined where it is not known. */
  readonly overdue: Decimal | undefined;
}

const cents = (max: number, min = 0) => fc.integer({ min, max }).map((value) => new Decimal(value).div(100));

const day = fc
  .integer({ min: Date.UTC(2024, 0, 1) / 86_400_000, max: Date.UTC(2040, 0, 1) / 86_400_000 })
  .map((ordinal) => new Date(ordinal * 86_400_000).toISOString().slice(0, 10));

export const contracts: fc.Arbitrary<TestContract[]> = fc.array(
  fc
    .record({
      debtor: fc.integer({ min: 1, max: 30 }).map((number) => String(number).padStart(11, '0')),
      status: fc.constantFrom('ACTIVE', 'ACTIVE', 'ACTIVE', 'DEFAULTED', 'SETTLED', 'WRITTEN_OFF'),
      original: cents(2_000_000_000, 1),
      balance: fc.oneof(cents(1_000_000_000), fc.constant(new Decimal(0))),
      indexer: fc.constantFrom('PREFIXED', 'CDI', 'IPCA'),
      rate: fc.oneof(fc.constant(0), fc.integer({ min: -200, max: 4_000 })).map((value) => new Decimal(value).div(100)),
      daysLate: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 500 })),
      age: fc.integer({ min: 0, max: 60 }),
      maturity: day,
      collateral: fc.option(cents(2_000_000_000, 1), { nil: undefined }),
      overduePercent: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined, freq: 20 }),
    })
    .map(({ overduePercent, ...one }) => ({
      ...one,
      overdue: overduePercent === undefined ? undefined : round(one.balance.times(overduePercent).div(100), 2),
    }))
    .map((one) =>
      one.status === 'SETTLED' ? { ...one, balance: new Decimal(0), overdue: undefined, daysLate: 0 } : one,
    ),
  { maxLength: 60 },
);

/** The facts of a portfolio added up the plainest way, to compare cleverer ways with. */
export function factsOf(all: readonly TestContract[], position: string): PortfolioFacts {
  const live = all.filter((one) => (one.status === 'ACTIVE' || one.status === 'DEFAULTED') && !one.balance.isZero());
  const writtenOff = all.filter((one) => one.status === 'WRITTEN_OFF');
  const days = (to: string) => Math.max(0, (Date.parse(to) - Date.parse(position)) / 86_400_000);
  const debtors = [...groupBy(live, (one) => one.debtor).values()]
    .map((own) => sum(own.map((one) => one.balance)))
    .sort((left, right) => right.cmp(left));
  // Fixed credits without a rate are apart, after the others.
  const indexers = [
    ...groupBy(live, (one) => one.indexer + (one.indexer === 'PREFIXED' && one.rate.isZero() ? '?' : '')),
  ].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    position,
    month: null,
    baseDate: all.length === 0 ? null : addDays(position, -Math.min(...all.map((one) => one.age))),
    lateness: live.map(({ daysLate, age, balance, overdue }) => ({
      daysLate: daysLate > 0 ? daysLate + age : 0,
      contracts: 1,
      balance,
      overdue,
    })),
    originalValue: sum(live.map((one) => one.original)),
    balanceDays: sum(live.map((one) => one.balance.times(days(one.maturity)))),
    rates: indexers.map(([key, own]) => ({
      indexer: key.replace('?', ''),
      balance: sum(own.map((one) => one.balance)),
      weighted: sum(own.map((one) => one.balance.times(one.rate))),
    })),
    debtors: {
      debtors: debtors.length,
      largest: debtors.slice(0, 20),
      squares: sum(debtors.map((balance) => balance.times(balance))),
    },
    settledContracts: all.filter((one) => one.status === 'SETTLED').length,
    writtenOff: { contracts: writtenOff.length, balance: sum(writtenOff.map((one) => one.balance)) },
    collateral: live.flatMap(({ balance, collateral }) =>
      collateral === undefined
        ? []
        : [
            {
              percent: Math.min(101, balance.times(100).div(collateral).ceil().toNumber()),
              contracts: 1,
              balance,
              collateral,
            },
          ],
    ),
    months: [],
    series: [],
    priceDueOn: undefined,
    matrix: [],
    covenants: [],
  };
}
