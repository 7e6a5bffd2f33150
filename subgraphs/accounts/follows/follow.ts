/** Most operations that one account follows. */
export const maxFollows = 100;

const tickerForm = /^[A-Z0-9][A-Z0-9._-]{0,39}$/;

/** A ticker as it is kept, in upper case: tickers compare without regard to case. Undefined for what cannot be one. */
export function canonicalTicker(ticker: string): string | undefined {
  const text = ticker.trim().toUpperCase();
  return tickerForm.test(text) ? text : undefined;
}
