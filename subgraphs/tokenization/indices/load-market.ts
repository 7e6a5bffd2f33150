import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { createDiTable, type AfterNewest } from '../unit-price/di-factor.js';
import type { PriceIndex } from '../unit-price/policy.js';
import type { UnitPriceInputs } from '../unit-price/unit-price.js';
import type { MonthProjections } from '../unit-price/price-index-factor.js';
import { readIndexValues, readProjectedValues, type IndexValue, type ProjectedValue } from './index-value.store.js';

/** Loads the market's values once for all series. @param afterNewest HELD for projections only: no price uses a value that has not been published */
export async function loadMarket(
  context: Context,
  calendar: Calendar,
  afterNewest: AfterNewest = 'MISSING',
): Promise<UnitPriceInputs> {
  const projected = await readProjectedValues(context);
  const { inputs, unusable } = marketOf(await readIndexValues(context), calendar, afterNewest, projected);
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
  projected: readonly ProjectedValue[] = [],
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
      projections: { IPCA: projectionsOf('IPCA', values, projected), IGPM: projectionsOf('IGPM', values, projected) },
    },
    unusable: rates.map(({ day }) => day).filter((day) => !accruesOn(day, calendar)),
  };
}

function projectionsOf(
  name: PriceIndex,
  values: readonly IndexValue[],
  projected: readonly ProjectedValue[],
): ReadonlyMap<string, MonthProjections> {
  const numbers = values.filter(({ index }) => index === name);
  const published = new Map(numbers.map(({ date, publishedOn }) => [date.slice(0, 7), publishedOn]));
  const months = groupBy(
    projected.filter(({ index }) => index === name),
    ({ month }) => month,
  );
  return new Map(
    [...months].map(([month, all]) => [
      month,
      {
        numberPublishedOn: published.get(month),
        projections: all.map(({ publishedOn, percent }) => ({ publishedOn, percent: new Decimal(percent) })),
      },
    ]),
  );
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
