import { language } from '../frame/language.js';

export function Estate({ ticker }: { readonly ticker: string | null }) {
  return ticker === null ? (
    '—'
  ) : (
    <a href={`${language.prefix}/tokenizacao/patrimonios/${encodeURIComponent(ticker)}`}>{ticker}</a>
  );
}
