import type { AssetStatus, AssetType } from './asset.js';

/** Which assets a list holds: what is null, or empty, does not narrow it. */
export interface AssetQuery {
  readonly patrimonyId: string | null;
  readonly status: AssetStatus | null;
  readonly type: AssetType | null;
  /** Words, normalised: each of them is part of the external id or of the name of a legal person. */
  readonly words: readonly string[];
}

/** The same text for queries that find the same. */
export function keyOf({ patrimonyId, status, type, words }: AssetQuery): string {
  return JSON.stringify([patrimonyId, status, type, words]);
}

/** Some places of a list in the order of the ids: `limit` of them, `offset` places after the one of an id. */
export interface AssetPlaces {
  /** Null for the beginning of the list. */
  readonly after: string | null;
  readonly offset: number;
  readonly limit: number;
}

const idBytes = 16;

/** Ids in order, 16 bytes each: what a search found. */
export type PackedIds = Buffer;

export function countPacked(ids: PackedIds): number {
  return ids.length / idBytes;
}

/** The ids at some places, as text. */
export function unpack(ids: PackedIds, { after, offset, limit }: AssetPlaces): string[] {
  const start = (after === null ? 0 : placeAfter(ids, after)) + offset;
  const places = Math.max(0, Math.min(limit, countPacked(ids) - start));
  return Array.from({ length: places }, (_, index) => {
    const at = (start + index) * idBytes;
    return toUuid(ids.subarray(at, at + idBytes).toString('hex'));
  });
}

/** How many of the ids are not after one, whether it is among them or not. */
function placeAfter(ids: PackedIds, id: string): number {
  const wanted = Buffer.from(id.replaceAll('-', ''), 'hex');
  let low = 0;
  let high = countPacked(ids);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * idBytes;
    if (ids.compare(wanted, 0, idBytes, at, at + idBytes) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
