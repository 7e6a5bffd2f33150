import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/kernel/ids.js';
import { postJournal } from '../../subgraphs/trading/ledger/post-journals.js';
import type { OwnWallet } from '../../subgraphs/trading/profiles/wallet.store.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import {
  newProfile,
  newTrader,
  plenty,
  tradingCallerOf,
  walletOf,
  type TestTrader,
  type TradingCaller,
} from './kit.js';

let platform: TestPlatform;
let caller: TradingCaller;
let trader: TestTrader;
let headers: { authorization: string };

beforeAll(async () => {
  platform = await openTestPlatform(plenty, { background: false, domains: { transfers: { simulatesReal: true } } });
  caller = tradingCallerOf(platform);
  trader = await newTrader(platform.infrastructure.context);
  headers = (await caller.session(trader)).headers;
  await fund('BRL', '1000');
  const synthetic = await walletOf(trader, undefined, true);
  await fund('BTC', '1', synthetic);
});
afterAll(() => platform.close());

async function fund(currency: string, amount: string, of?: OwnWallet): Promise<void> {
  const { id: walletId, synthetic } = of ?? (await walletOf(trader));
  const postings = [
    { account: { kind: 'CUSTODY', currency } as const, amount: `-${amount}` },
    { account: { kind: 'AVAILABLE', walletId, currency } as const, amount },
  ];
  await inTransaction(platform.infrastructure.context, (tx) =>
    postJournal(tx, { key: newId(), cause: 'test', causeId: newId(), synthetic, postings }),
  );
}

const path = '/v1/wallet/withdraw';
const body = { asset: 'BRL', amount: '100.00', address: 'maria@cliente.example' };

test('a withdrawal has the documented response, and its idempotency key makes it once', async () => {
  const sent = { ...headers, 'x-idempotency-key': 'w-1' };
  const replies = await Promise.all([caller.post(path, body, sent), caller.post(path, body, sent)]);
  replies.push(await caller.post(path, body, sent));
  const made = replies.filter(({ status }) => status === 201);
  expect(made.length).toBeGreaterThan(0);
  for (const reply of made) expect(reply.body).toEqual(made[0]?.body);
  expect(made[0]?.body).toEqual({
    withdrawalId: expect.any(String),
    asset: 'BRL',
    amount: '100.00',
    fee: '0.00',
    address: 'maria@cliente.example',
    network: 'pix',
    status: 'PENDING',
    createdAt: expect.any(String),
  });
  const rows = await platform.infrastructure.context.manager.query<unknown[]>('SELECT id FROM trading.withdrawals');
  expect(rows).toHaveLength(1);
});

test('what is wrong is in the envelope', async () => {
  expect(await caller.post(path, { ...body, amount: '5000' }, headers)).toMatchObject({
    status: 400,
    body: { statusCode: 400, code: 'CAAS_ORD_001' },
  });
  expect(await caller.post(path, { ...body, address: 'nobody' }, headers)).toMatchObject({ status: 422 });
  expect(await caller.post(path, { asset: 'BRL' }, headers)).toMatchObject({ status: 400 });
  for (const amount of ['00001.00', '01', '-0', '-0.00', '+1', '1.', '.5', '1e2', ' 1', '1,00'])
    expect(await caller.post(path, { ...body, amount }, headers)).toMatchObject({ status: 400 });
  expect(await caller.post(path, body, {})).toMatchObject({ status: 401, body: { code: 'CAAS_AUTH_001' } });
  const other = await newProfile(await newTrader(platform.infrastructure.context));
  expect(await caller.post(path, body, { ...headers, 'x-profile-id': other.id })).toMatchObject({ status: 404 });
});

test('a chain is withdrawn to by the documented body alone, whatever the value', async () => {
  await fund('BTC', '10');
  const chain = { asset: 'BTC', amount: '9', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
  for (const sent of [headers, { ...headers, 'x-synthetic': 'true' }])
    expect(await caller.post(path, { ...chain, amount: sent === headers ? '9' : '0.5' }, sent)).toMatchObject({
      status: 201,
      body: { fee: '0.00010000', network: 'bitcoin' },
    });
  expect(await caller.post(path, { ...chain, amount: '999' }, headers)).toMatchObject({
    status: 400,
    body: { code: 'CAAS_ORD_001' },
  });
  expect(await caller.post(path, { ...chain, address: '1BitcoinEaterAddressDontSendf59kuE' }, headers)).toMatchObject({
    status: 422,
    body: { details: [{ path: 'address' }] },
  });
  expect(await caller.post(path, { ...body, amount: '1.00', address: '+14155552671' }, headers)).toMatchObject({
    status: 201,
    body: { address: '+14155552671' },
  });
});

test('lists have the form of the documented ones, and withdrawals that of `withdraw`', async () => {
  const made: unknown[] = [];
  for (const amount of ['1.00', '1.50', '2.00'])
    made.unshift((await caller.post(path, { ...body, amount }, headers)).body);
  const list = (name: string, query: Record<string, string>) =>
    caller.send('GET', `/v1/transfers/${name}?${String(new URLSearchParams(query))}`, undefined, headers);
  const first = (await list('fetchWithdrawals', { limit: '2' })).body as { withdrawals: unknown[]; nextToken: string };
  expect(first).toEqual({ withdrawals: made.slice(0, 2), nextToken: expect.any(String) });
  const second = (await list('fetchWithdrawals', { limit: '100', nextToken: first.nextToken })).body as typeof first;
  expect(second.withdrawals[0]).toEqual(made[2]);
  expect(second).not.toHaveProperty('nextToken');
  for (const [query, wrong] of [
    [{ nextToken: 'abc' }, 'nextToken'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
  ] as const)
    expect(await list('fetchWithdrawals', query)).toMatchObject({ status: 400, body: { details: [{ path: wrong }] } });
  expect((await list('fetchDeposits', {})).body).toEqual({ deposits: [] });
});

test('deposit addresses come by network, real and synthetic ones apart', async () => {
  const get = (query: string, sent: Record<string, string> = headers) =>
    caller.send('GET', `/v1/wallet/fetchDepositAddress${query}`, undefined, sent);
  const real = await get('?currency=BTC');
  expect(real).toMatchObject({
    status: 200,
    body: {
      currency: 'BTC',
      addresses: [{ network: 'bitcoin', address: expect.stringMatching(/^bc1q/), confirmations: 3 }],
    },
  });
  expect(JSON.stringify(real.body)).not.toContain('memo');
  const synthetic = await get('?currency=BTC', { ...headers, 'x-synthetic': 'true' });
  expect(synthetic.status).toBe(200);
  expect(synthetic.body).not.toEqual(real.body);
  expect((await get('?currency=DOGE')).status).toBe(400);
  expect((await get('')).status).toBe(400);
});
