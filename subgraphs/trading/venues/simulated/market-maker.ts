import { Decimal } from '../../../../shared/kernel/decimal.js';
import type { Random } from '../../../../shared/kernel/random.js';
import type { Side, VenueMarket } from '../venue.js';

/** How a simulated exchange quotes and trades. Parts per million (ppm) are of the reference price. */
export interface Temper {
  /** From the reference price to the best level. */
  readonly halfSpreadPpm: number;
  /** From one level to the next. */
  readonly stepPpm: number;
  readonly levels: number;
  /** Percent of the usual size of a level (`SimulatedMarket.levelSize`). */
  readonly sizePercent: number;
  /** How often in a hundred ticks a stranger trades in a market. */
  readonly flowPercent: number;
}

export interface SimulatedMarket extends VenueMarket {
  /** The usual amount of a level, in the base currency. */
  readonly levelSize: Decimal;
}

export interface Quote {
  readonly side: Side;
  readonly price: Decimal;
  readonly amount: Decimal;
}

const million = 1_000_000;
const hundredth = new Decimal('0.01');
const millionth = new Decimal('0.000001');

/** Returns the market maker's orders around a reference price: bids rounded down to the tick, asks up. */
export function ladder(market: SimulatedMarket, reference: Decimal, temper: Temper, random: Random): Quote[] {
  const quotes: Quote[] = [];
  for (let level = 0; level < temper.levels; level += 1) {
    const awayPpm = temper.halfSpreadPpm + level * temper.stepPpm;
    for (const side of ['BUY', 'SELL'] as const) {
      const isBid = side === 'BUY';
      const price = reference
        .times(million + (isBid ? -awayPpm : awayPpm))
        .times(millionth)
        .toDecimalPlaces(market.priceDecimals, isBid ? Decimal.ROUND_DOWN : Decimal.ROUND_UP);
      // Deeper levels are larger; the best are half to one and a half times the usual.
      const percent = (temper.sizePercent * (random.int(50, 150) + 30 * level)) / 100;
      quotes.push({ side, price, amount: sized(market, percent) });
    }
  }
  return quotes.filter(({ price }) => price.greaterThan(0));
}

/** Returns a stranger's order at any price; undefined if nobody trades in this tick. */
export function flow(market: SimulatedMarket, temper: Temper, random: Random): Omit<Quote, 'price'> | undefined {
  if (!random.chance(temper.flowPercent)) return undefined;
  // Occasionally a stranger trades through several levels.
  const percent = random.chance(3) ? random.int(100, 400) : random.int(1, 40);
  return { side: random.pick(['BUY', 'SELL'] as const), amount: sized(market, percent) };
}

function sized({ levelSize, amountDecimals, minAmount }: SimulatedMarket, percent: number): Decimal {
  const amount = levelSize
    .times(Math.round(percent))
    .times(hundredth)
    .toDecimalPlaces(amountDecimals, Decimal.ROUND_DOWN);
  return Decimal.max(amount, minAmount);
}
