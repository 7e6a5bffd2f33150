import { fixedClock } from '../../kit/clock.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import { createRandom } from '../../../shared/kernel/random.js';
import {
  createSimulatedExchange,
  type ExchangeOptions,
  type SimulatedExchange,
} from '../../../subgraphs/trading/venues/simulated/exchange.js';
import type { SimulatedMarket } from '../../../subgraphs/trading/venues/simulated/market-maker.js';
import { createPriceProcess } from '../../../subgraphs/trading/venues/simulated/price-process.js';
import type { Fill, VenueOrderRequest } from '../../../subgraphs/trading/venues/venue.js';
import { quietLog } from '../../kit/context.js';
import { scripted, type Failing } from '../failures.js';

/** A market of 2 decimals for prices and 5 for amounts. */
export const btcBrl: SimulatedMarket = {
  symbol: 'BTC/BRL',
  base: 'BTC',
  quote: 'BRL',
  priceDecimals: 2,
  amountDecimals: 5,
  minAmount: new Decimal('0.0001'),
  levelSize: new Decimal(1),
};

export type TestExchange = SimulatedExchange & Failing & { readonly clock: ReturnType<typeof fixedClock> };

/** A simulated exchange with one market around 100,000 BRL that moves when it is told to, at a fixed moment. */
export function openExchange(over: Partial<ExchangeOptions> = {}, hangMs = 5): TestExchange {
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const exchange = createSimulatedExchange({
    name: 'aurora',
    synthetic: false,
    markets: [btcBrl],
    fees: { maker: new Decimal('0.001'), taker: new Decimal('0.002') },
    temper: { halfSpreadPpm: 200, stepPpm: 100, levels: 10, sizePercent: 100, flowPercent: 0 },
    prices: createPriceProcess('test', [{ symbol: 'BTC/BRL', anchor: new Decimal(100_000), volatilityPercent: 10 }]),
    random: createRandom('test'),
    clock,
    log: quietLog,
    funds: { BRL: '10000000', BTC: '100' },
    epoch: 'test',
    ...over,
  });
  exchange.tick();
  return Object.assign(scripted(exchange, hangMs), { clock });
}

/** An order of the house: a market order for 0.1 BTC, a BUY, unless something else is said. */
export const venueOrder = (over: Partial<VenueOrderRequest> = {}): VenueOrderRequest => ({
  ...{ clientOrderId: newId(), symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', amount: new Decimal('0.1') },
  ...{ timeInForce: 'IOC', postOnly: false, ...over },
});

/** A fill of an order of the house at a venue: of 0.4 BTC at 1,000, as its maker, unless something else is said. */
export const fillOf = (
  { id, venue }: { readonly id: string; readonly venue: string },
  over: Partial<Fill> = {},
): Fill => ({
  ...{ venue, tradeId: `${id}-trade`, clientOrderId: id, symbol: 'BTC/BRL', side: 'BUY', price: new Decimal(1_000) },
  ...{ amount: new Decimal('0.4'), fee: new Decimal('0.1'), feeCurrency: 'BRL', at: new Date(), liquidity: 'MAKER' },
  ...over,
});
