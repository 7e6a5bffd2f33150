import { loadCalendar, type Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import { type Context, createContext } from '../../../shared/kernel/context.js';
import type { Consumer } from '../../../shared/events/outbox/outbox.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { readIndexRevision } from '../indices/index-value.store.js';
import { lockTranche } from '../tranches/tranche.store.js';
import { countDueSeries, addRequest, type RepriceRequestRow, forgetProgress } from './price-run.store.js';
import type { Database } from '../../../shared/database/database.js';
import type { Logger } from '../../../shared/kernel/log.js';
import type { WorkQueue } from '../../../shared/work/queue/work-queue.js';
import { createRepriceQueue } from './reprice-queue.js';

/** Prices one series from its start, or all that are due. A run works after the commit and writes the result into the row. @throws {ApiError} NOT_FOUND, CONFLICT for a series without prices */
export async function reprice(context: Context, repricer: Repricer, ticker?: string): Promise<RepriceRequestRow> {
  return inTransaction(context, async (tx) => {
    const marked = ticker === undefined ? await countDue(tx) : await startAnew(tx, ticker);
    const request = await addRequest(tx, { id: newId(tx.clock.now().getTime()), ...marked });
    afterCommit(tx, () => repricer.wake(context));
    return request;
  });
}

/** Says that an import changed what series are priced by. */
export const pricesDue = { topic: 'prices.due', key: 'tokenization', payload: {}, internal: true } as const;

/** Prices what imports changed soon after them. */
export const priceImported =
  (repricer: Repricer): Consumer =>
  async (context, events) => {
    if (events.some(({ topic }) => topic === pricesDue.topic)) await reprice(context, repricer);
  };

type Marked = Pick<RepriceRequestRow, 'trancheId' | 'series'>;

/** Counts the due series, which the next run finds without a mark. */
async function countDue(tx: Context): Promise<Marked> {
  const calendar = await loadCalendar(tx.manager);
  const through = calendar.preceding(civilDate(tx.clock.now()));
  const indexRevision = (await readIndexRevision(tx)) ?? '0';
  const rule = { through, calendarVersion: calendar.version, indexRevision };
  return { trancheId: null, series: await countDueSeries(tx, rule) };
}

async function startAnew(tx: Context, ticker: string): Promise<Marked> {
  const { id, status } = await lockTranche(tx, ticker);
  if (status === 'DRAFT' || status === 'CLOSED') {
    const reason = status === 'DRAFT' ? 'is not priced yet: change its status first' : 'is not priced any more';
    throw new ApiError('CONFLICT', { message: `The series ${ticker} is ${status}, and ${reason}` });
  }
  await forgetProgress(tx, id);
  return { trancheId: id, series: 1 };
}

export interface Repricer {
  /** Looks for requests now, or after the current search. */
  wake(context: Context): void;
  close(): Promise<void>;
}

interface RepricerParts {
  /** Connects to the database: the connection of the request is released before its prices are computed. */
  readonly dataSource: Pick<Database, 'manager'>;
  /** The program's log: the log of a request names the request. */
  readonly log: Logger;
}

export function createRepricer({ dataSource, log }: RepricerParts, calendar: () => Promise<Calendar>): Repricer {
  let queue: WorkQueue | undefined;
  let isClosed = false;
  return {
    wake: ({ clock, bus }) => {
      if (isClosed) return;
      queue ??= createRepriceQueue(createContext({ clock, log, bus, manager: dataSource.manager }), calendar);
      void queue.drain();
    },
    close: async () => {
      isClosed = true;
      await queue?.stop();
    },
  };
}
