import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/ids.js';
import { postJournal } from '../../subgraphs/trading/ledger/post-journals.js';
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
  const { id: walletId } = await walletOf(trader);
  const postings = [
    { account: { kind: 'CUSTODY', currency: 'BRL' } as const, amount: '-1000' },
    { account: { kind: 'AVAILABLE', walletId, currency: 'BRL' } as const, amount: '1000' },
  ];
  await inTransaction(platform.infrastructure.context, (tx) =>
    postJournal(tx, { key: newId(), cause: 'test', causeId: newId(), synthetic: false, postings }),
  );
});
afterAll(() => platform.close());

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
    amount: '100',
    fee: '0',
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
  expect(await caller.post(path, body, {})).toMatchObject({ status: 401, body: { code: 'CAAS_AUTH_001' } });
  const other = await newProfile(await newTrader(platform.infrastructure.context));
  expect(await caller.post(path, body, { ...headers, 'x-profile-id': other.id })).toMatchObject({ status: 404 });
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
