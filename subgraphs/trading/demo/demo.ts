import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { demoTaxIds } from '../access/demo-company.js';
import { scopes } from '../access/credential.js';
import { findCredential } from '../access/access.store.js';
import { postJournals, type Journal } from '../ledger/post-journals.js';
import { createOrder, type OrderParts } from '../orders/orders.acts.js';
import type { OrderInput } from '../orders/order-input.js';
import type { WalletRow } from '../profiles/profile.store.js';

/** Initial funds of each real wallet of the demo, by currency. */
const funds: Readonly<Record<string, string>> = { BRL: '250000', BTC: '1.5', ETH: '12', USDT: '30000' };

/** The orders that give a wallet a history: filled, open and cancelled ones. */
const history: readonly (OrderInput & { readonly clientOrderId: string })[] = [
  { clientOrderId: 'demo-1', symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '5000' },
  { clientOrderId: 'demo-2', symbol: 'ETH/BRL', side: 'SELL', type: 'MARKET', amount: '0.5' },
  { clientOrderId: 'demo-3', symbol: 'USDT/BRL', side: 'BUY', type: 'MARKET', amount: '1000' },
  { clientOrderId: 'demo-4', symbol: 'BTC/BRL', side: 'BUY', type: 'LIMIT', amount: '0.01', price: '100000' },
  {
    clientOrderId: 'demo-5',
    symbol: 'BTC/USDT',
    side: 'BUY',
    type: 'LIMIT',
    amount: '0.01',
    price: '20000',
    timeInForce: 'IOC',
  },
];

/** Does not touch the wallets of profiles that users opened. A repetition completes an interrupted run. The venues must be open. @param apiKey of the demo's credential */
export async function loadTradingDemo(context: Context, parts: OrderParts, apiKey: string): Promise<void> {
  const credential = await findCredential(context, apiKey);
  if (credential === undefined) throw new Error('The credential of the demo does not exist');
  const { id, companyId: ownerId } = credential;
  const wallets = await listRealWallets(context, ownerId, demoTaxIds);
  await inTransaction(context, (tx) => postJournals(tx, wallets.map(fundingOf)));
  const principal = { kind: 'TRADER', id, ownerId, scopes } as const;
  const trader: Context = { ...context, principal, loaders: new Map() };
  for (const wallet of wallets) await placeHistory(trader, parts, wallet);
}

function fundingOf({ id: walletId }: WalletRow): Journal {
  const postings = Object.entries(funds).flatMap(([currency, amount]) => [
    { account: { kind: 'AVAILABLE', walletId, currency } as const, amount },
    { account: { kind: 'CUSTODY', currency } as const, amount: `-${amount}` },
  ]);
  return { key: `demo.funds:${walletId}`, cause: 'demo.funds', causeId: walletId, synthetic: false, postings };
}

/** Places orders one after another, as a client would; skips those that were placed before. */
async function placeHistory(trader: Context, parts: OrderParts, { id, profileId }: WalletRow): Promise<void> {
  const placed = await findUsedOrderIds(
    trader,
    id,
    history.map(({ clientOrderId }) => clientOrderId),
  );
  for (const input of history.filter(({ clientOrderId }) => !placed.has(clientOrderId))) {
    try {
      await createOrder(trader, parts, { profileId }, input);
    } catch (error) {
      // A market that an operator halted, for example, must not prevent the start.
      if (!(error instanceof ApiError)) throw error;
      trader.log.warn({ err: error, clientOrderId: input.clientOrderId }, 'An order of the demo was not placed');
    }
  }
}

function listRealWallets({ manager }: Context, companyId: string, taxIds: readonly string[]): Promise<WalletRow[]> {
  return manager.rows(
    `SELECT w.id, w.company_id AS "companyId", w.profile_id AS "profileId", w.synthetic
     FROM trading.wallets w LEFT JOIN trading.profiles p ON p.id = w.profile_id
     WHERE w.company_id = $1 AND NOT w.synthetic AND (p.id IS NULL OR p.tax_id = ANY ($2)) ORDER BY w.created_at, w.id`,
    [companyId, taxIds],
  );
}

async function findUsedOrderIds(
  { manager }: Context,
  walletId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await manager.rows<{ id: string }>(
    'SELECT client_order_id AS id FROM trading.orders WHERE wallet_id = $1 AND client_order_id = ANY ($2)',
    [walletId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}
