import type { Clock } from '../../../shared/clock.js';
import { newId } from '../../../shared/ids.js';
import type { Logger } from '../../../shared/log.js';
import { createSimulatedWorld } from './simulated/world.js';
import type { SimulatedExchange } from './simulated/exchange.js';
import { superviseVenue, type SupervisedVenue } from './supervise-venue.js';
import type { Venue } from './venue.js';

export interface VenuesOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether the real world has simulated exchanges, too: for the demo. */
  readonly demo: boolean;
  /** Real exchanges. */
  readonly exchanges?: readonly Venue[];
  readonly tickMs?: number;
}

/** All venues of the process, each behind its circuit breaker. */
export interface Venues {
  readonly all: readonly SupervisedVenue[];
  /** Those among them that are simulated, without the breaker: for `restore` before they start. */
  readonly simulated: readonly SimulatedExchange[];
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Opens the venues: the synthetic world always has two simulated exchanges, the real world has the given exchanges and, in the demo, two
 * simulated ones of its own. Nothing runs before `start`. Each process has simulated exchanges of its own.
 */
export function openVenues({ clock, log, demo, exchanges = [], tickMs }: VenuesOptions): Venues {
  const worlds = demo ? [false, true] : [true];
  const epoch = newId().replaceAll('-', '');
  const pace = tickMs === undefined ? {} : { tickMs };
  const simulated = worlds.flatMap((synthetic) => createSimulatedWorld({ synthetic, clock, log, epoch, ...pace }));
  const all = [...simulated, ...exchanges].map((venue) => superviseVenue(venue, { clock, log }));
  return {
    all,
    simulated,
    start: async () => {
      for (const venue of all) await venue.start();
    },
    stop: async () => {
      for (const venue of all) await venue.stop();
    },
  };
}
