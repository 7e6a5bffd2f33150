import { Decimal } from '../../../shared/kernel/decimal.js';
import { listBalances, type BalanceRow } from '../../../subgraphs/trading/ledger/ledger.store.js';
import type { OwnWallet } from '../../../subgraphs/trading/profiles/profile.store.js';
import { createTrading } from '../../../subgraphs/trading/subgraph.js';
import type { Venue } from '../../../subgraphs/trading/venues/venue.js';
import { operator } from '../../kit/context.js';
import { openTestDatabase } from '../../kit/database.js';
import { until } from '../../kit/until.js';
import { contextOn, credit, partsOf, runOn, valueOf } from '../domain-kit.js';
import { fillHolder, scripted } from '../failures.js';
import { newTrader, walletOf, type TestTrader } from '../kit.js';

export const asOperator = { principal: operator };

const orderFields =
  'orderId clientOrderId symbol side type timeInForce postOnly status reason amount quoteAmount price filledAmount averagePrice fee feeCurrency createdAt filledAt';
const variables = `($symbol: String = "BTC/BRL", $side: OrderSide = BUY, $type: OrderType = MARKET, $amount: Decimal, $quoteAmount: Decimal,
    $price: Decimal, $clientOrderId: String, $timeInForce: TimeInForce, $postOnly: Boolean, $expiresAt: DateTime, $synthetic: Boolean, $profileId: ID)`;
const passed = `(symbol: $symbol, side: $side, type: $type, amount: $amount, quoteAmount: $quoteAmount, price: $price, timeInForce: $timeInForce,
    postOnly: $postOnly, expiresAt: $expiresAt, clientOrderId: $clientOrderId, synthetic: $synthetic, profileId: $profileId)`;
/** A market order for BTC/BRL, a BUY, unless its variables say something else; so is its preview. */
export const createOrder = `mutation ${variables} { createOrder${passed} { ${orderFields} } }`;
export const previewOrder = `query ${variables} { previewOrder${passed} {
  refused amount notional averagePrice worstPrice slippagePercent fee feeCurrency hold { currency amount } } }`;
export const cancelOrder = `mutation ($orderId: ID!) { cancelOrder(orderId: $orderId) { ${orderFields} } }`;

export interface OrderView {
  readonly orderId: string;
  readonly status: string;
  readonly filledAmount: string;
  readonly averagePrice: string | null;
  readonly fee: string;
  readonly reason: string | null;
}

export const quoteFields =
  'quoteId symbol side status price amount quoteAmount fee feeCurrency spread expiresAt ttlSeconds orderId';
/** A quote of a BUY of BTC/BRL, unless its variables say something else. */
export const createQuote = `mutation ($symbol: String = "BTC/BRL", $side: OrderSide = BUY, $amount: Decimal, $quoteAmount: Decimal, $synthetic: Boolean,
    $profileId: ID) {
  createQuote(symbol: $symbol, side: $side, amount: $amount, quoteAmount: $quoteAmount, synthetic: $synthetic, profileId: $profileId) { ${quoteFields} } }`;
export const executeQuote = `mutation ($quoteId: ID!, $synthetic: Boolean, $profileId: ID) {
  executeQuote(quoteId: $quoteId, synthetic: $synthetic, profileId: $profileId) { ${orderFields} } }`;

export interface QuoteView {
  readonly quoteId: string;
  readonly price: string;
  readonly amount: string;
  readonly quoteAmount: string;
  readonly fee: string;
  readonly spread: string;
}

type As = Pick<TestTrader, 'principal'>;

/**
 * A trading domain that is open, over its simulated exchanges, on a database of its own.
 * @param exchanges those of the real world, in place of the simulated ones
 */
export async function openOrders(exchanges?: readonly Venue[]) {
  const database = await openTestDatabase({ poolSize: 20 });
  const context = contextOn(database);
  const parts = partsOf(database);
  const trading = createTrading({
    ...parts,
    ...(exchanges === undefined ? { config: { ...parts.config, demo: true } } : { exchanges }),
  });
  const real = trading.markets.venues.simulated.filter(({ synthetic }) => !synthetic).map((each) => scripted(each));
  const holdFills = fillHolder(trading.markets.data.venues(false));
  const running = await trading.open(context);
  const run = runOn(trading.schema, context);
  const fund = (id: string, funds: Readonly<Record<string, string>>) =>
    credit(context, { id, synthetic: false }, funds);
  const rows = <T>(sql: string, parameters: readonly unknown[] = []) =>
    context.manager.query<T[]>(sql, [...parameters]);
  const runAs = ({ principal }: As, text: string, variables: object = {}) => run(text, { ...variables }, principal);
  const order = async (orderId: string) => {
    const [row] = await rows<{ status: string; filled: string; hold: string | null }>(
      `SELECT status, trim_scale(filled_amount)::text AS filled,
         (SELECT trim_scale(remaining)::text FROM trading.holds WHERE id = hold_id) AS hold FROM trading.orders WHERE id = $1`,
      [orderId],
    );
    if (row === undefined) throw new Error('The order is gone');
    return row;
  };
  return {
    database,
    context,
    trading,
    /** A company whose own wallet holds these funds. */
    trader: async (
      funds: Readonly<Record<string, string>> = { BRL: '1000000', BTC: '10' },
      options: Parameters<typeof newTrader>[1] = {},
    ) => {
      const trader = await newTrader(context, { ...options, fund: trading.fundWallet });
      const { id: walletId } = await walletOf(trader);
      await fund(walletId, funds);
      return trader;
    },
    fund,
    run: runAs,
    place: (trader: As, input: object) => valueOf<OrderView>(runAs(trader, createOrder, input)),
    quote: (trader: As, input: object) => valueOf<QuoteView>(runAs(trader, createQuote, input)),
    execute: (trader: As, quoteId: string, input: object = {}) =>
      valueOf<OrderView>(runAs(trader, executeQuote, { quoteId, ...input })),
    order,
    untilOver: (orderId: string) =>
      until('the order to be over', async () => (await order(orderId)).status !== 'PENDING'),
    ask: (factor = '1') => {
      const { ask } = trading.markets.data.ticker(false, 'BTC/BRL');
      if (ask === undefined) throw new Error('Nobody offers anything');
      return ask.times(factor).toDecimalPlaces(2).toFixed();
    },
    /** The simulated exchanges of the real world. */
    real,
    holdFills,
    /** What the accounts of the house of a kind come to, in the real world. */
    platform: async (kind: string, currency: string) => {
      const [row] = await rows<{ sum: string }>(
        'SELECT coalesce(sum(balance), 0) AS sum FROM trading.ledger_accounts WHERE kind = $1 AND currency = $2 AND NOT synthetic',
        [kind, currency],
      );
      return new Decimal(row?.sum ?? 0);
    },
    balances: async (wallet: Pick<OwnWallet, 'id' | 'synthetic'>): Promise<Readonly<Record<string, BalanceRow>>> =>
      Object.fromEntries((await listBalances(context, wallet)).map((row) => [row.currency, row])),
    rows,
    close: async () => {
      await running.close();
      await trading.close();
      await database.close();
    },
  };
}
