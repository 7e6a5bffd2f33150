import { Ctx, Directive, FieldResolver, Resolver, Root } from 'type-graphql';
import { loadCalendar, type Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { sum } from '../../../shared/kernel/decimal.js';
import { DecimalScalar } from '../../../shared/graphql/scalars.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import type { DayCount } from '../../securities/day-count.js';
import { yieldOf, type Flow } from '../../securities/yield.js';
import type { CreditBatchShape } from '../credit-batches/credit-batch.graph.js';
import { CreditBatch } from '../credit-batches/credit-batch.type.js';
import { Receivable, type ReceivableShape } from '../receivables/receivable.type.js';
import { Patrimony } from '../relations/entities.type.js';
import { flowsOfBatches, flowsOfEstates, type FlowRow } from './yield.store.js';

const formula =
  'in percent a year with 6 decimals: the rate i at which the sum of amount / (1 + i)^(days / days of the year) over its instalments equals the price (internal rate of return). Days run from the base date by the day count of each contract, CIVIL_365 where it has none. Null beyond the calendar, and outside −99.99 to 100,000,000';

@Resolver(() => Receivable)
export class ReceivableYieldResolver {
  @Directive('@cost(weight: 10)')
  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: `Yield of its price, ${formula}. Null without a price`,
  })
  async purchaseYield(@Ctx() context: Context, @Root() contract: ReceivableShape): Promise<string | null> {
    const { purchasePrice, installments, faceValue, dueDate, dayCount, pricedOn } = contract;
    if (purchasePrice === null) return null;
    const due = installments?.map((one) => ({ dueDate: one.dueDate, amount: sum([one.principal, one.interest]) }));
    const rows = (due ?? [{ dueDate, amount: faceValue }]).map((one) => ({ ...one, dayCount, pricedOn }));
    return yieldBy(context, purchasePrice, rows);
  }
}

@Resolver(() => CreditBatch)
export class CreditBatchYieldResolver {
  @Directive('@cost(weight: 100)')
  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: `Yield of the prices of its contracts, without refused ones, ${formula}. Null where none has a price`,
  })
  async purchaseYield(@Ctx() context: Context, @Root() { id }: CreditBatchShape): Promise<string | null> {
    return yieldOfRows(context, await loaderOf(context, flowsOfBatches).load(id));
  }
}

@Resolver(() => Patrimony)
export class PatrimonyYieldResolver {
  @Directive('@cost(weight: 1000)')
  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description: `Yield of the prices of the credits that were assigned to it, for operators of all, else of the caller's, ${formula}. Null where none has a price`,
  })
  async purchaseYield(@Ctx() context: Context, @Root() { id }: Patrimony): Promise<string | null> {
    return yieldOfRows(context, await loaderOf(context, flowsOfEstates).load(id));
  }
}

/** Returns the yield of what was paid for, by its price. */
function yieldOfRows(context: Context, rows: readonly FlowRow[]): Promise<string | null> {
  const price = sum(rows.flatMap((row) => (row.isPrice ? row.amount : [])));
  const flows = rows.filter(({ isPrice }) => !isPrice);
  return yieldBy(context, price, flows);
}

interface DatedFlow extends Pick<Flow, 'amount'> {
  readonly dayCount: DayCount | null;
  readonly pricedOn: string;
  readonly dueDate: string;
}

async function yieldBy(context: Context, price: Flow['amount'], rows: readonly DatedFlow[]): Promise<string | null> {
  const calendar = await loaderOf(context, calendars).load('BR');
  try {
    const flows = rows.map(({ dayCount: stated, pricedOn, dueDate, amount }) => {
      const dayCount = stated ?? 'CIVIL_365';
      const isBusiness = dayCount === 'BUS252';
      const days = isBusiness ? calendar.businessDaysBetween(pricedOn, dueDate) : daysBetween(pricedOn, dueDate);
      return { dayCount, days, amount };
    });
    return yieldOf(price, flows)?.percent.toFixed(6) ?? null;
  } catch (error) {
    // The table of holidays ends before the last due date.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

async function calendars({ manager }: Context, keys: readonly 'BR'[]): Promise<Calendar[]> {
  const calendar = await loadCalendar(manager);
  return keys.map(() => calendar);
}
