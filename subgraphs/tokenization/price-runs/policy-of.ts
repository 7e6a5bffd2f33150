import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import type { TrancheRow } from '../tranches/tranche.store.js';
import type { Indexer, InterestEvent, UnitPricePolicy } from '../unit-price/policy.js';

export type PolicyColumns = Pick<
  TrancheRow,
  | 'remunerationStartDate'
  | 'issueValue'
  | 'dayCount'
  | 'rate'
  | 'indexer'
  | 'diPercentage'
  | 'diLagBusinessDays'
  | 'indexLagMonths'
  | 'indexAnniversaryDay'
  | 'indexProRata'
  | 'indexBase'
  | 'projection'
  | 'amortizationOf'
>;

/** The columns of an instalment, or of what an event pays, that the price depends on. */
export interface EventColumns {
  readonly installmentNumber: number;
  readonly calculationDate: string;
  readonly interestEvent: InterestEvent;
  readonly amortizationPercentage: string;
}

/** Instalments oldest first; for a price those up to its day are enough. An event on the day of an instalment amortizes with it. @throws {RangeError} for an indexer without its parameters */
export function policyOf(row: PolicyColumns, instalments: readonly EventColumns[]): UnitPricePolicy {
  return {
    startDate: row.remunerationStartDate,
    issueValue: new Decimal(row.issueValue),
    dayCount: row.dayCount,
    rate: new Decimal(row.rate),
    indexer: indexerOf(row),
    amortizationOf: row.amortizationOf,
    events: [...groupBy(instalments, ({ calculationDate }) => calculationDate)].map(([calculationDate, rows]) => ({
      calculationDate,
      interest: rows.find(({ interestEvent }) => interestEvent !== 'ACCRUED')?.interestEvent ?? 'ACCRUED',
      amortizationPercentage: sum(rows.map((row) => row.amortizationPercentage)),
    })),
  };
}

function indexerOf(row: PolicyColumns): Indexer {
  if (row.indexer === 'NONE') return { kind: 'NONE' };
  if (row.indexer === 'DI') {
    const { diPercentage, diLagBusinessDays } = row;
    if (diPercentage === null || diLagBusinessDays === null) throw lacking('DI');
    return { kind: 'DI', percentage: new Decimal(diPercentage), lagBusinessDays: diLagBusinessDays };
  }
  const { indexer: index, indexLagMonths, indexAnniversaryDay, indexProRata, indexBase, projection } = row;
  if (
    indexLagMonths === null ||
    indexAnniversaryDay === null ||
    indexProRata === null ||
    indexBase === null ||
    projection === null
  )
    throw lacking(index);
  return {
    kind: 'PRICE_INDEX',
    index,
    lagMonths: indexLagMonths,
    anniversaryDay: indexAnniversaryDay,
    proRata: indexProRata,
    base: indexBase,
    projection,
  };
}

function lacking(indexer: string): RangeError {
  return new RangeError(`The series follows ${indexer}, but its policy is incomplete`);
}
