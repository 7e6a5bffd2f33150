import type { DataSource } from 'typeorm';
import type { Calendar } from '../../../shared/calendar/calendar.js';
import { createContext, type Context } from '../../../shared/context.js';
import { answerRequests } from './answer-requests.js';

/** Answers requests for prices in this process, beside what it does for others. */
export interface Repricer {
  /** Looks for requests; at once, or when the look that is under way has ended. */
  wake(context: Context): void;
  /** Ends after the page under way. */
  close(): Promise<void>;
}

/** @param dataSource the way to the database: that of the request is gone when its prices are made */
export function createRepricer(dataSource: Pick<DataSource, 'manager'>, calendar: () => Promise<Calendar>): Repricer {
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
      log.error({ err: error }, 'Prices that were asked for wait for the next look of the job');
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
