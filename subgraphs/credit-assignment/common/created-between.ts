import { requirePeriod } from '../../../shared/bounds.js';

/** Civil days in São Paulo between which something was created, both included; null does not narrow a list. */
export interface CreatedBetween {
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * The days that a caller asks for.
 * @throws {ApiError} BAD_REQUEST for a period that ends before it begins
 */
export function createdBetween(from: string | null | undefined, to: string | null | undefined): CreatedBetween {
  requirePeriod(from, to);
  return { from: from ?? null, to: to ?? null };
}

const startOf = (day: string): string => `((${day})::date::timestamp AT TIME ZONE 'America/Sao_Paulo')`;

/** The lowest id that what is made at an instant can have: ids of a process never lie behind its clock, though they may be ahead of it. */
const lowestIdAt = (instant: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${instant}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/**
 * SQL that narrows a list to what was created in a period: by `created_at`, and where it begins by `id` too, so that the indexes in the
 * order of ids end there.
 * @param place makes a parameter of a value, and answers its name
 */
export function createdWithin({ from, to }: CreatedBetween, place: (value: unknown) => string): string {
  const conditions: string[] = [];
  if (from !== null) {
    const begin = startOf(place(from));
    conditions.push(` AND created_at >= ${begin} AND id >= ${lowestIdAt(begin)}`);
  }
  if (to !== null) conditions.push(` AND created_at < ${startOf(`${place(to)}::date + 1`)}`);
  return conditions.join('');
}
