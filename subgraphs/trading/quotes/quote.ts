import { Decimal } from '../../../shared/kernel/decimal.js';
import type { Side } from '../venues/venue.js';

export const quoteTtlSeconds = 30;
export const maxOpenQuotes = 20;

/** EXPIRED is an OPEN quote past its expiry by the database's clock; only the other two are stored. EXPIRED and EXECUTED are final. */
export type QuoteState = 'OPEN' | 'EXECUTED' | 'EXPIRED';

/** The number and value of a company's open quotes, and of executed ones that are not hedged yet. */
export interface Exposure {
  /** Number of open quotes of the wallet. */
  readonly openQuotes: number;
  /** Value of the company's quotes in the market that are open or not hedged yet, in BRL. */
  readonly quotedValue: Decimal | string;
}

function exceeds({ openQuotes, quotedValue }: Exposure, valueBrl: Decimal, maxQuotedValue: string): string | undefined {
  if (openQuotes >= maxOpenQuotes) return `the wallet already has ${openQuotes} open quotes, its maximum`;
  if (valueBrl.plus(quotedValue).greaterThan(maxQuotedValue))
    return `the maximum value of the company's quotes in this market that are open or not yet hedged is R$ ${maxQuotedValue}`;
  return undefined;
}

export interface Added {
  readonly row: Readonly<Record<'companyId' | 'walletId' | 'symbol' | 'valueBrl', string>> & {
    readonly synthetic: boolean;
  };
  readonly maxQuotedValue: string;
}

/** An entry is undefined where a quote exceeds none. @param exposures before the first of them */
export function excessesOf(adding: readonly Added[], exposures: readonly Exposure[]): (string | undefined)[] {
  const openQuotes = new Map<string, number>();
  const quotedValues = new Map<string, Decimal>();
  return adding.map(({ row, maxQuotedValue }, index) => {
    const before = exposures[index];
    if (before === undefined) throw new Error(`The exposure of the company ${row.companyId} was not read`);
    const market = JSON.stringify([row.companyId, row.symbol, row.synthetic]);
    const open = openQuotes.get(row.walletId) ?? before.openQuotes;
    const quoted = quotedValues.get(market) ?? new Decimal(before.quotedValue);
    const excess = exceeds({ openQuotes: open, quotedValue: quoted }, new Decimal(row.valueBrl), maxQuotedValue);
    if (excess !== undefined) return excess;
    openQuotes.set(row.walletId, open + 1);
    quotedValues.set(market, quoted.plus(row.valueBrl));
    return undefined;
  });
}

/** Returns the total that a client pays (BUY) or receives (SELL): the value of a quote, and the fee. */
export function totalOf(side: Side, value: Decimal | string, fee: Decimal | string): Decimal {
  return side === 'BUY' ? new Decimal(value).plus(fee) : new Decimal(value).minus(fee);
}

/** The spread on the part of a value from this threshold to the next tier's. */
export interface SpreadTier {
  /** In BRL. For the first tier it counts as 0. */
  readonly aboveBrl: Decimal | string;
  readonly percent: Decimal | string;
}

export const houseTiers: readonly SpreadTier[] = [
  { aboveBrl: '0', percent: '0.5' },
  { aboveBrl: '100000', percent: '0.35' },
  { aboveBrl: '1000000', percent: '0.2' },
];

interface Band {
  /** Values before and after the spread at which the band begins. */
  readonly from: Decimal;
  readonly pricedFrom: Decimal;
  /** The factor for a part of the band: above 1 for a BUY, below 1 and above 0 for a SELL. */
  readonly factor: Decimal;
}

/** Converts values of the books to values for the client and back. Both functions increase with the value: more never costs less. */
export interface Spread {
  /** Returns the exact value that the client pays or receives for a value of the books. */
  price(value: Decimal): Decimal;
  /** Returns the value of the books for which the client pays or receives the given value. */
  valueFor(priced: Decimal): Decimal;
}

/** Each rate applies only to the part of the value in its tier. @param tiers the lowest first; rates below 100 percent @param brlRate the quote currency's price in BRL */
export function spreadOf(side: Side, tiers: readonly SpreadTier[], brlRate: Decimal): Spread {
  const bands: Band[] = [];
  for (const [index, { aboveBrl, percent }] of tiers.entries()) {
    const rate = new Decimal(percent).dividedBy(100);
    const factor = side === 'BUY' ? rate.plus(1) : rate.negated().plus(1);
    const from = index === 0 ? new Decimal(0) : new Decimal(aboveBrl).dividedBy(brlRate);
    const before = bands.at(-1);
    const pricedFrom =
      before === undefined ? from : before.pricedFrom.plus(from.minus(before.from).times(before.factor));
    bands.push({ from, pricedFrom, factor });
  }
  const bandOf = (isIn: (band: Band) => boolean): Band => {
    const band = bands.findLast(isIn) ?? bands[0];
    if (band === undefined) throw new Error('There are no spread tiers');
    return band;
  };
  return {
    price: (value) => {
      const { from, pricedFrom, factor } = bandOf((band) => value.greaterThanOrEqualTo(band.from));
      return pricedFrom.plus(value.minus(from).times(factor));
    },
    valueFor: (priced) => {
      const { from, pricedFrom, factor } = bandOf((band) => priced.greaterThanOrEqualTo(band.pricedFrom));
      return from.plus(priced.minus(pricedFrom).dividedBy(factor));
    },
  };
}
