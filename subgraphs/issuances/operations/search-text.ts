import type { SeriesRow } from '../series/series.store.js';
import type { OperationRow } from './operation.store.js';
import { normalizeText } from '../../../shared/kernel/format/normalize-text.js';
import { formatDocument } from '../../../shared/kernel/tax-id.js';

export interface Searchable extends Pick<
  OperationRow,
  'ticker' | 'slug' | 'name' | 'sub' | 'issuer' | 'issuerCnpj' | 'backingAsset'
> {
  readonly series: readonly Pick<SeriesRow, 'ticker' | 'isin' | 'ifCode'>[];
}

/** Returns the content of `operations.search_text`. Every statement that writes an operation or its series also writes this. */
export function searchText(operation: Searchable): string {
  const { ticker, slug, name, sub, issuer, issuerCnpj, backingAsset, series } = operation;
  const parts = [
    ticker,
    slug,
    name,
    sub,
    issuer,
    // CNPJ as digits, and as people write it.
    issuerCnpj,
    issuerCnpj && formatDocument(issuerCnpj),
    backingAsset,
    ...series.flatMap((one) => [one.ticker, one.isin, one.ifCode]),
  ];
  return parts
    .map((part) => normalizeText(part ?? ''))
    .filter((part) => part !== '')
    .join(' ');
}
