import { fixedClock } from '../../shared/kernel/clock.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { createRandom } from '../../shared/demo/random.js';
import {
  createSimulatedExchange,
  type ExchangeOptions,
  type SimulatedExchange,
} from '../../subgraphs/trading/venues/simulated/exchange.js';
import type { SimulatedMarket } from '../../subgraphs/trading/venues/simulated/market-maker.js';
import { createPriceProcess } from '../../subgraphs/trading/venues/simulated/price-process.js';
import { quietLog } from '../kit/context.js';

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

export type TestExchange = SimulatedExchange & { readonly clock: ReturnType<typeof fixedClock> };

/** A simulated exchange with one market around 100,000 BRL that moves when it is told to, at a fixed moment. */
export function openExchange(over: Partial<ExchangeOptions> = {}): TestExchange {
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
    timeoutMs: 5,
    ...over,
  });
  exchange.tick();
  return Object.assign(exchange, { clock });
}
