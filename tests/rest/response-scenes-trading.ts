import { newId } from '../../shared/kernel/ids.js';
import type { Fields, ResponseKit } from './response-kit.js';

const listOf = (body: Fields, name: string) => body[name] as Fields[];

/** The life of orders, quotes and transfers of the demo's company, whose exchanges are simulated. */
export async function useTrading(kit: ResponseKit): Promise<void> {
  const { read } = kit;
  const get = (path: string) => read('GET', path, { as: 'trader' });
  const post = (path: string, body: Fields) => read('POST', path, { as: 'trader', body });
  const markets = listOf(await get('/v1/market/fetchMarkets'), 'markets');
  for (const { symbol } of markets) await get(`/v1/market/fetchTicker?symbol=${String(symbol)}`);
  for (const path of ['/account/fetchProfiles', '/analytics/poolsBalances']) await get(path);
  await useOrders(get, post);
  await readWallet(kit);
}

type Ask = (path: string) => Promise<Fields>;
type Act = (path: string, body: Fields) => Promise<Fields>;

async function useOrders(get: Ask, post: Act): Promise<void> {
  const order = (body: Fields) => post('/v1/orders/createOrder', { symbol: 'BTC/BRL', side: 'BUY', ...body });
  const limit = { type: 'LIMIT', amount: '0.001', price: '1000.00' };
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const placed = [
    await order({ type: 'MARKET', quoteAmount: '500.00', clientOrderId: 'r-1' }),
    await order(limit),
    await order({ ...limit, timeInForce: 'GTD', expiresAt }),
    await order({ ...limit, timeInForce: 'IOC' }),
  ];
  for (const { orderId } of placed) await get(`/v1/orders/fetchOrder?orderId=${String(orderId)}`);
  await post('/v1/orders/cancelOrder', { orderId: placed[1]?.['orderId'] });
  await get('/v1/orders/fetchOrders?limit=100');
  for (const act of ['createOrder', 'executeQuote']) {
    const { quoteId } = await post('/v1/orders/rfq/createQuote', {
      symbol: 'BTC/BRL',
      side: 'BUY',
      quoteAmount: '1000.00',
    });
    await get(`/v1/orders/rfq/fetchQuote?quoteId=${String(quoteId)}`);
    await post(`/v1/orders/rfq/${act}`, { quoteId });
    await get(`/v1/orders/rfq/fetchQuote?quoteId=${String(quoteId)}`);
  }
}

async function readWallet({ read, platform }: ResponseKit): Promise<void> {
  const get = (path: string) => read('GET', path, { as: 'trader' });
  await get('/v1/wallet/fetchBalance');
  const { manager } = platform.infrastructure.context;
  const [wallet]: { id: string; company_id: string }[] = await manager.query(
    `SELECT wallet.id, wallet.company_id FROM trading.wallets AS wallet JOIN trading.orders AS placed ON placed.wallet_id = wallet.id
     WHERE placed.client_order_id = 'r-1'`,
  );
  if (wallet === undefined) throw new Error('The company has no wallet');
  await get('/v1/wallet/fetchStatement?currency=BRL&from=2026-01-01T00:00:00Z');
  await addTransfers(manager, wallet);
  await get('/v1/transfers/fetchDeposits');
  await get('/v1/transfers/fetchWithdrawals');
}

/** A deposit that is credited and one that is not yet, a withdrawal that arrived, one that failed and one that waits. */
async function addTransfers(
  manager: ResponseKit['platform']['infrastructure']['context']['manager'],
  { id, company_id: companyId }: { readonly id: string; readonly company_id: string },
): Promise<void> {
  const deposit = (state: string, confirmedAt: string | null) =>
    manager.query(
      `INSERT INTO trading.deposits (id, wallet_id, synthetic, currency, network, address, transaction, output, amount, credited, state,
         revision, confirmations, seen_at, confirmed_at, updated_at)
       VALUES ($1, $2, false, 'BTC', 'bitcoin', 'bc1q', 'tx ' || $3::text, 0, 1, 1, $3, 1, 1, now(), $4, now())`,
      [newId(), id, state, confirmedAt],
    );
  await deposit('SEEN', null);
  await deposit('REVERSED', new Date().toISOString());
  const withdrawal = (state: string, sent: boolean, completed: boolean, failure: string | null) =>
    manager.query(
      `INSERT INTO trading.withdrawals (id, company_id, wallet_id, synthetic, currency, network, address, amount, fee, approvals_needed,
         state, transaction, failure, created_at, updated_at, sent_at, completed_at)
       VALUES ($1, $2, $3, false, 'BTC', 'bitcoin', 'bc1q', 1, 0, 1, $4, $5, $6, now(), now(), $7, $8)`,
      [
        newId(),
        companyId,
        id,
        state,
        sent ? 'abc' : null,
        failure,
        sent ? new Date() : null,
        completed ? new Date() : null,
      ],
    );
  await withdrawal('AWAITING_APPROVAL', false, false, null);
  await withdrawal('COMPLETED', true, true, null);
  await withdrawal('FAILED', false, false, 'Recusado');
}
