import 'reflect-metadata';
import { ArgsType, Field } from 'type-graphql';
import { ApiError } from '../kernel/errors.js';

/** Where a subscription begins. */
@ArgsType()
export class SinceArgs {
  @Field(() => String, {
    nullable: true,
    description:
      '`cursor` of the last event that the caller has, or `eventCursor`. All later events are replayed first, in their order, without a gap or a repetition; what is not visible any more is left out. Valid for 7 days and 1,000 later events. When omitted, the stream begins with the next event. Errors: 400 for a text that is not such a cursor; 410 CURSOR_EXPIRED for one that is no longer valid: read the current state, and subscribe without it',
  })
  since?: string | null;
}

/** The description of the cursor of an event. */
export const cursorDescription =
  'Identifies the event: pass that of the last event received as `since` to continue after it. Opaque';

/**
 * Returns the names that a subscription is for, each once.
 * @throws {ApiError} BAD_REQUEST unless exactly one of both is given, and for an empty list
 */
export function namesOf({ ticker, tickers }: NamedArgs): readonly string[] {
  const given = tickers ?? (ticker == null ? undefined : [ticker]);
  if (given === undefined) throw refused('tickers', 'is required, unless `ticker` is given');
  if (tickers != null && ticker != null) throw refused('ticker', 'must be omitted where `tickers` is given');
  if (given.length === 0) throw refused('tickers', 'must have an item');
  return [...new Set(given)];
}

function refused(path: string, message: string): ApiError {
  return new ApiError('BAD_REQUEST', { details: [{ path, message }] });
}

interface NamedArgs {
  readonly ticker?: string | null;
  readonly tickers?: readonly string[] | null;
}

/**
 * Returns the things that were found under the names of a subscription.
 * @param names as `namesOf` returns them
 * @param found in the order of the names
 * @param thing as in "There is no such operation"
 * @throws {ApiError} NOT_FOUND that lists every missing one
 */
export function requireNamed<T>(
  { tickers }: NamedArgs,
  names: readonly string[],
  { found, thing }: { readonly found: readonly (T | undefined)[]; readonly thing: string },
): T[] {
  const present = found.filter((one) => one !== undefined);
  if (present.length === names.length) return present;
  const placeOf = (name: string) => (tickers == null ? 'ticker' : `tickers[${String(tickers.indexOf(name))}]`);
  const details = names.flatMap((name, index) =>
    found[index] === undefined ? [{ path: placeOf(name), message: `there is no ${thing} ${name}` }] : [],
  );
  throw new ApiError('NOT_FOUND', { message: `There is no such ${thing}`, details });
}
