import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../../shared/kernel/context.js';
import { keepFindings } from '../../ledger/findings.acts.js';
import type { SupervisedVenue } from '../supervise-venue.js';
import { forgetLooks, noteLook } from './metrics.js';
import { readVenueAccounts, type VenueAccounts } from './venue-account.store.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { VenueBalance } from '../venue.js';

/** Compares the balances that venues report with the ledger. */
export interface BalanceWatch {
  /** Starts the periodic looks. */
  start(): void;
  /** Looks once at each venue. It never fails: a venue that does not respond is looked at again later. */
  look(): Promise<void>;
  /** Stops once the work under way has ended. */
  stop(): Promise<void>;
}

/** Looks in a row with the same difference before it becomes a finding: work under way changes the two sides at different times. */
const looksNeeded = 3;

/**
 * Creates the watch of a process. A look counts if nothing of the house is unsettled at the venue and no account of it changed meanwhile; a
 * difference that was the same in three looks in a row is stored as a finding, `VENUE_BALANCE`, which halts nothing.
 * @param venues exchanges that outlive the program: a simulated one has its initial funds again after each start
 */
export function createBalanceWatch(
  context: Context,
  venues: readonly SupervisedVenue[],
  everyMs = 15_000,
): BalanceWatch {
  const ended = new AbortController();
  const counts = new Map(venues.map((venue) => [venue, createLookCount(looksNeeded)]));
  for (const { name } of venues) noteLook(name, context.clock);
  let running: Promise<void> = Promise.resolve();
  const look = async () => {
    await Promise.all([...counts].map(([venue, count]) => lookAt(context, venue, count)));
  };
  const isNext = () => sleep(everyMs, true, { ref: false, signal: ended.signal }).catch(() => false);
  const loop = async () => {
    while (await isNext()) await look();
  };
  return {
    start: () => {
      if (venues.length > 0) running = loop();
    },
    look,
    stop: async () => {
      ended.abort();
      await running;
      for (const { name } of venues) forgetLooks(name);
    },
  };
}

async function lookAt(context: Context, venue: SupervisedVenue, count: LookCount): Promise<void> {
  try {
    const differences = await compare(context, venue);
    if (differences === undefined) {
      count.forget();
      return;
    }
    const { name, synthetic } = venue;
    noteLook(name, context.clock);
    const lasting = count.add(differences).map(({ currency, expected, actual }) => ({
      invariant: 'VENUE_BALANCE' as const,
      currency,
      synthetic,
      subject: `venue ${name}`,
      expected: expected.toFixed(),
      actual: actual.toFixed(),
    }));
    await keepFindings(context, lasting);
  } catch (error) {
    count.forget();
    context.log.warn(
      { err: error, venue: venue.name },
      'The balances of a venue could not be compared with the ledger',
    );
  }
}

/** Returns how a venue differs from the books; undefined if that cannot be determined now. */
async function compare(context: Context, venue: SupervisedVenue): Promise<Difference[] | undefined> {
  // Its breaker probes it; a look does not.
  if (!venue.isUsable()) return undefined;
  const before = await readVenueAccounts(context, venue);
  if (before.unsettled) return undefined;
  const balances = await venue.balances();
  const after = await readVenueAccounts(context, venue);
  if (after.unsettled || after.movements !== before.movements) return undefined;
  return differencesOf(after, balances, venue.balanceDecimals?.() ?? new Map());
}

interface Difference {
  readonly currency: string;
  /** The house's balance there by the ledger, and by the venue. */
  readonly expected: Decimal;
  readonly actual: Decimal;
}

const none = new Decimal(0);
/** The precision of the books. */
const mostDecimals = 18;

/**
 * Returns the currencies in which a venue's balance differs from the ledger: by a unit of the last decimal in which the venue keeps it, or more.
 * Currencies that the house does not know are not in its books.
 * @param decimals in which the venue keeps currencies; unknown ones are compared exactly
 */
export function differencesOf(
  { held }: VenueAccounts,
  balances: readonly VenueBalance[],
  decimals: ReadonlyMap<string, number>,
): Difference[] {
  const said = new Map(balances.map(({ currency, available, locked }) => [currency, available.plus(locked)]));
  return [...held].flatMap(([currency, amount]) => {
    const expected = new Decimal(amount);
    const actual = said.get(currency) ?? none;
    // An exchange that keeps fewer decimals than the books rounds its balances.
    const step = new Decimal(10).pow(-(decimals.get(currency) ?? mostDecimals));
    const isSame = actual.equals(expected) || actual.minus(expected).abs().lessThan(step);
    return isSame ? [] : [{ currency, expected, actual }];
  });
}

/** Distinguishes lasting differences from passing ones. */
interface LookCount {
  /** Adds the result of a look. @returns the differences that were the same in the last looks, including this one */
  add(differences: readonly Difference[]): Difference[];
  /** Discards the results so far. */
  forget(): void;
}

/** @param needed number of looks in a row with the same difference before it counts */
function createLookCount(needed: number): LookCount {
  let seen = new Map<string, { readonly by: Decimal; readonly times: number }>();
  return {
    add: (differences) => {
      const before = seen;
      seen = new Map(
        differences.map(({ currency, expected, actual }) => {
          const by = actual.minus(expected);
          const last = before.get(currency);
          return [currency, { by, times: last?.by.equals(by) === true ? last.times + 1 : 1 }];
        }),
      );
      return differences.filter(({ currency }) => (seen.get(currency)?.times ?? 0) >= needed);
    },
    forget: () => {
      seen = new Map();
    },
  };
}
