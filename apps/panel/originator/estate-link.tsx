import { language } from '../frame/language.js';

/** An estate by its ticker, with its public page. */
export function Estate({ ticker }: { readonly ticker: string | null }) {
  return ticker === null ? (
    '—'
  ) : (
    <a href={`${language.prefix}/tokenizacao/patrimonios/${encodeURIComponent(ticker)}`}>{ticker}</a>
  );
}
