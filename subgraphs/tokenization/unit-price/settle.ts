import { Decimal, truncate } from '../../../shared/kernel/decimal.js';
import { percentageOf, type UnitValues } from './compose.js';
import type { Indexer, UnitPriceEvent, UnitPricePolicy } from './policy.js';

/** Decimals of payments per unit in deeds, without rounding: as in published payments (68.491168056 of ITPE12). */
export const paymentDecimals = 9;

/** The payment of an event and the value that remains of a unit. In reais; amortization and payment exact, the value with 8 decimals. */
export interface Settlement {
  readonly amortization: Decimal;
  /** Sum of interest paid and amortization. */
  readonly payment: Decimal;
  /** Nominal value ("VNE") at the start of the next day. */
  readonly nextVne: Decimal;
}

export type Unit = UnitValues & {
  readonly vne: Decimal;
  readonly indexFactor: Decimal;
  readonly interestFactor: Decimal;
};

export interface DayEvents {
  /** The event that is settled; an event that leaves the interest accruing settles nothing. */
  readonly event: Omit<UnitPriceEvent, 'calculationDate'> | undefined;
  /** Whether the day is an anniversary that updates the base of the index. */
  readonly isUpdate: boolean;
}

/** Whether the index factor restarts. With incorporated interest it does, whatever the base: CAET12's nominal value after 2016-06-15 is the sum of both. */
export function restartsIndex(indexer: Indexer, { event, isUpdate }: DayEvents): boolean {
  if (isUpdate || event?.interest === 'INCORPORATED') return true;
  if (event === undefined || event.interest === 'ACCRUED') return false;
  return indexer.kind !== 'PRICE_INDEX' || indexer.base === 'LAST_EVENT';
}

/** Nothing is paid without an event, or if it leaves the interest accruing. @param policy its issue value is the value at the start, or at the last incorporation */
export function settle(
  policy: Pick<UnitPricePolicy, 'issueValue' | 'indexer' | 'amortizationOf'>,
  unit: Unit,
  day: DayEvents,
): Settlement {
  const nothing = new Decimal(0);
  const { issueValue, indexer, amortizationOf } = policy;
  const carried = restartsIndex(indexer, day) ? unit.vna : unit.vne;
  const { event } = day;
  if (event === undefined || event.interest === 'ACCRUED')
    return { amortization: nothing, payment: nothing, nextVne: carried };
  const ofIssue = truncate(percentageOf(issueValue, event.amortizationPercentage), 8);
  const [amortization, amortized] =
    amortizationOf === 'BALANCE'
      ? [percentageOf(unit.vna, event.amortizationPercentage), percentageOf(carried, event.amortizationPercentage)]
      : [ofIssue.times(unit.indexFactor), ofIssue];
  const incorporates = event.interest === 'INCORPORATED';
  const incorporated = incorporates ? truncate(carried.times(unit.interestFactor.minus(1)), 8) : nothing;
  return {
    amortization,
    payment: incorporates ? amortization : unit.interestJ.plus(amortization),
    nextVne: truncate(carried.minus(amortized).plus(incorporated), 8),
  };
}
