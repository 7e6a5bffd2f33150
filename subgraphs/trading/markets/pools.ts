import { setTimeout as delay } from 'node:timers/promises';
import { recentReads } from '../../../shared/recent-reads.js';
import type { SupervisedVenue } from '../venues/supervise-venue.js';
import type { VenueBalance } from '../venues/venue.js';

/** ACTIVE: the venue is in use, and told its balances. UNAVAILABLE: one of both is not so. */
export type PoolStatus = 'ACTIVE' | 'UNAVAILABLE';

/** What the house owns at an exchange. */
export interface Pool {
  readonly exchange: string;
  readonly status: PoolStatus;
  /** By currency; what was told last, and none where nothing ever was. */
  readonly balances: readonly VenueBalance[];
  /** When the venue told them; undefined where it never did. */
  readonly updatedAt: Date | undefined;
}

export interface Pools {
  /** The pools of the venues of a world, by name. It never fails: a venue that does not respond in time is UNAVAILABLE. */
  read(synthetic: boolean): Promise<Pool[]>;
}

export interface PoolsOptions {
  /** The venues of a world, by name. */
  readonly venues: (synthetic: boolean) => readonly SupervisedVenue[];
  readonly now: () => Date;
  /** How long a venue is waited for, in milliseconds; 2000 when left out. */
  readonly timeoutMs?: number;
  /** Callers ask together: a venue is asked once in so many milliseconds, however many they are; 1000 when left out. */
  readonly maxAgeMs?: number;
}

type Told = Required<Pick<Pool, 'balances' | 'updatedAt'>>;

/** Reads pools, and keeps what each venue told last. A venue whose breaker is not closed is not asked: its own probes decide. */
export function createPools({ venues, now, timeoutMs = 2_000, maxAgeMs = 1_000 }: PoolsOptions): Pools {
  const last = new Map<string, Told>();
  const find = (key: string) => [...venues(true), ...venues(false)].find((venue) => keyOf(venue) === key);
  const reads = recentReads(
    async (key) => {
      const balances = await find(key)?.balances();
      if (balances !== undefined) last.set(key, { balances: byCurrency(balances), updatedAt: now() });
    },
    { name: 'trading-pools', maxAgeMs, maxEntries: 1_000 },
  );
  const hasTold = async (venue: SupervisedVenue): Promise<boolean> => {
    if (!venue.isUsable()) return false;
    const told = reads.get(keyOf(venue)).then(
      () => true,
      () => false,
    );
    return Promise.race([told, delay(timeoutMs, false, { ref: false })]);
  };
  const poolOf = async (venue: SupervisedVenue): Promise<Pool> => {
    const isActive = await hasTold(venue);
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
