import type { Calendar } from '../../../shared/calendar/calendar.js';
import { createContext, type Context } from '../../../shared/context.js';
import type { Database } from '../../../shared/database/database.js';
import type { WorkQueue } from '../../../shared/work-queue/work-queue.js';
import { createRepriceQueue } from './reprice-queue.js';

/** Processes requests for prices in this process, in the background. */
export interface Repricer {
  /** Looks for requests now, or after the current search. */
  wake(context: Context): void;
  /** Ends after the current page. */
  close(): Promise<void>;
}

/**
 * Creates the repricer.
 * @param dataSource connects to the database: the connection of the request is released before its prices are computed
 */
export function createRepricer(dataSource: Pick<Database, 'manager'>, calendar: () => Promise<Calendar>): Repricer {
  let queue: WorkQueue | undefined;
  let isClosed = false;
  return {
    wake: ({ clock, log, bus }) => {
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
