import { Decimal } from '../../../shared/decimal.js';
import type { Side } from '../venues/venue.js';

/** The spread on the part of a value above a threshold, up to that of the next tier. */
export interface SpreadTier {
  /** In BRL. For the first tier it counts as 0. */
  readonly aboveBrl: Decimal | string;
  readonly percent: Decimal | string;
}

/** The default tiers, for companies without agreed ones. */
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
  /** Returns what the client pays or receives for a value of the books, exactly. */
  price(value: Decimal): Decimal;
  /** Returns the value of the books for which the client pays or receives the given value. */
  valueFor(priced: Decimal): Decimal;
}

/**
 * Creates the spread of marginal tiers: each rate applies only to the part of the value that lies in its tier.
 * @param tiers with different thresholds, the lowest first; rates below 100 percent
 * @param brlRate the price of one unit of the quote currency in BRL
 */
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
