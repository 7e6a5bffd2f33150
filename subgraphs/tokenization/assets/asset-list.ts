import type { AssetStatus } from './asset.js';
import type { AssetType } from '../../securities/asset-type.js';

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

/** A place is the number of the registration and, among assets registered together, the id: `12/0190b1a0-…`. Numbers grow in commit order: no asset appears before a place already passed. */
export type AssetPlace = string;

export const beforeAll: AssetPlace = '0/00000000-0000-0000-0000-000000000000';
export const afterAll: AssetPlace = '9223372036854775807/ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Splits a place into its parts. A cursor from before registrations were numbered is only an id; assets of that time have the number 0. */
export function partsOf(place: AssetPlace): { readonly registration: string; readonly id: string } {
  const [registration = '', id] = place.split('/');
  return id === undefined ? { registration: '0', id: registration } : { registration, id };
}

export function comparePlaces(one: AssetPlace, other: AssetPlace): number {
  const [a, b] = [partsOf(one), partsOf(other)];
  const between = BigInt(a.registration) - BigInt(b.registration);
  if (between !== 0n) return between < 0n ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
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
