import { nobody, type Movement } from './movement.js';

/** Consecutive tokens of one owner. Ids are inclusive. */
export interface TokenRange {
  readonly first: bigint;
  readonly last: bigint;
  readonly owner: string;
}

type Transfer = Pick<Movement, 'from' | 'to' | 'firstTokenId' | 'lastTokenId'>;

export interface Moved {
  /** In the order of the ids; neighbours with the same owner are merged. */
  readonly ranges: readonly TokenRange[];
  /** Number of movements whose sender did not own the token. They are applied anyway: the chain is authoritative. */
  readonly gaps: number;
}

/** @param known ranges in the order of their ids, without overlaps */
export function moveTokens(known: readonly TokenRange[], transfers: readonly Transfer[]): Moved {
  const ranges = [...known];
  let gaps = 0;
  for (const transfer of transfers) if (!move(ranges, transfer)) gaps += 1;
  return { ranges, gaps };
}

/** Returns the movements that undo others: in reverse order, with sender and recipient swapped. */
export function undoing(transfers: readonly Transfer[]): Transfer[] {
  return transfers
    .toReversed()
    .map(({ from, to, firstTokenId, lastTokenId }) => ({ from: to, to: from, firstTokenId, lastTokenId }));
}

/** Changes `ranges` in place. @returns whether the sender owned all of the tokens */
function move(ranges: TokenRange[], { from, to, firstTokenId: first, lastTokenId: last }: Transfer): boolean {
  const begin = firstFrom(ranges, first - 1n);
  let end = begin;
  let given = 0n;
  let strange = false;
  const pieces: TokenRange[] = to === nobody ? [] : [{ first, last, owner: to }];
  for (; end < ranges.length; end++) {
    const range = ranges[end];
    if (range === undefined || range.first > last + 1n) break;
    if (range.first < first) pieces.push({ ...range, last: range.last < first ? range.last : first - 1n });
    if (range.last > last) pieces.push({ ...range, first: range.first > last ? range.first : last + 1n });
    const shared = smaller(range.last, last) - larger(range.first, first) + 1n;
    if (shared <= 0n) continue;
    if (range.owner === from) given += shared;
    else strange = true;
  }
  ranges.splice(begin, end - begin, ...merge(pieces));
  return !strange && given === (from === nobody ? 0n : last - first + 1n);
}

/** Returns the index of the first range that contains a token or lies beyond it. */
function firstFrom(ranges: readonly TokenRange[], token: bigint): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range !== undefined && range.last < token) low = middle + 1;
    else high = middle;
  }
  return low;
}

function merge(pieces: readonly TokenRange[]): TokenRange[] {
  const merged: TokenRange[] = [];
  for (const piece of pieces.toSorted((left, right) => (left.first < right.first ? -1 : 1))) {
    const before = merged.at(-1);
    if (before?.owner === piece.owner && before.last + 1n === piece.first) {
      merged[merged.length - 1] = { ...before, last: piece.last };
    } else merged.push(piece);
  }
  return merged;
}

const smaller = (left: bigint, right: bigint) => (left < right ? left : right);
const larger = (left: bigint, right: bigint) => (left > right ? left : right);
