import type { Context } from '../../../shared/context.js';

/** Returns name and slug of the public operations among some tickers in upper case, by these: for mails of other domains. */
export async function namesOfOperations(
  { manager }: Context,
  tickers: readonly string[],
): Promise<ReadonlyMap<string, { readonly name: string; readonly slug: string }>> {
  if (tickers.length === 0) return new Map();
  const rows = await manager.rows<{ ticker: string; name: string; slug: string }>(
    'SELECT upper(ticker) AS ticker, name, slug FROM issuances.operations WHERE is_public AND lower(ticker) = ANY ($1)',
    [tickers.map((ticker) => ticker.toLowerCase())],
  );
  return new Map(rows.map(({ ticker, ...named }) => [ticker, named]));
}
