/** Terms of a series that the demo shows twice: as a series of an operation, and as the tokenized series whose tokens represent its units. */
export interface SharedTerms {
  readonly indexer: 'PREFIXED' | 'CDI' | 'IPCA' | 'IGPM';
  /** Share of the indexer, in percent. */
  readonly indexerPercent: string;
  /** Fixed rate, or spread, in percent a year. */
  readonly rate: string;
  /** Months from this month to the month in which it matures, on the 15th or the next business day. */
  readonly monthsLeft: number;
}

const of = (
  indexer: SharedTerms['indexer'],
  indexerPercent: string,
  rate: string,
  monthsLeft: number,
): SharedTerms => ({ indexer, indexerPercent, rate, monthsLeft });

/** The terms by the ticker of the series of the operation: both parts of the demo generate the series from here. */
export const sharedSeries: Readonly<Record<string, SharedTerms>> = {
  CRIAURORA1: of('IPCA', '100', '7.25', 44),
  CRIAURORA2: of('IPCA', '100', '9.10', 44),
  CRIAURORA3: of('PREFIXED', '100', '17.40', 44),
  CRIVALEVERDE1: of('CDI', '100', '3.10', 34),
  CRIVALEVERDE2: of('IGPM', '100', '9.80', 34),
  CRAMOGIANA1: of('CDI', '109', '0', 24),
  CRAMOGIANA2: of('PREFIXED', '100', '15.75', 24),
  CRCONSIGNA1: of('PREFIXED', '100', '14.60', 14),
  CRCONSIGNA3: of('PREFIXED', '100', '15.20', 14),
  CREDUCA1: of('CDI', '100', '2.85', 34),
  CREDUCA2: of('PREFIXED', '100', '18.10', 37),
  CRACITRUS1: of('IPCA', '100', '7.90', 47),
};

/** @throws {Error} for a series that is not shared */
export function requireShared(ticker: string): SharedTerms {
  const terms = sharedSeries[ticker];
  if (terms === undefined) throw new Error(`The demo has no terms of the series ${ticker}`);
  return terms;
}
