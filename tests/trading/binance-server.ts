import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '../../shared/kernel/clock.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { createEngine } from '../../subgraphs/trading/venues/simulated/engine.js';
import { type KnownOrder, createFunds } from '../../subgraphs/trading/venues/simulated/engine-state.js';
import { createFailureScript } from './failures.js';
import type { Fill, Trade } from '../../subgraphs/trading/venues/venue.js';
import { btcBrl } from './venues/kit.js';

/** A server that speaks the REST dialect of Binance's spot market, with one market and a real order book behind it. */
export type BinanceServer = Awaited<ReturnType<typeof openBinanceServer>>;

export const keys = { apiKey: 'key-of-the-house', secret: 'secret-of-the-house' };
const fees = { maker: new Decimal('0.001'), taker: new Decimal('0.001') };
const states = { OPEN: 'NEW', FILLED: 'FILLED', CANCELLED: 'CANCELED', REJECTED: 'REJECTED' } as const;
const refusals: Readonly<Record<string, readonly [number, string]>> = {
  INSUFFICIENT_FUNDS: [-2010, 'Account has insufficient balance for requested action.'],
  WOULD_TAKE: [-2010, 'Order would immediately match and take.'],
};

const exchangeInfo = {
  timezone: 'UTC',
  rateLimits: [],
  symbols: [
    {
      symbol: 'BTCBRL',
      status: 'TRADING',
      baseAsset: 'BTC',
      baseAssetPrecision: 8,
      quoteAsset: 'BRL',
      quotePrecision: 8,
      quoteAssetPrecision: 8,
      orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET'],
      isSpotTradingAllowed: true,
      permissions: ['SPOT'],
      filters: [
        { filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '10000000.00', tickSize: '0.01' },
        { filterType: 'LOT_SIZE', minQty: '0.00010', maxQty: '9000', stepSize: '0.00001' },
        {
          filterType: 'NOTIONAL',
          minNotional: '10.00',
          applyMinToMarket: true,
          maxNotional: '9000000.00',
          avgPriceMins: 5,
        },
      ],
    },
  ],
};

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export interface BinanceServerOptions {
  readonly clock?: Clock;
  /** Maximum number of trades in a response, whatever number is asked for. */
  readonly pageSize?: number;
}

/** A search for trades by time ends a day after its start. */
const searchedMs = 86_400_000;

export async function openBinanceServer({ clock = systemClock, pageSize = 1_000 }: BinanceServerOptions = {}) {
  const failures = createFailureScript();
  const funds = createFunds({ BRL: '1000000', BTC: '10' });
  const [fills, trades, received]: [Fill[], Trade[], string[]] = [[], [], []];
  const engine = createEngine({
    name: 'binance',
    epoch: 'b',
    markets: [btcBrl],
    fees,
    funds,
    clock,
    onFill: (fill) => fills.push(fill),
    onTrade: (trade) => trades.push(trade),
  });
  const ids: string[] = [];
  const placedMs: number[] = [];
  const orderIdOf = (clientOrderId: string) => {
    if (!ids.includes(clientOrderId)) placedMs[ids.push(clientOrderId) - 1] = clock.now().getTime() - 1;
    return ids.indexOf(clientOrderId) + 1;
  };
  const view = ({ request, state, filled, fills: own }: KnownOrder) => ({
    symbol: 'BTCBRL',
    orderId: orderIdOf(request.clientOrderId),
    clientOrderId: request.clientOrderId,
    price: request.price?.toFixed() ?? '0.00',
    origQty: request.amount.toFixed(),
    executedQty: filled.toFixed(),
    cummulativeQuoteQty: own.reduce((sum, fill) => sum.plus(fill.price.times(fill.amount)), new Decimal(0)).toFixed(),
    status: state === 'OPEN' && !filled.isZero() ? 'PARTIALLY_FILLED' : states[state],
    timeInForce: request.timeInForce,
    type: request.type,
    side: request.side,
    time: placedMs[orderIdOf(request.clientOrderId) - 1],
    updateTime: Date.now(),
    transactTime: Date.now(),
  });
  const place = (query: URLSearchParams) => {
    const clientOrderId = query.get('newClientOrderId') ?? '';
    received.push(clientOrderId);
    if (engine.find(clientOrderId) !== undefined) throw new Refusal(400, -2010, 'Duplicate order sent.');
    const postOnly = query.get('type') === 'LIMIT_MAKER';
    const isMarket = query.get('type') === 'MARKET';
    const result = engine.submit({
      clientOrderId,
      symbol: 'BTC/BRL',
      side: query.get('side') === 'BUY' ? 'BUY' : 'SELL',
      type: isMarket ? 'MARKET' : 'LIMIT',
      amount: new Decimal(query.get('quantity') ?? '0'),
      ...(isMarket ? {} : { price: new Decimal(query.get('price') ?? '0') }),
      timeInForce: isMarket ? 'IOC' : postOnly ? 'GTC' : (query.get('timeInForce') as 'GTC' | 'IOC' | 'FOK'),
      postOnly,
    });
    if (result.status === 'ACCEPTED') return view(result.order);
    const [code, message] = refusals[result.reason] ?? [-1013, 'Filter failure'];
    throw new Refusal(400, code, message);
  };
  const find = (query: URLSearchParams) => {
    const id = query.get('origClientOrderId') ?? ids[Number(query.get('orderId')) - 1] ?? '';
    const order = engine.find(id);
    if (order === undefined) throw new Refusal(400, -2013, 'Order does not exist.');
    return order;
  };
  const levels = (side: 'BUY' | 'SELL') =>
    (engine.book('BTC/BRL')?.levels(side, 20) ?? []).map(({ price, amount }) => [price.toFixed(), amount.toFixed()]);

  const routes: Record<string, (query: URLSearchParams) => unknown> = {
    'GET /api/v3/exchangeInfo': () => ({ ...exchangeInfo, serverTime: Date.now() }),
    'GET /api/v3/depth': () => ({ lastUpdateId: 1, bids: levels('BUY'), asks: levels('SELL') }),
    'GET /api/v3/aggTrades': () =>
      trades.map(({ price, amount, at }, index) => ({
        a: index,
        p: price.toFixed(),
        q: amount.toFixed(),
        f: index,
        l: index,
        T: at.getTime(),
        m: true,
      })),
    'POST /api/v3/order': place,
    'GET /api/v3/order': (query) => view(find(query)),
    'DELETE /api/v3/order': (query) => {
      const order = find(query);
      if (order.state !== 'OPEN') throw new Refusal(400, -2011, 'Unknown order sent.');
      engine.cancel(order.request.clientOrderId);
      return { ...view(order), origClientOrderId: order.request.clientOrderId, clientOrderId: 'of the cancel' };
    },
    'GET /api/v3/myTrades': (query) =>
      fills
        .filter(({ clientOrderId, at }) => {
          const [orderId, start] = [query.get('orderId'), Number(query.get('startTime') ?? 0)];
          if (orderId !== null) return orderIdOf(clientOrderId) === Number(orderId);
          return at.getTime() >= start && at.getTime() <= start + searchedMs;
        })
        .slice(0, Math.min(pageSize, Number(query.get('limit') ?? 500)))
        .map((fill) => ({
          symbol: 'BTCBRL',
          id: fills.indexOf(fill),
          orderId: orderIdOf(fill.clientOrderId),
          price: fill.price.toFixed(),
          qty: fill.amount.toFixed(),
          quoteQty: fill.price.times(fill.amount).toFixed(),
          commission: fill.fee.toFixed(),
          commissionAsset: fill.feeCurrency,
          time: fill.at.getTime(),
          isBuyer: fill.side === 'BUY',
          isMaker: fill.liquidity === 'MAKER',
          isBestMatch: true,
        })),
    'GET /api/v3/account': () => ({
      balances: funds.list().map(({ currency, available, locked }) => ({
        asset: currency,
        free: available.toFixed(),
        locked: locked.toFixed(),
      })),
    }),
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://exchange');
    const body = await bodyOf(request);
    const text = `${url.search.slice(1)}${body}`;
    const name = `${request.method ?? ''} ${url.pathname}`;
    const send = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    const act = (): readonly [number, unknown] => {
      try {
        const route = routes[name];
        if (route === undefined) throw new Refusal(404, -1, `There is no ${name}`);
        if (/order|myTrades|account/.test(url.pathname)) checkSignature(request, text);
        return [200, route(new URLSearchParams(text))];
      } catch (error) {
        if (error instanceof Refusal) return [error.status, { code: error.code, msg: error.message }];
        throw error;
      }
    };
    const calls: Readonly<Record<string, 'place' | 'cancel' | 'lookUp' | 'balances'>> = {
      'POST /api/v3/order': 'place',
      'DELETE /api/v3/order': 'cancel',
      'GET /api/v3/order': 'lookUp',
      'GET /api/v3/account': 'balances',
    };
    const call = calls[name];
    const failure = call === undefined ? undefined : failures.take(call);
    if (failure === 'RATE_LIMITED') {
      send(429, { code: -1003, msg: 'Too many requests.' });
      return;
    }
    if (failure === 'RESET_BEFORE') return void request.socket.resetAndDestroy();
    if (failure === 'ERROR_BEFORE') {
      send(503, { code: -1001, msg: 'Internal error; unable to process your request.' });
      return;
    }
    const [status, value] = act();
    if (failure === 'RESET_AFTER') return void request.socket.resetAndDestroy();
    if (failure === 'ERROR_AFTER') {
      send(502, { code: -1000, msg: 'An unknown error occurred.' });
      return;
    }
    if (failure !== 'HANG_AFTER') send(status, value);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    failures,
    engine,
    /** Orders that reached the exchange, each time they did. */
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function checkSignature(request: IncomingMessage, text: string): void {
  const [signed = '', signature] = text.split('&signature=');
  const expected = createHmac('sha256', keys.secret).update(signed).digest('hex');
  if (request.headers['x-mbx-apikey'] !== keys.apiKey || signature !== expected) {
    throw new Refusal(401, -1022, 'Signature for this request is not valid.');
  }
}
