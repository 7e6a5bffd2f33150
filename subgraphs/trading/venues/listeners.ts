import type { Logger } from '../../../shared/kernel/log.js';
import type { Fill, Stop, Trade } from './venue.js';

export interface Listeners<T> {
  readonly add: (listener: (value: T) => void) => Stop;
  readonly tell: (value: T) => void;
  readonly count: number;
}

/** @param onError receives the error of a listener that throws; the others are still called */
export function createListeners<T>(onError: (error: unknown) => void): Listeners<T> {
  const all = new Set<(value: T) => void>();
  return {
    add: (listener) => {
      // The same function may be added twice; each subscription ends by itself.
      const own = (value: T) => {
        listener(value);
      };
      all.add(own);
      return () => all.delete(own);
    },
    tell: (value) => {
      for (const listener of all) {
        try {
          listener(value);
        } catch (error) {
          onError(error);
        }
      }
    },
    get count() {
      return all.size;
    },
  };
}

export interface VenueListeners {
  /** Listeners to the symbol of a changed book. */
  readonly onBook: Listeners<string>;
  readonly onTrade: Listeners<Trade>;
  readonly onFill: Listeners<Fill>;
}

export function createVenueListeners(log: Logger, venue: string): VenueListeners {
  const onError = (err: unknown): void => log.error({ err, venue }, 'A listener of a venue failed');
  return { onBook: createListeners(onError), onTrade: createListeners(onError), onFill: createListeners(onError) };
}
