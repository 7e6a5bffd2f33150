import type { AssetStatus, AssetType } from './asset.js';

/** Selects the assets of a list; null or empty fields do not narrow it. */
export interface AssetQuery {
  readonly patrimonyId: string | null;
  readonly status: AssetStatus | null;
  readonly type: AssetType | null;
  /** Normalised words: each must be part of the external id or of the name of a legal person. */
  readonly words: readonly string[];
}

/** Returns a key that is equal for queries with equal results. */
export function keyOf({ patrimonyId, status, type, words }: AssetQuery): string {
  return JSON.stringify([patrimonyId, status, type, words]);
}

/**
 * Position of an asset in every list: the number of its registration and, among assets registered together, its id, as in
 * `12/0190b1a0-…`. Numbers grow in commit order, so no asset appears before a place that a reader has already passed.
 */
export type AssetPlace = string;

export const beforeAll: AssetPlace = '0/00000000-0000-0000-0000-000000000000';
export const afterAll: AssetPlace = '9223372036854775807/ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Splits a place into its parts. A cursor from before registrations were numbered is an id alone; assets of that time have the number 0. */
export function partsOf(place: AssetPlace): { readonly registration: string; readonly id: string } {
  const [registration = '', id] = place.split('/');
  return id === undefined ? { registration: '0', id: registration } : { registration, id };
}

export function placeOf({ registration, id }: { readonly registration: string; readonly id: string }): AssetPlace {
  return `${registration}/${id}`;
}

/** A range of places in a list: `limit` places, skipping `offset` after a given one, or before it. */
export interface AssetPlaces {
  /** Null for the beginning of the list, or for its end where `backward`. */
  readonly after: AssetPlace | null;
  /** Whether the places are read against the order of the list. */
  readonly backward?: boolean;
  readonly offset: number;
  readonly limit: number;
}

const placeBytes = 24;

/** The places that a search found, in order, 24 bytes each. */
export type PackedPlaces = Buffer;

export function countPacked(places: PackedPlaces): number {
  return places.length / placeBytes;
}

/** Returns a range of the places as text, in the order in which they are read. */
export function unpack(found: PackedPlaces, { after, backward = false, offset, limit }: AssetPlaces): AssetPlace[] {
  const total = countPacked(found);
  const [start, step] = backward
    ? [(after === null ? total : countBefore(found, after)) - 1 - offset, -1]
    : [(after === null ? 0 : countUpTo(found, after)) + offset, 1];
  const left = backward ? start + 1 : total - start;
  return Array.from({ length: Math.max(0, Math.min(limit, left)) }, (_, index) => {
    const at = (start + step * index) * placeBytes;
    const id = toUuid(found.subarray(at + 8, at + placeBytes).toString('hex'));
    return placeOf({ registration: String(found.readBigInt64BE(at)), id });
  });
}

/** Counts the places up to and including a given one, which need not be among them. */
function countUpTo(found: PackedPlaces, place: AssetPlace): number {
  return countWhile(found, place, (order) => order <= 0);
}

/** Counts the places before a given one. */
function countBefore(found: PackedPlaces, place: AssetPlace): number {
  return countWhile(found, place, (order) => order < 0);
}

/** @param counts whether a place is counted that compares with the given one in this way */
function countWhile(found: PackedPlaces, place: AssetPlace, counts: (order: number) => boolean): number {
  const wanted = pack(place);
  let low = 0;
  let high = countPacked(found);
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = middle * placeBytes;
    if (counts(found.compare(wanted, 0, placeBytes, at, at + placeBytes))) low = middle + 1;
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
