export const maxFollows = 100;

const tickerForm = /^[A-Z0-9][A-Z0-9._-]{0,39}$/;

/** Returns a ticker in its stored form, in upper case: tickers are compared ignoring case. Undefined for an invalid ticker. */
export function canonicalTicker(ticker: string): string | undefined {
  const text = ticker.trim().toUpperCase();
  return tickerForm.test(text) ? text : undefined;
}
