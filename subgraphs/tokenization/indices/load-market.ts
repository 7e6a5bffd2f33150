import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { createDiTable, type AfterNewest } from '../unit-price/di-factor.js';
import type { PriceIndex } from '../unit-price/policy.js';
import type { UnitPriceInputs } from '../unit-price/unit-price.js';
import { readIndexValues, type IndexValue } from './index-value.store.js';

/**
 * Loads the input of unit prices once for all series.
 * @param afterNewest HELD for projections only: no price uses a value that has not been published
 */
export async function loadMarket(
  context: Context,
  calendar: Calendar,
  afterNewest: AfterNewest = 'MISSING',
): Promise<UnitPriceInputs> {
  const { inputs, unusable } = marketOf(await readIndexValues(context), calendar, afterNewest);
  if (unusable.length > 0) {
    const days = unusable.slice(0, 20);
    context.log.error({ days }, 'There are DI rates for days that are not business days; they are ignored');
  }
  return inputs;
}

/** Builds the same input from given values; also returns the days with a DI rate that are no business days in this calendar. */
export function marketOf(
  values: readonly IndexValue[],
  calendar: Calendar,
  afterNewest: AfterNewest = 'MISSING',
): { readonly inputs: UnitPriceInputs; readonly unusable: readonly string[] } {
  const rates = values.filter(({ index }) => index === 'DI').map(({ date: day, value }) => ({ day, value }));
  const usable = rates.filter(({ day }) => accruesOn(day, calendar));
  const numbersOf = (name: PriceIndex) => {
    const numbers = new Map(
      values
        .filter(({ index }) => index === name)
        .map(({ date, value }) => [date.slice(0, 7), new Decimal(value)] as const),
    );
    return afterNewest === 'HELD' ? heldAfterNewest(numbers) : numbers;
  };
  return {
    inputs: {
      calendar,
      di: createDiTable(
        usable.map(({ day, value }) => ({ day, rate: new Decimal(value) })),
        calendar,
        afterNewest,
      ),
      indexNumbers: { IPCA: numbersOf('IPCA'), IGPM: numbersOf('IGPM') },
    },
    unusable: rates.map(({ day }) => day).filter((day) => !accruesOn(day, calendar)),
  };
}

/** Wraps index numbers so that later months return the newest one. */
function heldAfterNewest(numbers: ReadonlyMap<string, Decimal>): Pick<ReadonlyMap<string, Decimal>, 'get'> {
  const newest = [...numbers.keys()].sort().at(-1);
  if (newest === undefined) return numbers;
  return { get: (month) => numbers.get(month > newest ? newest : month) };
}

/** Days that the calendar does not cover do not accrue either. */
function accruesOn(day: string, calendar: Calendar): boolean {
  try {
    return calendar.isBusinessDay(day);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
