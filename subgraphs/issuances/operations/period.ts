import { ArgsType } from 'type-graphql';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { requirePeriod } from '../../../shared/kernel/bounds.js';
import {
  connectionPage,
  pageOfList,
  type ConnectionArguments,
  type ListKey,
} from '../../../shared/graphql/list-page.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import { ofPage } from '../../../shared/graphql/connection-type.js';
import { args, nullable } from '../../../shared/graphql/fields.js';

/** Number of items on a page of a list of an operation. */
export const partPage = { usual: 200, most: 1000 } as const;

@ArgsType()
export class PartPageArgs extends args(ofPage(partPage)) {}

@ArgsType()
export class PeriodArgs extends args({
  ...ofPage(partPage),
  from: nullable.day('First day; no lower bound when omitted'),
  to: nullable.day('Last day; no upper bound when omitted'),
}) {}

/** A list of an operation that is read whole: the deed, or the frequency of its records, limits its length. */
export interface PartList<T> {
  /** Identifies the list, the operation and the filter besides the period. */
  readonly scope: readonly (string | null)[];
  /** The keys by which the items are sorted. */
  readonly keys: readonly ListKey<T>[];
}

/** @throws {ApiError} BAD_REQUEST for arguments out of bounds and an invalid cursor */
export function partConnection<T>(
  codec: CursorCodec,
  items: readonly T[],
  wanted: ConnectionArguments,
  { scope, keys }: PartList<T>,
): Connection<T> {
  const list = { ...partPage, scope: JSON.stringify(scope), keys };
  return toConnection(
    pageOfList(codec, items, connectionPage(wanted), list),
    (item) => item,
    () => items.length,
  );
}

/** Days, both included; without one of them there is no bound on that side. */
export interface DayRange {
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** @throws {ApiError} BAD_REQUEST for a period that ends before it begins */
export function within<T>(items: readonly T[], { from, to }: DayRange, dayOf: (item: T) => string): readonly T[] {
  requirePeriod(from, to);
  if (from == null && to == null) return items;
  return items.filter((item) => {
    const day = dayOf(item);
    return (from == null || day >= from) && (to == null || day <= to);
  });
}

/** @throws {ApiError} BAD_REQUEST also for a period that ends before it begins */
export function periodConnection<T>(
  codec: CursorCodec,
  items: readonly T[],
  { from, to, ...wanted }: PeriodArgs,
  { dayOf, scope, ...list }: PartList<T> & { readonly dayOf: (item: T) => string },
): Connection<T> {
  return partConnection(codec, within(items, { from, to }, dayOf), wanted, {
    ...list,
    scope: [...scope, from ?? null, to ?? null],
  });
}
