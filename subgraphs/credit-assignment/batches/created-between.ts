import { requirePeriod } from '../../../shared/kernel/bounds.js';

/** A period of creation: civil days in São Paulo, both included; null does not narrow a list. */
export interface CreatedBetween {
  readonly from: string | null;
  readonly to: string | null;
}

/** @throws {ApiError} BAD_REQUEST for a period that ends before it begins */
export function createdBetween(from: string | null | undefined, to: string | null | undefined): CreatedBetween {
  requirePeriod(from, to);
  return { from: from ?? null, to: to ?? null };
}

const startOf = (day: string): string => `((${day})::date::timestamp AT TIME ZONE 'America/Sao_Paulo')`;

/** Returns the lowest id that a row created at an instant can have: ids of a process never lag behind its clock, though they may run ahead of it. */
const lowestIdAt = (instant: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${instant}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** Compares `created_at`, and at the start of the period also `id`, so that scans of the indexes in the order of ids end there. @param place adds a value as a parameter and returns its name */
export function createdWithin({ from, to }: CreatedBetween, place: (value: unknown) => string): string {
  const conditions: string[] = [];
  if (from !== null) {
    const begin = startOf(place(from));
    conditions.push(` AND created_at >= ${begin} AND id >= ${lowestIdAt(begin)}`);
  }
  if (to !== null) conditions.push(` AND created_at < ${startOf(`${place(to)}::date + 1`)}`);
  return conditions.join('');
}
