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

/**
 * Where an asset stands in every list: the number of its registration, and among those that were registered together its id, as
 * `12/0190b1a0-…`. Numbers grow in the order of the commits, so that nothing comes before a place that somebody has passed.
 */
export type AssetPlace = string;

export const beforeAll: AssetPlace = '0/00000000-0000-0000-0000-000000000000';

/** The parts of a place. A cursor from before registrations were numbered is an id alone: what was there then has the number 0. */
export function partsOf(place: AssetPlace): { readonly registration: string; readonly id: string } {
  const [registration = '', id] = place.split('/');
  return id === undefined ? { registration: '0', id: registration } : { registration, id };
}

export function placeOf({ registration, id }: { readonly registration: string; readonly id: string }): AssetPlace {
  return `${registration}/${id}`;
}

/** Some places of a list, in order: `limit` of them, `offset` places after another one. */
export interface AssetPlaces {
  /** Null for the beginning of the list. */
  readonly after: AssetPlace | null;
  readonly offset: number;
  readonly limit: number;
}

const placeBytes = 24;

/** Places in order, 24 bytes each: what a search found. */
export type PackedPlaces = Buffer;

export function countPacked(places: PackedPlaces): number {
  return places.length / placeBytes;
}

/** Some of the places, as text. */
export function unpack(found: PackedPlaces, { after, offset, limit }: AssetPlaces): AssetPlace[] {
  const start = (after === null ? 0 : countUpTo(found, after)) + offset;
  const count = Math.max(0, Math.min(limit, countPacked(found) - start));
  return Array.from({ length: count }, (_, index) => {
    const at = (start + index) * placeBytes;
    const id = toUuid(found.subarray(at + 8, at + placeBytes).toString('hex'));
    return placeOf({ registration: String(found.readBigInt64BE(at)), id });
  });
}

/** How many of the places are not after one, whether it is among them or not. */
function countUpTo(found: PackedPlaces, place: AssetPlace): number {
  const wanted = pack(place);
  let low = 0;
  let high = countPacked(found);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * placeBytes;
    if (found.compare(wanted, 0, placeBytes, at, at + placeBytes) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pack(place: AssetPlace): Buffer {
  const { registration, id } = partsOf(place);
  const bytes = Buffer.alloc(placeBytes);
  bytes.writeBigInt64BE(BigInt(registration));
  bytes.write(id.replaceAll('-', ''), 8, 'hex');
  return bytes;
}

function toUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
