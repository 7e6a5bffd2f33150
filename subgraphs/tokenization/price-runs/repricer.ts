import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { createContext, type Context } from '../../../shared/kernel/context.js';
import type { Database } from '../../../shared/database/database.js';
import type { Logger } from '../../../shared/kernel/log.js';
import type { WorkQueue } from '../../../shared/work/queue/work-queue.js';
import { createRepriceQueue } from './reprice-queue.js';

export interface Repricer {
  /** Looks for requests now, or after the current search. */
  wake(context: Context): void;
  close(): Promise<void>;
}

export interface RepricerParts {
  /** Connects to the database: the connection of the request is released before its prices are computed. */
  readonly dataSource: Pick<Database, 'manager'>;
  /** The program's log: that of a request names the request. */
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
