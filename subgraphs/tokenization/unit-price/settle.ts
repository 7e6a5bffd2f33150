import { Decimal, truncate } from '../../../shared/decimal.js';
import { percentageOf, type UnitValues } from './compose.js';
import type { Indexer, UnitPriceEvent, UnitPricePolicy } from './policy.js';

/** Decimals that deeds pay a unit with, without rounding: those of the published payments (68.491168056 of ITPE12). */
export const paymentDecimals = 9;

/** What an event takes out of a unit, and what it leaves. In reais; amortization and payment exact, the value with 8 decimals. */
export interface Settlement {
  readonly amortization: Decimal;
  /** Interest that is paid, and amortization. */
  readonly payment: Decimal;
  /** Nominal value, "VNE", that the next day begins with. */
  readonly nextVne: Decimal;
}

/** The unit that an event meets, before it. */
export type Unit = UnitValues & {
  readonly vne: Decimal;
  readonly indexFactor: Decimal;
  readonly interestFactor: Decimal;
};

/** What happens on a day. */
export interface DayEvents {
  /** The event that settles it; one that leaves the interest accruing settles nothing. */
  readonly event: Omit<UnitPriceEvent, 'calculationDate'> | undefined;
  /** Whether it is an anniversary at which the base of the index is updated. */
  readonly isUpdate: boolean;
}

/** Whether a day makes the updated value the new nominal value, so that the index factor begins anew. */
export function restartsIndex(indexer: Indexer, { event, isUpdate }: DayEvents): boolean {
  if (event === undefined || event.interest === 'ACCRUED') return isUpdate;
  return isUpdate || indexer.kind !== 'PRICE_INDEX' || indexer.base === 'LAST_EVENT';
}

/** Settles a day with an event, or, where there is none or it leaves the interest accruing, one that takes nothing. */
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
