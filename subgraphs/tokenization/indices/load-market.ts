import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import { createDiTable } from '../unit-price/di-factor.js';
import type { PriceIndex } from '../unit-price/policy.js';
import type { UnitPriceInputs } from '../unit-price/unit-price.js';
import { readIndexValues, type IndexValue } from './index-value.store.js';

/** What unit prices are made of, made ready once for all series. */
export async function loadMarket(context: Context, calendar: Calendar): Promise<UnitPriceInputs> {
  const { inputs, unusable } = marketOf(await readIndexValues(context), calendar);
  if (unusable.length > 0) {
    const days = unusable.slice(0, 20);
    context.log.error({ days }, 'There are DI rates of days that are no business days; they are left out');
  }
  return inputs;
}

/** The same from given values; and the days with a rate of DI on which, by this calendar, nothing accrues. */
export function marketOf(
  values: readonly IndexValue[],
  calendar: Calendar,
): { readonly inputs: UnitPriceInputs; readonly unusable: readonly string[] } {
  const rates = values.filter(({ index }) => index === 'DI').map(({ date: day, value }) => ({ day, value }));
  const usable = rates.filter(({ day }) => accruesOn(day, calendar));
  const numbersOf = (name: PriceIndex) =>
    new Map(
      values
        .filter(({ index }) => index === name)
        .map(({ date, value }) => [date.slice(0, 7), new Decimal(value)] as const),
    );
  return {
    inputs: {
      calendar,
      di: createDiTable(
        usable.map(({ day, value }) => ({ day, rate: new Decimal(value) })),
        calendar,
      ),
      indexNumbers: { IPCA: numbersOf('IPCA'), IGPM: numbersOf('IGPM') },
    },
    unusable: rates.map(({ day }) => day).filter((day) => !accruesOn(day, calendar)),
  };
}

/** A day that the calendar does not cover accrues nothing either. */
function accruesOn(day: string, calendar: Calendar): boolean {
  try {
    return calendar.isBusinessDay(day);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
