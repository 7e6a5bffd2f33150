import { refuse, errorAt } from './errors.js';

export interface Bounded {
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

/** Checks several numbers against their bounds and reports all violations together. @throws {ApiError} BAD_REQUEST with one detail for each number out of bounds */
export function requireBounds(...numbers: readonly Bounded[]): void {
  const outside = numbers.filter(({ value, min, max }) => value < min || value > max);
  refuse(
    'BAD_REQUEST',
    outside.map(({ name, min, max }) => errorAt(name, 'NUMBER_RANGE', { min, max })),
  );
}

/** Rejects a period that ends before it begins. @throws {ApiError} BAD_REQUEST */
export function requirePeriod(from: string | null | undefined, to: string | null | undefined): void {
  if (from != null && to != null && to < from) {
    refuse('BAD_REQUEST', [errorAt('to', 'NOT_BEFORE', { field: 'from' })]);
  }
}
