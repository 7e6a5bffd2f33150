import type { Route } from '../route.js';
import { modeParameters, symbol, trading } from './trading.js';

const read = { ...trading, method: 'GET', scope: 'read', status: 200 } as const;

const noMarket =
  'The symbol is no market (code CAAS_ORD_002), or the request is malformed, or a parameter is missing or not of its form: see `details`.';

const poolsBalances: Route = {
  ...read,
  path: '/v1/analytics/poolsBalances',
  operation: 'poolsBalances',
  summary: 'Read the pools at exchanges',
  description:
    'What the house holds at the connected exchanges, by name. An exchange that does not respond within 2 seconds is `UNAVAILABLE`, with the balances that it told last; it fails nothing.',
  answer: 'The pools.',
  faults: {},
  parameters: modeParameters,
  example: {},
};

export const tradingMarketRoutes: readonly Route[] = [
  {
    ...read,
    path: '/v1/market/fetchMarkets',
    operation: 'marketList',
    operationId: 'fetchMarkets',
    summary: 'List markets',
    description:
      'The pairs that can be traded, by symbol. An order has at least `minOrderSize` of the base currency, and no more decimals than `priceDecimals` and `amountDecimals`: more are refused. A market that is `HALTED` takes no new orders.',
    answer: 'The markets.',
    faults: {},
    parameters: modeParameters,
    example: {},
  },
  {
    ...read,
    path: '/v1/market/fetchTicker',
    operation: 'ticker',
    operationId: 'fetchTicker',
    summary: 'Read a ticker',
    description:
      'The best prices and the last trade of a market, over all exchanges in use, and what was traded in the last 24 hours.',
    answer: 'The ticker.',
    faults: { 400: noMarket },
    parameters: { ...modeParameters, symbol },
    example: { query: { symbol: 'BTC/BRL' } },
  },
  {
    ...read,
    path: '/v1/market/fetchHistoricalPrices',
    operation: 'historicalPrices',
    operationId: 'fetchHistoricalPrices',
    summary: 'List candles',
    description:
      'The last candles of a market, the oldest first; the last one is under way. They begin in UTC, weeks on Mondays. An interval without trades has the mid prices and a volume of 0.',
    answer: 'The candles.',
    faults: { 400: noMarket },
    parameters: {
      ...modeParameters,
      symbol,
      interval: {
        description: 'Length of a candle: `1h`, `4h`, `1d` or `1w`; `1d` when omitted.',
        schema: { pattern: '^(1h|4h|1d|1w)$', default: '1d' },
        rule: 'must be one of 1h, 4h, 1d, 1w',
      },
      limit: {
        description: 'Number of candles, 1 to 1000; 30 when omitted.',
        schema: { type: 'integer', minimum: 1, maximum: 1000, default: 30 },
        rule: 'must be a whole number from 1 to 1000',
      },
    },
    example: { query: { symbol: 'BTC/BRL', interval: '1h', limit: '24' } },
  },
  poolsBalances,
  { ...poolsBalances, path: '/analytics/poolsBalances', operationId: 'poolsBalancesUnversioned' },
];
