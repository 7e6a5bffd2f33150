import type { Parameter, Route } from '../route.js';
import { decimal, pageSize } from './parameters.js';
import { noProfile, symbol, trading, walletParameters } from './trading.js';

const orderId: Parameter = { description: 'Id of the order.', schema: { minLength: 1, maxLength: 100 } };
const noOrder = `${noProfile.slice(0, -1)}, or the wallet has no such order.`;

const createOrder: Route = {
  ...trading,
  method: 'POST',
  path: '/v1/orders/createOrder',
  operation: 'createOrder',
  scope: 'trade',
  status: 201,
  summary: 'Place an order',
  description: [
    'Places an order, and returns it once the exchanges have responded: a `MARKET` order is usually `FILLED` by then. The size is `amount` or, for a `BUY`, `quoteAmount`: exactly one of them.',
    'A `MARKET` order trades within the collar of its market (`collarPercent`, see fetchMarkets); the part that is not filled within the collar is cancelled. What an `IOC` order has left because books have moved on its way is sent again, at most twice, at prices up to 0.5 % beyond the books of its creation. Values with more decimals than the market has are rejected, never rounded. The funds, including the fee, are held before any order is sent.',
    'An order whose outcome at an exchange is unknown stays `PENDING` with its funds held until the exchange reports it, or an operator settles it; it is never sent again. Send `X-Idempotency-Key` or a `clientOrderId`, so that a repeated request cannot place a second order.',
  ].join('\n\n'),
  response: 'The order was placed, or rejected by the exchanges: see `status` and `reason`.',
  errors: {
    400: 'The available balance is too low (code CAAS_ORD_001), the market does not exist or accepts no orders (CAAS_ORD_002), the order is below the minimum of the market (CAAS_ORD_003), or fields are missing or malformed: see `details`.',
    403: 'The credential lacks the scope `trade`, or the company or the profile is suspended.',
    404: noProfile,
    409: 'The wallet already has an order with this `clientOrderId`, or the idempotency key conflicts.',
    422: 'An amount or a price is not above 0, or `expiresAt` is in the past: see `details`; or the order exceeds an agreed limit: of its value, of open orders, or of the daily volume.',
  },
  parameters: {
    ...walletParameters,
    symbol,
    side: { description: 'Side of the order: `BUY` or `SELL` of the base currency.', rule: 'must be BUY or SELL' },
    type: {
      description: '`MARKET`: executed immediately. `LIMIT`: executed at `price` or better.',
      rule: 'must be MARKET or LIMIT',
    },
    amount: decimal('Amount in the base currency, above 0; fees come on top. Either this or `quoteAmount`.'),
    quoteAmount: decimal(
      'For a `BUY`: the most that the wallet spends in all, in the quote currency, the fee within it. Either this or `amount`.',
    ),
    price: decimal('Limit price, in the quote currency. Required for `LIMIT`, not allowed for `MARKET`.'),
    clientOrderId: {
      description: 'Your own id of the order, 1 to 64 letters, digits, `-` and `_`. Unique in the wallet.',
      schema: { pattern: '^[A-Za-z0-9_-]{1,64}$' },
      identifies: true,
      rule: 'must have 1 to 64 letters, digits, - and _',
    },
    timeInForce: {
      description:
        '`GTC`: open until it is filled or cancelled; the default for `LIMIT`. `IOC`: the part that is not filled immediately is cancelled; the default for `MARKET`. `FOK`: filled completely and immediately, or not at all. `GTD`: open until `expiresAt`.',
    },
    postOnly: {
      description:
        '`true`: the order is rejected if it would be filled immediately. Only for orders that stay open (`GTC`, `GTD`).',
    },
    expiresAt: { description: 'Expiry of a `GTD` order, within 366 days: an instant (RFC 3339).' },
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
  summary: 'Get an order',
  description: 'An order of the wallet in its current state.',
  response: 'The order.',
  errors: { 404: noOrder },
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
  description:
    'The orders of the wallet, newest first. No order is skipped or repeated when others are placed meanwhile.',
  response: 'A page of orders.',
  errors: {
    400: 'There is no market with this symbol (code CAAS_ORD_002), or parameters are malformed: see `details`.',
    404: noProfile,
  },
  parameters: {
    ...walletParameters,
    symbol: { ...symbol, description: 'Only orders of this market, as `BTC/BRL`.' },
    status: { description: 'Only orders with this status; `OPEN` means `PENDING` or `PARTIALLY_FILLED`.' },
    limit: pageSize('Orders', 50),
    nextToken: {
      description: '`nextToken` of the previous page, with the same filter. Omitted: the first page.',
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
    'Cancels an open order, and returns it; the part that was filled before remains. While an exchange does not respond the order stays open, and is cancelled as soon as its outcome is known. A suspended profile can cancel orders.',
  response: 'The order.',
  errors: { 404: noOrder, 409: 'The order is not open, or the idempotency key conflicts.' },
  parameters: { ...walletParameters, orderId },
  example: { body: { orderId: '01935b2c-7f3e-7a10-9d55-0f6f3a1c2b4d' } },
};

export const tradingOrderRoutes: readonly Route[] = [createOrder, fetchOrder, fetchOrders, cancelOrder];

const noQuote = 'The company has no such profile, or the wallet has no such quote.';
const exampleId = '019361f4-8a3b-7c55-9d0e-3f2a1b4c5d6e';

const executeQuote: Route = {
  ...trading,
  method: 'POST',
  path: '/v1/orders/rfq/createOrder',
  operation: 'executeQuote',
  operationId: 'createOrderFromQuote',
  scope: 'trade',
  status: 201,
  summary: 'Execute a quote',
  description:
    'Turns a quote into an order that is filled completely at the quoted price, even if the market has moved since. A quote is valid for one order, until `expiresAt` by the clock of the server. If the response is lost, send the same request with the same `X-Idempotency-Key` again, or get the quote: it names its order.',
  response: 'The FILLED order.',
  errors: {
    400: 'The available balance is too low (code CAAS_ORD_001), or the market is halted (CAAS_ORD_002).',
    403: 'The credential lacks the scope `trade`, or the profile or the company is suspended.',
    404: noQuote,
    409: 'The quote was already executed (code CAAS_RFQ_002), or the idempotency key conflicts.',
    410: 'The quote has expired (code CAAS_RFQ_001).',
    422: 'The order exceeds a limit that was agreed with the company.',
  },
  parameters: { ...walletParameters, quoteId: { description: 'Id of the quote.', schema: { minLength: 1 } } },
  example: { body: { quoteId: exampleId } },
};

export const tradingQuoteRoutes: readonly Route[] = [
  {
    ...trading,
    method: 'POST',
    path: '/v1/orders/rfq/createQuote',
    operation: 'createQuote',
    scope: 'trade',
    status: 201,
    summary: 'Request a quote',
    description:
      'Quotes a price that is guaranteed for 30 seconds. The price is computed from the order books of the venues for the requested size, with their fees, and a spread whose marginal rate is lower for larger values, so that a larger amount never costs less in total, but for the rounding of the price to `priceDecimals`. Send exactly one of `amount` and `quoteAmount`. A quote holds no funds; a wallet can have 20 open quotes.',
    response: 'The quote.',
    errors: {
      400: 'The request is malformed, the market cannot be traded (code CAAS_ORD_002), or the amount is below the minimum of the market (CAAS_ORD_003).',
      403: 'The credential lacks the scope `trade`, or the profile or the company is suspended.',
      404: 'The company has no such profile.',
      422: 'The amount is not above 0: see `details`; or the order books have too little depth, or the quote exceeds a limit: of quotes that are open or not hedged yet, or one that was agreed with the company.',
    },
    parameters: {
      ...walletParameters,
      symbol,
      side: { description: 'Side: BUY or SELL of the base currency.', rule: 'must be BUY or SELL' },
      amount: decimal(
        'Amount in the base currency, with at most `amountDecimals` decimals; fees come on top. Either this or `quoteAmount`.',
      ),
      quoteAmount: decimal(
        'What a BUY pays at most and a SELL gets at least in all, in the quote currency, the fee taken into account: a BUY gets the largest amount that does not cost more, a SELL the smallest amount that yields as much. Either this or `amount`.',
      ),
    },
    example: { body: { symbol: 'BTC/BRL', side: 'BUY', quoteAmount: '1000.00' } },
  },
  {
    ...trading,
    method: 'GET',
    path: '/v1/orders/rfq/fetchQuote',
    operation: 'fetchQuote',
    scope: 'read',
    status: 200,
    summary: 'Get a quote',
    description: 'A quote of the wallet, with the order that executed it. An expired quote is kept for a day.',
    response: 'The quote.',
    errors: { 404: noQuote },
    parameters: { ...walletParameters, quoteId: { description: 'Id of the quote.', schema: { minLength: 1 } } },
    example: { query: { quoteId: exampleId } },
  },
  executeQuote,
  {
    ...executeQuote,
    path: '/v1/orders/rfq/executeQuote',
    operationId: 'executeQuote',
    description: `The same as \`POST /v1/orders/rfq/createOrder\`. ${executeQuote.description}`,
  },
];
