/** A seeded random source: the same seed yields the same values on every machine. */
export interface Random {
  /** Returns an integer from `min` to `max`, both inclusive. */
  int(min: number, max: number): number;
  /** Returns true with a probability of `percent`. */
  chance(percent: number): boolean;
  pick<T>(list: readonly T[]): T;
  digits(count: number): string;
  /** Returns hexadecimal digits in lower case. */
  hex(count: number): string;
}

/** The generator sfc32 by Chris Doty-Humphrey (PractRand, public domain), seeded with a text. */
export function createRandom(seed: string): Random {
  const state = new Uint32Array(4);
  for (let at = 0; at < seed.length; at++) {
    const slot = at % 4;
    state[slot] = Math.imul((state[slot] ?? 0) ^ seed.charCodeAt(at), 2_654_435_761);
  }
  const next = (): number => {
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const drawn = (a + b + counter) | 0;
    state.set([b ^ (b >>> 9), (c + (c << 3)) | 0, (((c << 21) | (c >>> 11)) + drawn) | 0, counter + 1]);
    return drawn >>> 0;
  };
  for (let warmUp = 0; warmUp < 16; warmUp++) next();
  const int = (min: number, max: number) => min + (next() % (max - min + 1));
  return {
    int,
    chance: (percent) => int(1, 100) <= percent,
    pick: (list) => {
      const picked = list[int(0, list.length - 1)];
      if (picked === undefined) throw new RangeError('An empty list has no element to pick');
      return picked;
    },
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(''),
    hex: (count) => Array.from({ length: count }, () => int(0, 15).toString(16)).join(''),
  };
}
