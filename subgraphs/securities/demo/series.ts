/** Terms of a series that the demo shows twice: as a series of an operation, and as the tokenized series whose tokens represent its units. */
export interface SharedTerms {
  readonly indexer: 'PREFIXED' | 'CDI' | 'IPCA' | 'IGPM';
  /** Share of the indexer, in percent. */
  readonly indexerPercent: string;
  /** Fixed rate, or spread, in percent a year. */
  readonly rate: string;
  /** Months since it was issued, on the 15th; negative if it has not been. */
  readonly age: number;
  /** Months from this month to the month in which it matures, on the 15th or the next business day. */
  readonly monthsLeft: number;
  /** Units of R$ 1,000.00 each. */
  readonly quantity: number;
  /** Units that are sold: all of a series that has been issued. */
  readonly subscribed: number;
}

const of = (
  [indexer, indexerPercent, rate]: readonly [SharedTerms['indexer'], string, string],
  [age, monthsLeft]: readonly [number, number],
  quantity: number,
  subscribed = quantity,
): SharedTerms => ({ indexer, indexerPercent, rate, age, monthsLeft, quantity, subscribed });

/** The terms by the ticker of the series of the operation: both parts of the demo generate the series from here. */
export const sharedSeries: Readonly<Record<string, SharedTerms>> = {
  CRIAURORA1: of(['IPCA', '100', '7.25'], [16, 44], 14_000),
  CRIAURORA2: of(['IPCA', '100', '9.10'], [16, 44], 4_000),
  CRIAURORA3: of(['PREFIXED', '100', '17.40'], [16, 44], 2_000),
  CRIVALEVERDE1: of(['CDI', '100', '3.10'], [14, 34], 14_400),
  CRIVALEVERDE2: of(['IGPM', '100', '9.80'], [14, 34], 3_600),
  CRAMOGIANA1: of(['CDI', '109', '0'], [12, 24], 144_000),
  CRAMOGIANA2: of(['PREFIXED', '100', '15.75'], [12, 24], 36_000),
  CRCONSIGNA1: of(['PREFIXED', '100', '14.60'], [10, 14], 18_900),
  CRCONSIGNA3: of(['PREFIXED', '100', '15.20'], [10, 14], 2_700),
  CREDUCA1: of(['CDI', '100', '2.85'], [2, 34], 7_200),
  CREDUCA2: of(['PREFIXED', '100', '18.10'], [-1, 37], 1_800, 756),
  CRACITRUS1: of(['IPCA', '100', '7.90'], [13, 47], 84_000),
};

/** @throws {Error} for a series that is not shared */
export function requireShared(ticker: string): SharedTerms {
  const terms = sharedSeries[ticker];
  if (terms === undefined) throw new Error(`The demo has no terms of the series ${ticker}`);
  return terms;
}
