import type { Clock } from '../../../shared/kernel/clock.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { createSimulatedWorld } from './simulated/world.js';
import type { SimulatedExchange } from './simulated/exchange.js';
import { superviseVenue, type SupervisedVenue } from './supervise-venue.js';
import type { Venue, VenueBalance } from './venue.js';
import type { Context } from '../../../shared/kernel/context.js';
import { findPosted } from '../ledger/ledger.store.js';
import { postJournals, type Journal } from '../ledger/post-journals.js';

export interface VenuesOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether live trading has simulated exchanges as well, for the demo. */
  readonly demo: boolean;
}

/** All venues of the process, each behind its circuit breaker. */
export interface Venues {
  readonly all: readonly SupervisedVenue[];
  /** The simulated ones among them, without the breaker, for `restore` before they start. */
  readonly simulated: readonly SimulatedExchange[];
  /** Adds a real exchange, before `start`. */
  add(exchange: Venue): SupervisedVenue;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens two simulated exchanges for synthetic trading and, in the demo, two for live trading, which also has the added venues. Each process has its own. */
export function openVenues({ clock, log, demo }: VenuesOptions): Venues {
  const worlds = demo ? [false, true] : [true];
  const epoch = newId().replaceAll('-', '');
  const simulated = worlds.flatMap((synthetic) => createSimulatedWorld({ synthetic, clock, log, epoch }));
  const all = simulated.map((venue) => superviseVenue(venue, { clock, log }));
  return {
    all,
    simulated,
    add: (exchange) => {
      const venue = superviseVenue(exchange, { clock, log });
      all.push(venue);
      return venue;
    },
    start: async () => {
      for (const venue of all) await venue.start();
    },
    stop: async () => {
      for (const venue of all) await venue.stop();
    },
  };
}

/** Books the capital once; later trades there are posted with each fill. @throws outside of `inTransaction` */
export async function bookCapital(
  tx: Context,
  { name, synthetic }: { readonly name: string; readonly synthetic: boolean },
  balances: readonly VenueBalance[],
): Promise<void> {
  const journals: Journal[] = balances.flatMap(({ currency, available, locked }) => {
    const amount = available.plus(locked);
    if (amount.isZero()) return [];
    return {
      key: `venue.capital:${name}:${currency}`,
      cause: 'venue.capital',
      causeId: name,
      synthetic,
      postings: [
        { account: { kind: 'CAPITAL', currency }, amount },
        { account: { kind: 'VENUE', venue: name, currency }, amount: amount.negated() },
      ],
    };
  });
  const posted = await findPosted(
    tx,
    journals.map(({ key }) => key),
  );
  await postJournals(
    tx,
    journals.filter(({ key }) => !posted.has(key)),
  );
}
