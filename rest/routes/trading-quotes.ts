import type { Route } from '../route.js';
import { decimal } from './parameters.js';
import { symbol, trading, walletParameters } from './trading.js';

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
