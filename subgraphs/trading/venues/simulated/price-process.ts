import { Decimal } from '../../../../shared/kernel/decimal.js';

/** A price that wanders around an anchor. */
export interface Wander {
  readonly symbol: string;
  readonly anchor: Decimal;
  /** How far it moves, in percent of bitcoin's movement. */
  readonly volatilityPercent: number;
}

/** A pair whose price follows from two others. */
export interface Cross {
  readonly symbol: string;
  readonly of: readonly [string, string];
}

export interface PriceProcess {
  /** The price is unrounded; it depends on seed, symbol and time only, so that instances agree and a restart makes no jump. @throws {RangeError} for a symbol that is not of the process */
  readonly at: (symbol: string, ms: number) => Decimal;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Waves of noise that are added up: the period of each, and its amplitude in parts per million of the anchor. */
const octaves = [
  { periodMs: 64 * dayMs, reachPpm: 160_000 },
  { periodMs: 16 * dayMs, reachPpm: 80_000 },
  { periodMs: 4 * dayMs, reachPpm: 40_000 },
  { periodMs: dayMs, reachPpm: 20_000 },
  { periodMs: 6 * hourMs, reachPpm: 10_000 },
  { periodMs: 90 * minuteMs, reachPpm: 4_000 },
  { periodMs: 20 * minuteMs, reachPpm: 1_500 },
  { periodMs: 4 * minuteMs, reachPpm: 500 },
  { periodMs: 45_000, reachPpm: 150 },
  { periodMs: 10_000, reachPpm: 50 },
] as const;

const million = 1_000_000;
const millionth = new Decimal('0.000001');

/** Value noise (Perlin, 1985) over time in several octaves: mean-reverting, bounded, continuous. */
export function createPriceProcess(
  seed: string,
  wanders: readonly Wander[],
  crosses: readonly Cross[] = [],
): PriceProcess {
  const noises = new Map(
    wanders.map((wander) => [wander.symbol, { ...wander, noise: noiseOf(`${seed} ${wander.symbol}`) }]),
  );
  const parts = new Map(crosses.map(({ symbol, of }) => [symbol, of]));
  const at = (symbol: string, ms: number): Decimal => {
    const own = noises.get(symbol);
    // The share is a whole number of millionths, so that the product is exact.
    if (own !== undefined) {
      const ppm = Math.round((own.noise(ms) * own.volatilityPercent) / 100);
      return own.anchor.times(million + ppm).times(millionth);
    }
    const cross = parts.get(symbol);
    if (cross === undefined) throw new RangeError(`There is no price of ${symbol}`);
    return at(cross[0], ms).times(at(cross[1], ms));
  };
  return { at };
}

function noiseOf(seed: string): (ms: number) => number {
  const lattices = octaves.map(({ periodMs, reachPpm }) => {
    const value = latticeOf(`${seed} ${String(periodMs)}`, reachPpm);
    return (ms: number): number => {
      const index = Math.floor(ms / periodMs);
      const part = ms / periodMs - index;
      const smooth = part * part * (3 - 2 * part);
      const [from, to] = [value(index), value(index + 1)];
      return from + (to - from) * smooth;
    };
  });
  return (ms) => lattices.reduce((sum, lattice) => sum + lattice(ms), 0);
}

/** Returns a whole number from `-reach` to `reach` for each index, derived from the seed. */
function latticeOf(seed: string, reach: number): (index: number) => number {
  const start = hashOf(seed);
  return (index) => (mix(start ^ mix(index | 0)) % (2 * reach + 1)) - reach;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  return hash;
}

/** The finalizer of MurmurHash3 by Austin Appleby (public domain): every bit of the result depends on every bit of the value. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 2_246_822_507);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 3_266_489_909);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
