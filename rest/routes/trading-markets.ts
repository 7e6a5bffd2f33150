import type { Route } from '../route.js';
import { modeParameters, symbol, trading } from './trading.js';

const read = { ...trading, method: 'GET', scope: 'read', status: 200 } as const;

const noMarket =
  'There is no market with this symbol (code CAAS_ORD_002), or the request is malformed, or a parameter is missing or malformed: see `details`.';

const poolsBalances: Route = {
  ...read,
  path: '/v1/analytics/poolsBalances',
  operation: 'poolsBalances',
  summary: 'Get the pools at exchanges',
  description:
    'Balances of the operator of this service at the connected exchanges, by name. An exchange that does not respond within 2 seconds is `UNAVAILABLE`, with its last known balances; the request does not fail.',
  response: 'The pools.',
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
      'The pairs that can be traded, by symbol. An order has at least `minOrderSize` of the base currency, and at most `priceDecimals` and `amountDecimals` decimals: orders with more are rejected. `makerFeePercent` and `takerFeePercent` are the fees of the calling company. A `HALTED` market accepts no new orders.',
    response: 'The markets.',
    parameters: modeParameters,
    example: {},
  },
  {
    ...read,
    path: '/v1/market/fetchTicker',
    operation: 'ticker',
    operationId: 'fetchTicker',
    summary: 'Get a ticker',
    description:
      'The best prices and the last trade of a market, over all exchanges in use, with the volume and the change of the last 24 hours.',
    response: 'The ticker.',
    errors: { 400: noMarket },
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
      'The last candles of a market, oldest first; the last one is incomplete. Intervals are in UTC, weeks begin on Mondays. An interval without trades has the mid prices and a volume of 0.',
    response: 'The candles.',
    errors: { 400: noMarket },
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
