import type { Calendar } from '../../../shared/calendar/calendar.js';
import { createContext, type Context } from '../../../shared/context.js';
import type { Database } from '../../../shared/database/database.js';
import { answerRequests } from './answer-requests.js';

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
  const stopping = new AbortController();
  let underWay: Promise<void> = Promise.resolve();
  let waiting = false;
  const look = async ({ clock, log, bus }: Context): Promise<void> => {
    waiting = false;
    if (stopping.signal.aborted) return;
    try {
      const own = createContext({ clock, log, bus, manager: dataSource.manager });
      await answerRequests(own, await calendar(), stopping.signal);
    } catch (error) {
      log.error({ err: error }, 'Requested prices wait for the next run of the job');
    }
  };
  return {
    wake: (context) => {
      if (waiting) return;
      waiting = true;
      underWay = underWay.then(() => look(context));
    },
    close: async () => {
      stopping.abort();
      await underWay;
    },
  };
}
