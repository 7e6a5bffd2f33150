import type { Stop } from './venue.js';

/** Those who want to hear of something. */
export interface Listeners<T> {
  readonly add: (listener: (value: T) => void) => Stop;
  readonly tell: (value: T) => void;
  readonly count: number;
}

/** @param onError hears of a listener that throws; the others are told all the same */
export function createListeners<T>(onError: (error: unknown) => void): Listeners<T> {
  const all = new Set<(value: T) => void>();
  return {
    add: (listener) => {
      // One function may be given twice; each is stopped by itself.
      const own = (value: T) => {
        listener(value);
      };
      all.add(own);
      return () => {
        all.delete(own);
      };
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
