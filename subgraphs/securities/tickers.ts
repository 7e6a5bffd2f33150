import { ApiError } from '../../shared/kernel/errors.js';
import { distinctValues } from '../../shared/graphql/filter-values.js';

const form = /^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/;

/** Whether a text can be a ticker or a slug; other texts need no query. */
export function canBeTicker(text: string): boolean {
  return form.test(text);
}

/** Returns the distinct tickers of a filter in lower case; a text that cannot be a ticker becomes an empty one, which nothing has. */
export function filterTickers(tickers: readonly string[] | null | undefined): readonly string[] {
  return distinctValues(tickers?.map((ticker) => (canBeTicker(ticker) ? ticker.toLowerCase() : '')));
}

/** Returns each once. @throws {ApiError} BAD_REQUEST unless exactly one of both is given, and for an empty list */
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

/** @param found in the order of the names @param thing as in "There is no such operation" @throws {ApiError} NOT_FOUND that lists every missing one */
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
