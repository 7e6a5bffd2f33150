import { Decimal } from '../../shared/kernel/decimal.js';
import { formatRate } from '../../shared/kernel/format/format.js';
import { describeEnum } from '../../shared/graphql/describe-enum.js';

/** The indexes of a remuneration; PREFIXED means none. */
export const indexers = ['PREFIXED', 'CDI', 'IPCA', 'IGPM', 'TR', 'SELIC', 'USD'] as const;
export type Indexer = (typeof indexers)[number];

export interface Remuneration {
  readonly indexer: Indexer;
  /** The share of the index that is paid, in percent. */
  readonly indexerPercent: Decimal | string;
  /** Fixed rate, or spread over the index, in percent per year. */
  readonly rate: Decimal | string;
}

const indexerNames: Readonly<Record<Indexer, string>> = {
  PREFIXED: 'Prefixado',
  CDI: 'CDI',
  IPCA: 'IPCA',
  IGPM: 'IGP-M',
  TR: 'TR',
  SELIC: 'Selic',
  USD: 'Dólar',
};

/** Returns the display name of an index; an unknown name is returned unchanged. */
export function indexerName(indexer: string): string {
  return new Map<string, string>(Object.entries(indexerNames)).get(indexer) ?? indexer;
}

/** Formats a remuneration: `12,00% a.a.`, `CDI + 3,50% a.a.`, `110,00% do CDI`, `IPCA - 0,25% a.a.`, `Selic`. */
export function formatRemuneration({ indexer, indexerPercent, rate }: Remuneration): string {
  const spread = new Decimal(rate);
  if (indexer === 'PREFIXED') return `${formatRate(spread)} a.a.`;
  const share = new Decimal(indexerPercent);
  const name = indexerNames[indexer];
  const index = share.equals(100) ? name : `${formatRate(share)} do ${name}`;
  if (spread.isZero()) return index;
  return `${index} ${spread.isNegative() ? '-' : '+'} ${formatRate(spread.abs())} a.a.`;
}

export const IndexerEnum = describeEnum<Indexer>(
  'Indexer',
  'Index to which a remuneration is linked.',
  {
    PREFIXED: 'None: a fixed rate',
    CDI: 'Interbank deposit rate (CDI, DI)',
    IPCA: 'Consumer price index of IBGE',
    IGPM: 'General market price index of FGV',
    TR: 'Reference rate',
    SELIC: 'Base rate of the central bank',
    USD: 'Dollar',
  },
  {
    PREFIXED: [indexerNames.PREFIXED, 'Fixed rate'],
    CDI: [indexerNames.CDI, 'CDI'],
    IPCA: [indexerNames.IPCA, 'IPCA'],
    IGPM: [indexerNames.IGPM, 'IGP-M'],
    TR: [indexerNames.TR, 'TR'],
    SELIC: [indexerNames.SELIC, 'Selic'],
    USD: [indexerNames.USD, 'US dollar'],
  },
);
