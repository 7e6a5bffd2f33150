import { setTimeout as delay } from 'node:timers/promises';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { shared } from '../../../shared/memo.js';
import type { SupervisedVenue } from '../venues/supervise-venue.js';
import type { VenueBalance } from '../venues/venue.js';

/** ACTIVE: the venue is in use, and its balances are known. UNAVAILABLE: otherwise. */
export type PoolStatus = 'ACTIVE' | 'UNAVAILABLE';

export interface Pool {
  readonly exchange: string;
  readonly status: PoolStatus;
  /** The last known balances by currency, empty if there never were any. */
  readonly balances: readonly VenueBalance[];
  /** When the venue reported them; undefined if it never did. */
  readonly updatedAt: Date | undefined;
}

export interface Pools {
  /** Returns the venues' pools, live or synthetic, by name. Never fails: a venue that does not respond in time is UNAVAILABLE. */
  read(synthetic: boolean): Promise<Pool[]>;
}

export interface PoolsOptions {
  readonly venues: (synthetic: boolean) => readonly SupervisedVenue[];
  readonly now: () => Date;
  /** How long to wait for a venue, in milliseconds; 2000 by default. */
  readonly timeoutMs?: number;
  /** Callers share requests: a venue is asked once in this many milliseconds; 1000 by default. */
  readonly maxAgeMs?: number;
}

type Snapshot = Required<Pick<Pool, 'balances' | 'updatedAt'>>;

/** Shown figures stay the same for ten minutes: otherwise frequent callers could observe each trade of others as it happens. */
const shownForMs = 600_000;

/** All callers see the same figures for ten minutes. A venue whose breaker is not closed is not asked: its own probes decide. */
export function createPools({ venues, now, timeoutMs = 2_000, maxAgeMs = 1_000 }: PoolsOptions): Pools {
  const last = new Map<string, Snapshot>();
  const ageMs = ({ updatedAt }: Snapshot) => now().getTime() - (updatedAt?.getTime() ?? 0);
  const find = (key: string) => [...venues(true), ...venues(false)].find((venue) => keyOf(venue) === key);
  const reads = shared<boolean>({
    name: 'trading-pools',
    keptMs: maxAgeMs,
    maxEntries: 1_000,
    keeps: (responded) => responded,
  });
  const read = async (key: string): Promise<void> => {
    const balances = await find(key)?.balances();
    const known = last.get(key);
    if (balances === undefined || (known !== undefined && ageMs(known) < shownForMs)) return;
    last.set(key, { balances: byCurrency(balances), updatedAt: now() });
  };
  const responds = async (venue: SupervisedVenue): Promise<boolean> => {
    if (!venue.isUsable()) return false;
    const key = keyOf(venue);
    const response = reads(key, () =>
      read(key).then(
        () => true,
        () => false,
      ),
    );
    return Promise.race([response, delay(timeoutMs, false, { ref: false })]);
  };
  const poolOf = async (venue: SupervisedVenue): Promise<Pool> => {
    const isActive = await responds(venue);
    const { balances, updatedAt } = last.get(keyOf(venue)) ?? { balances: [], updatedAt: undefined };
    return { exchange: venue.name, status: isActive ? 'ACTIVE' : 'UNAVAILABLE', balances, updatedAt };
  };
  return { read: (synthetic) => Promise.all(venues(synthetic).map(poolOf)) };
}

function keyOf({ name, synthetic }: SupervisedVenue): string {
  return `${String(synthetic)} ${name}`;
}

function byCurrency(balances: readonly VenueBalance[]): VenueBalance[] {
  return [...balances].sort((left, right) => (left.currency < right.currency ? -1 : 1));
}

/** Shows the order of magnitude and nothing of single trades: both parts are rounded down to a step of the second significant digit of their sum. */
export function coarse({ currency, available, locked }: VenueBalance): VenueBalance {
  const total = available.plus(locked);
  // A negative balance, as after a correction by an exchange, is shown as zero.
  if (!total.greaterThan(0)) return { currency, available: new Decimal(0), locked: new Decimal(0) };
  const step = new Decimal(10).pow(total.e - 1);
  const down = (amount: Decimal) => Decimal.max(0, amount).dividedBy(step).floor().times(step);
  return { currency, available: down(available), locked: down(locked) };
}
