import type { Calendar } from '../../../shared/calendar/calendar.js';
import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { newId } from '../../../shared/ids.js';
import { readIndexRevision } from '../indices/index-value.store.js';
import { lockTranche } from '../tranches/tranche-acts.store.js';
import { countDueSeries } from './due-series.store.js';
import { forgetProgress } from './priced-series.store.js';
import { addRequest, type RepriceRequestRow } from './reprice-request.store.js';
import type { Repricer } from './repricer.js';

export interface RepriceParts {
  readonly calendar: Calendar;
  readonly repricer: Repricer;
}

/**
 * Asks that prices are made now instead of at the next look of the job: those of one series from its start, or all that are
 * due. Marks the series and wakes a run, which works after the commit; the request tells what came of it.
 * @throws {ApiError} NOT_FOUND for a ticker of no series, CONFLICT for one that has no prices (DRAFT, CLOSED)
 */
export async function reprice(
  context: Context,
  { calendar, repricer }: RepriceParts,
  ticker?: string,
): Promise<RepriceRequestRow> {
  return inTransaction(context, async (tx) => {
    const marked = ticker === undefined ? await countDue(tx, calendar) : await startAnew(tx, ticker);
    const request = await addRequest(tx, { id: newId(tx.clock.now().getTime()), ...marked });
    afterCommit(tx, () => {
      repricer.wake(context);
    });
    return request;
  });
}

type Marked = Pick<RepriceRequestRow, 'trancheId' | 'series'>;

/** What is due is marked already. */
async function countDue(tx: Context, calendar: Calendar): Promise<Marked> {
  const through = calendar.preceding(civilDate(tx.clock.now()));
  const indexRevision = (await readIndexRevision(tx)) ?? '0';
  const rule = { through, calendarVersion: calendar.version, indexRevision };
  return { trancheId: null, series: await countDueSeries(tx, rule) };
}

async function startAnew(tx: Context, ticker: string): Promise<Marked> {
  const { id, status } = await lockTranche(tx, ticker);
  if (status === 'DRAFT' || status === 'CLOSED') {
    throw new ApiError('CONFLICT', { message: `A series that is ${status} is not priced` });
  }
  await forgetProgress(tx, id);
  return { trancheId: id, series: 1 };
}
