import type { Clock } from '../../../../shared/kernel/clock.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import { createRandom } from '../../../../shared/kernel/random.js';
import type { Logger } from '../../../../shared/kernel/log.js';
import type { VenueFees } from '../venue.js';
import { createSimulatedExchange, type SimulatedExchange } from './exchange.js';
import type { SimulatedMarket, Temper } from './market-maker.js';
import { createPriceProcess, type PriceProcess } from './price-process.js';

export interface WorldOptions {
  readonly synthetic: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  readonly epoch: string;
  /** The seed of the random flow; the same seed yields the same flow. Prices do not depend on it. */
  readonly seed?: string;
  readonly tickMs?: number;
}

export const simulatedMarkets: readonly SimulatedMarket[] = [
  market('BTC/BRL', { priceDecimals: 2, amountDecimals: 5, minAmount: '0.0001', levelSize: '0.8' }),
  market('ETH/BRL', { priceDecimals: 2, amountDecimals: 4, minAmount: '0.001', levelSize: '12' }),
  market('USDT/BRL', { priceDecimals: 4, amountDecimals: 2, minAmount: '1', levelSize: '40000' }),
  market('BTC/USDT', { priceDecimals: 2, amountDecimals: 5, minAmount: '0.0001', levelSize: '1.5' }),
  market('ETH/USDT', { priceDecimals: 2, amountDecimals: 4, minAmount: '0.001', levelSize: '25' }),
];

/** Returns the reference prices of simulated trading, live or synthetic, each with its own: prices in BRL follow from USDT. */
export function simulatedPrices(synthetic: boolean): PriceProcess {
  return createPriceProcess(
    synthetic ? 'synthetic' : 'demo',
    [
      { symbol: 'BTC/USDT', anchor: new Decimal(100_000), volatilityPercent: 100 },
      { symbol: 'ETH/USDT', anchor: new Decimal(4_000), volatilityPercent: 130 },
      { symbol: 'USDT/BRL', anchor: new Decimal('5.4'), volatilityPercent: 20 },
    ],
    [
      { symbol: 'BTC/BRL', of: ['BTC/USDT', 'USDT/BRL'] },
      { symbol: 'ETH/BRL', of: ['ETH/USDT', 'USDT/BRL'] },
    ],
  );
}

interface Character {
  readonly name: string;
  readonly fees: VenueFees;
  readonly temper: Temper;
}

/** Two exchanges with different strengths: one has narrow spreads and high fees, the other wide spreads, deep books and low fees. */
const characters: readonly Character[] = [
  {
    name: 'aurora',
    fees: { maker: new Decimal('0.0008'), taker: new Decimal('0.0012') },
    temper: { halfSpreadPpm: 250, stepPpm: 120, levels: 15, sizePercent: 70, flowPercent: 25 },
  },
  {
    name: 'boreal',
    fees: { maker: new Decimal('0.0004'), taker: new Decimal('0.0007') },
    temper: { halfSpreadPpm: 600, stepPpm: 180, levels: 15, sizePercent: 160, flowPercent: 15 },
  },
];

const startingFunds = { BRL: '200000000', BTC: '500', ETH: '8000', USDT: '50000000' };

/** Opens `aurora` and `boreal`, or `aurora-synthetic` and `boreal-synthetic`. Each pair has reference prices of its own. */
export function createSimulatedWorld(options: WorldOptions): SimulatedExchange[] {
  const prices = simulatedPrices(options.synthetic);
  return characters.map(({ name: plain, fees, temper }) => {
    const name = options.synthetic ? `${plain}-synthetic` : plain;
    return createSimulatedExchange({
      ...options,
      name,
      fees,
      temper,
      prices,
      markets: simulatedMarkets,
      funds: startingFunds,
      random: createRandom(`${options.seed ?? options.epoch} ${name}`),
    });
  });
}

function market(
  symbol: string,
  parts: {
    readonly priceDecimals: number;
    readonly amountDecimals: number;
    readonly minAmount: string;
    readonly levelSize: string;
  },
): SimulatedMarket {
  const [base = '', quote = ''] = symbol.split('/');
  const { minAmount, levelSize, ...decimals } = parts;
  return { symbol, base, quote, ...decimals, minAmount: new Decimal(minAmount), levelSize: new Decimal(levelSize) };
}
