import type { Route } from '../route.js';
import { decimal, symbol, trading, walletParameters } from './trading.js';

const noQuote = 'The company has no such profile, or the wallet no such quote.';
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
    'Makes an order of a quote: filled whole, at the quoted price, whatever the market has done since. A quote is good for one order, until `expiresAt` by the clock of the server. Where a response is lost, send the same request with the same `X-Idempotency-Key` again, or read the quote: it names its order.',
  answer: 'The order, FILLED.',
  faults: {
    400: 'Too little is available (code CAAS_ORD_001), or the market is halted (CAAS_ORD_002).',
    403: 'The credential lacks the scope `trade`, or the profile or the company is suspended.',
    404: noQuote,
    409: 'The quote was executed (code CAAS_RFQ_002), or the idempotency key conflicts.',
    410: 'The quote has expired (code CAAS_RFQ_001).',
    422: 'The order is beyond a limit that was agreed with the company.',
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
    summary: 'Get a quote',
    description:
      'Quotes a price that is guaranteed for 30 seconds. It is made of the order books of the venues for the size that is asked for, with their fees, and a spread whose marginal rate is lower for larger values, so that more never costs less in total. Give `amount` or `quoteAmount`, exactly one. A quote sets no funds aside; a wallet may have 20 open at once.',
    answer: 'The quote.',
    faults: {
      400: 'The request is malformed, the market is not traded (code CAAS_ORD_002), or it takes no less than its minimum (CAAS_ORD_003).',
      403: 'The credential lacks the scope `trade`, or the profile or the company is suspended.',
      404: 'The company has no such profile.',
      422: 'The amount is not above 0: see `details`; or the books do not hold as much, or the quote is beyond a limit: of quotes that are open or not hedged yet, or one that was agreed with the company.',
    },
    parameters: {
      ...walletParameters,
      symbol,
      side: { description: 'BUY or SELL the base currency.', rule: 'must be BUY or SELL' },
      amount: decimal('In the base currency, with at most `amountDecimals` of the market. This or `quoteAmount`.'),
      quoteAmount: decimal(
        'In the quote currency, without the fee: a BUY gets the most that does not cost more, a SELL the least that brings as much. This or `amount`.',
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
    summary: 'See a quote',
    description: 'A quote of the wallet, and the order that executed it. An expired one is kept for a day.',
    answer: 'The quote.',
    faults: { 404: noQuote },
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
