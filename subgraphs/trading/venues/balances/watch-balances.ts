import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../../shared/kernel/context.js';
import { keepFindings } from '../../ledger/findings.acts.js';
import type { SupervisedVenue } from '../supervise-venue.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { VenueBalance } from '../venue.js';
import { Gauge } from 'prom-client';
import type { Clock } from '../../../../shared/kernel/clock.js';

export interface BalanceWatch {
  start(): void;
  /** Looks once at each venue. It never fails: a venue that does not respond is looked at again later. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** Looks in a row with the same difference before it becomes a finding: work under way changes the two sides at different times. */
const looksNeeded = 3;

/** A look counts if nothing of the house is unsettled there meanwhile; the same difference three times in a row is a finding, which halts nothing. @param venues that outlive the program */
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
      for (const { name } of venues) looks.delete(name);
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

/** Returns balances that differ by a unit of the last decimal in which the venue keeps it, or more; leaves out currencies that the house does not know. @param decimals unknown ones are compared exactly */
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

interface LookCount {
  /** Adds the result of a look. @returns the differences that were the same in the last looks, including this one */
  add(differences: readonly Difference[]): Difference[];
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

interface VenueAccounts {
  /** True also while fills are missing that the venue has reported. A resting order does not count: the funds set aside for it are still the house's. */
  readonly unsettled: boolean;
  /** The number of postings to the accounts. */
  readonly movements: string;
  /** The house's balances there, as decimal text, in every currency. */
  readonly held: ReadonlyMap<string, string>;
}

interface Row {
  readonly unsettled: boolean;
  readonly movements: string;
  readonly held: readonly { readonly currency: string; readonly amount: string }[];
}

const isUnsettled = `(sent.state IN ('SENDING', 'OPEN', 'UNKNOWN') OR sent.filled_amount < sent.reported_amount)`;

/** Reads the accounts of a venue. In the ledger the house's holdings are negative. */
async function readVenueAccounts(
  { manager }: Context,
  { name, synthetic }: { readonly name: string; readonly synthetic: boolean },
): Promise<VenueAccounts> {
  const row = await manager.one<Row>(
    `WITH account AS (
       SELECT code AS currency, coalesce(-sum(balance), 0) AS amount, coalesce(sum(entry_count), 0) AS movements
       FROM trading.currencies
       LEFT JOIN trading.ledger_accounts ON owner = $1 AND kind = 'VENUE' AND currency = code AND synthetic = $2
       GROUP BY code
     )
     SELECT sum(movements)::text AS movements, json_agg(json_build_object('currency', currency, 'amount', amount::text)) AS held,
       EXISTS (SELECT FROM trading.executions AS sent WHERE venue = $1 AND synthetic = $2 AND ${isUnsettled}
           AND NOT (state = 'OPEN' AND filled_amount >= reported_amount AND next_look_at IS NULL))
         OR EXISTS (SELECT FROM trading.hedges AS hedge JOIN trading.hedge_orders AS sent USING (quote_id)
           WHERE hedge.state = 'OPEN' AND hedge.synthetic = $2 AND venue = $1 AND ${isUnsettled}) AS unsettled
     FROM account`,
    [name, synthetic],
  );
  return { ...row, held: new Map(row.held.map(({ currency, amount }) => [currency, amount])) };
}

interface Looks {
  readonly clock: Clock;
  readonly lastMs: number;
}

const looks = new Map<string, Looks>();

/** Grows while no look at a venue counts: then `VENUE_BALANCE` cannot find anything there. Exposed at `/metrics`. */
export const lookAge = new Gauge({
  name: 'trading_venue_balance_look_age_seconds',
  help: 'Seconds since the balances at a venue were last compared with the ledger, or since the process started to compare them.',
  labelNames: ['venue'],
  registers: [],
  collect() {
    this.reset();
    for (const [venue, { clock, lastMs }] of looks) this.set({ venue }, (clock.now().getTime() - lastMs) / 1_000);
  },
});

/** Notes a look at a venue that counted, or the start of the looks. */
function noteLook(venue: string, clock: Clock): void {
  looks.set(venue, { clock, lastMs: clock.now().getTime() });
}
