import type { Parameter, Route } from '../route.js';
import { pageSize } from './parameters.js';
import { decimal, noProfile, symbol, trading, walletParameters } from './trading.js';

const orderId: Parameter = { description: 'Id of the order.', schema: { minLength: 1, maxLength: 100 } };
const noOrder = `${noProfile.slice(0, -1)}, or the wallet no such order.`;

const createOrder: Route = {
  ...trading,
  method: 'POST',
  path: '/v1/orders/createOrder',
  operation: 'createOrder',
  scope: 'trade',
  status: 201,
  summary: 'Place an order',
  description: [
    'Places an order, and answers it as it stands once the exchanges have responded: a `MARKET` order is usually `FILLED` then. Its size is `amount` or, of a `BUY`, `quoteAmount`: exactly one of them.',
    'A `MARKET` order trades within the collar of its market (`collarPercent`, see fetchMarkets); what is not filled there is cancelled. Decimals beyond those of the market are refused, never rounded. The funds, fee included, are set aside before anything is sent.',
    'An order whose fate at an exchange is not known stays `PENDING` with its funds set aside until the exchange says; it is never sent again. Send `X-Idempotency-Key` or a `clientOrderId`, so that sending the request again cannot place a second order.',
  ].join('\n\n'),
  answer: 'The order was placed, or rejected by the exchanges: see `status` and `reason`.',
  faults: {
    400: 'The available balance is too low (code CAAS_ORD_001), the market is none or takes no orders (CAAS_ORD_002), the order is below its minimum (CAAS_ORD_003), or fields are missing or not of their form: see `details`.',
    403: 'The credential lacks the scope `trade`, or the company or the profile is suspended.',
    404: noProfile,
    409: 'The wallet has an order with this `clientOrderId`, or the idempotency key conflicts.',
    422: 'An amount or a price is not above 0, or `expiresAt` is in the past: see `details`; or the order is beyond a limit that was agreed: of its value, of open orders, or of the volume of the day.',
  },
  parameters: {
    ...walletParameters,
    symbol,
    side: { description: '`BUY` or `SELL` the base currency.', rule: 'must be BUY or SELL' },
    type: { description: '`MARKET`, at once, or `LIMIT`, at `price` or better.', rule: 'must be MARKET or LIMIT' },
    amount: decimal('In the base currency, above 0. This or `quoteAmount`.'),
    quoteAmount: decimal(
      'Of a `BUY`: what is spent at most, in the quote currency, without the fee. This or `amount`.',
    ),
    price: decimal('The limit, in the quote currency. Required for `LIMIT`, and for nothing else.'),
    clientOrderId: {
      description: 'An id of your own, 1 to 64 letters, digits, `-` and `_`. A wallet takes each once.',
      schema: { pattern: '^[A-Za-z0-9_-]{1,64}$' },
      rule: 'must have 1 to 64 letters, digits, - and _',
    },
    timeInForce: {
      description:
        '`GTC`: waits until it is filled or cancelled, as `LIMIT` does when nothing is said. `IOC`: the rest is cancelled at once, as of `MARKET`. `FOK`: whole at once, or not at all. `GTD`: waits until `expiresAt`.',
    },
    postOnly: { description: '`true`: refuse the order rather than let it take at once. For orders that wait.' },
    expiresAt: { description: 'When a `GTD` order expires, within 366 days: an instant (RFC 3339).' },
  },
  example: {
    body: { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '500.00', clientOrderId: 'example-1' },
  },
};

const fetchOrder: Route = {
  ...trading,
  method: 'GET',
  path: '/v1/orders/fetchOrder',
  operation: 'fetchOrder',
  scope: 'read',
  status: 200,
  summary: 'Read an order',
  description: 'An order of the wallet as it stands now.',
  answer: 'The order.',
  faults: { 404: noOrder },
  parameters: { ...walletParameters, orderId },
  example: { query: { orderId: '01935b2c-7f3e-7a10-9d55-0f6f3a1c2b4d' } },
};

const fetchOrders: Route = {
  ...trading,
  method: 'GET',
  path: '/v1/orders/fetchOrders',
  operation: 'fetchOrders',
  scope: 'read',
  status: 200,
  summary: 'List orders',
  description: 'The orders of the wallet, the newest first. Nothing is skipped or repeated while others come.',
  answer: 'A page of orders.',
  absent: ['nextToken'],
  faults: { 404: noProfile },
  parameters: {
    ...walletParameters,
    symbol: { ...symbol, description: 'Only orders of this market, as `BTC/BRL`.' },
    status: { description: 'Only orders that stand so; `OPEN` is `PENDING` or `PARTIALLY_FILLED`.' },
    limit: pageSize('Orders', 50),
    nextToken: {
      description: '`nextToken` of the page before, with the same filter. Omitted: the first page.',
      schema: { maxLength: 500 },
    },
  },
  example: { query: { status: 'FILLED', limit: '10' } },
};

const cancelOrder: Route = {
  ...trading,
  method: 'POST',
  path: '/v1/orders/cancelOrder',
  operation: 'cancelOrder',
  scope: 'trade',
  status: 200,
  summary: 'Cancel an order',
  description:
    'Cancels an open order, and answers it as it stands then; what was filled before counts. While an exchange does not respond the order stays open, and is cancelled as soon as its fate is known. A suspended profile can cancel.',
  answer: 'The order.',
  faults: {
    404: noOrder,
    409: 'The order is not open, or the idempotency key conflicts.',
  },
  parameters: { ...walletParameters, orderId },
  example: { body: { orderId: '01935b2c-7f3e-7a10-9d55-0f6f3a1c2b4d' } },
};

export const tradingOrderRoutes: readonly Route[] = [createOrder, fetchOrder, fetchOrders, cancelOrder];
