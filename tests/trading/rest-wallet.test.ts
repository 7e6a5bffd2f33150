import { afterAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction } from '../../shared/database/transaction.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { newId } from '../../shared/kernel/ids.js';
import { createRecordReader } from '../../shared/import/read/csv-records.js';
import { postJournals } from '../../subgraphs/trading/ledger/post-journals.js';
import { openTestPlatform } from '../kit/platform.js';
import { credit } from './domain-kit.js';
import { newProfile, newTrader, plenty, tradingCallerOf, walletOf } from './kit.js';

const withdrawal = { asset: 'BRL', amount: '100.00', address: 'maria@cliente.example' };
const withdraw = (over: object = {}, sent: Record<string, string> = headers) =>
  caller.post('/v1/wallet/withdraw', { ...withdrawal, ...over }, sent);
const path = '/v1/wallet/fetchStatement';
/** More than two pages of a file, in batches that are posted at moments of their own. */
const batches = 5;
const movements = 250;

const platform = await openTestPlatform(plenty, { background: false, domains: { transfers: { simulatesReal: true } } });
const { context } = platform.infrastructure;
const caller = tradingCallerOf(platform);
const trader = await newTrader(context);
const { headers } = await caller.session(trader);
const profileId = (await newProfile(trader)).id;
const amounts = Array.from({ length: movements / batches }, (_, index) => (index % 3 === 2 ? '-1.05' : '2.10'));
for (let batch = 0; batch < batches; batch += 1) {
  await post(profileId, amounts);
  await delay(3);
}
await post(undefined, ['7']);
await post(profileId, ['500'], true);
afterAll(() => platform.close());

/** Posts amounts to a wallet, one journal each. The cause of every movement is what a spreadsheet would take for a formula. */
async function post(profile: string | undefined, amounts: readonly string[], synthetic = false): Promise<void> {
  const { id: walletId } = await walletOf(trader, profile, synthetic);
  const journals = amounts.map((amount, index) => ({
    key: newId(),
    cause: 'test.move',
    causeId: `=HYPERLINK("http://x";"${index}")`,
    synthetic,
    postings: [
      { account: { kind: 'AVAILABLE', walletId, currency: 'BRL' } as const, amount },
      { account: { kind: 'CUSTODY', currency: 'BRL' } as const, amount: new Decimal(amount).negated() },
    ],
  }));
  await inTransaction(context, (tx) => postJournals(tx, journals));
}

interface Page {
  readonly from: string;
  readonly to: string;
  readonly opening: Record<string, string>;
  readonly closing: Record<string, string>;
  readonly movements: readonly {
    readonly postedAt: string;
    readonly journalId: string;
    readonly cause: string;
    readonly causeId: string;
    readonly available: string;
    readonly locked: string;
    readonly balance: Record<string, string>;
  }[];
  readonly nextToken?: string;
}

const queryOf = (given: Record<string, string>) =>
  new URLSearchParams({ currency: 'BRL', from: '2020-01-01T00:00:00Z', ...given }).toString();

async function page(given: Record<string, string> = {}, more: Record<string, string> = {}): Promise<Page> {
  const { status, body } = await caller.send('GET', `${path}?${queryOf(given)}`, undefined, {
    ...headers,
    'x-profile-id': profileId,
    ...more,
  });
  expect([status, body]).toMatchObject([200, {}]);
  return body as Page;
}

function file(given: Record<string, string> = {}, more: Record<string, string> = {}): Promise<Response> {
  const sent = { ...headers, 'x-profile-id': profileId, accept: 'text/csv', ...more };
  return fetch(`${platform.url}${path}?${queryOf(given)}`, { headers: sent });
}

async function cellsOf(response: Response, separator: ';' | ',' = ';'): Promise<string[][]> {
  return createRecordReader(separator)
    .end(await response.text())
    .map((record) => ('cells' in record ? [...record.cells] : [record.error.message]));
}

describe('a statement by REST', () => {
  test('never ends before it begins: a period that begins in the future needs its end', async () => {
    const from = new Date(Date.now() + 3_600_000).toISOString();
    const ask = (given: Record<string, string>) =>
      caller.send('GET', `${path}?${queryOf({ from, ...given })}`, undefined, headers);
    expect(await ask({})).toMatchObject({
      status: 400,
      body: { details: [{ path: 'from', message: 'must not be in the future' }] },
    });
    expect(await ask({ to: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'to' }] },
    });
    expect(await ask({ to: from })).toMatchObject({ status: 200, body: { from, to: from } });
  });

  test('as CSV is what its pages say together, between opening and closing balance', async () => {
    const to = new Date().toISOString();
    const pages: Page[] = [];
    let nextToken: string | undefined;
    do {
      const next: Page = await page({ to, limit: '90', ...(nextToken === undefined ? {} : { nextToken }) });
      pages.push(next);
      ({ nextToken } = next);
    } while (nextToken !== undefined);
    expect(pages.map((one) => one.movements.length)).toEqual([90, 90, 70]);

    for (const separator of [';', ','] as const) {
      const response = await file({ to, limit: '1', nextToken: 'ignored', separator });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="statement.csv"');
      expect(response.headers.get('vary')).toContain('accept');
      const [names, opening, ...lines] = await cellsOf(response, separator);
      const closing = lines.pop();
      const balanceOf = ({ available, locked, total }: Record<string, string>) => [available, locked, total];
      expect(names?.slice(0, 4)).toEqual(['postedAt', 'journalId', 'cause', 'causeId']);
      expect(opening).toEqual(['2020-01-01T00:00:00.000Z', '', 'opening', '', '', '', '0.00', '0.00', '0.00', '', '']);
      expect(lines).toEqual(
        pages.flatMap((one) =>
          one.movements.map(({ postedAt, journalId, cause, causeId, available, locked, balance }) => [
            postedAt,
            journalId,
            cause,
            `'${causeId}`,
            available,
            locked,
            ...balanceOf(balance),
            '',
            '',
          ]),
        ),
      );
      expect(closing).toEqual([to, '', 'closing', '', '', '', ...balanceOf(pages[0]?.closing ?? {}), '', '']);
    }
  });

  test('without a movement is an opening and a closing balance', async () => {
    const lines = await cellsOf(await file({ from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' }));
    expect(lines.map((line) => line[2])).toEqual(['cause', 'opening', 'closing']);
  });

  test("is that of the company's own wallet, or of the synthetic one, where the headers say so", async () => {
    const own = await file({}, { 'x-profile-id': profileId });
    expect((await cellsOf(own)).length).toBe(movements + 3);
    const { status, body } = await caller.send('GET', `${path}?${queryOf({})}`, undefined, headers);
    expect([status, body]).toMatchObject([200, { movements: [{ available: '7.00' }], closing: { total: '7.00' } }]);
    expect((await cellsOf(await file({}, { 'x-synthetic': 'true' }))).at(-1)).toContain('500.00');
    expect((await page({}, { 'x-synthetic': 'true' })).movements).toHaveLength(1);
  });

  test('is refused in the envelope, whichever form was asked for', async () => {
    const other = await newProfile(await newTrader(context));
    const reader = await newTrader(context, { scopes: ['trade'] });
    const { headers: trades } = await caller.session(reader);
    for (const accept of ['text/csv', 'application/json']) {
      const refused = async (query: string, sent: Record<string, string>) => {
        const reply = await caller.send('GET', `${path}?${query}`, undefined, { accept, ...sent });
        const { details = [] } = reply.body as { details?: { path: string }[] };
        return [reply.status, ...details.map((one) => one.path).sort()];
      };
      expect(await refused(queryOf({}), { ...headers, 'x-profile-id': other.id })).toEqual([404]);
      expect(await refused(queryOf({}), { ...headers, 'x-profile-id': 'none' })).toEqual([404]);
      expect(await refused(queryOf({}), {})).toEqual([401]);
      expect(await refused(queryOf({}), trades)).toEqual([403]);
      expect(await refused('separator=tab&limit=0&from=today', headers)).toEqual([
        400,
        'currency',
        'from',
        'limit',
        'separator',
      ]);
      expect(await refused(queryOf({ currency: 'XYZ', to: '2019-01-01T00:00:00Z' }), headers)).toEqual([
        400,
        'currency',
        'to',
      ]);
    }
  });
});

test('deposits and withdrawals are listed page by page in the documented form, those of another wallet apart', async () => {
  const mine = { ...headers, 'x-profile-id': profileId };
  const made: unknown[] = [];
  for (const amount of ['11.00', '12.00', '13.00']) made.unshift((await withdraw({ amount }, mine)).body);
  const list = (name: string, query = {}, sent: Record<string, string> = mine) =>
    caller.send('GET', `/v1/transfers/${name}?${String(new URLSearchParams(query))}`, undefined, sent);
  const first = (await list('fetchWithdrawals', { limit: '2' })).body as { withdrawals: unknown[]; nextToken: string };
  expect(first).toEqual({ withdrawals: made.slice(0, 2), nextToken: expect.any(String) });
  const second = await list('fetchWithdrawals', { limit: '2', nextToken: first.nextToken });
  expect(second).toMatchObject({ status: 200, body: { withdrawals: made.slice(2) } });
  expect(second.body).not.toHaveProperty('nextToken');
  for (const [query, wrong] of [
    [{ nextToken: 'abc' }, 'nextToken'],
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
  ] as const)
    expect(await list('fetchWithdrawals', query)).toMatchObject({ status: 400, body: { details: [{ path: wrong }] } });
  for (const other of [headers, { ...mine, 'x-synthetic': 'true' }])
    expect((await list('fetchWithdrawals', {}, other)).body).toEqual({ withdrawals: [] });
  expect((await list('fetchDeposits')).body).toEqual({ deposits: [] });
});

test('a withdrawal has the documented response, and its idempotency key makes it once', async () => {
  const wallet = await walletOf(trader);
  await credit(context, wallet, { BRL: '1000' });
  const sent = { ...headers, 'x-idempotency-key': 'w-1' };
  const replies = await Promise.all([withdraw({}, sent), withdraw({}, sent)]);
  replies.push(await withdraw({}, sent));
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
  const rows = await context.manager.query<unknown[]>('SELECT FROM trading.withdrawals WHERE wallet_id = $1', [
    wallet.id,
  ]);
  expect(rows).toHaveLength(1);
});

test('what is wrong with a withdrawal is in the envelope', async () => {
  const other = await newProfile(await newTrader(context));
  expect(await withdraw({}, { ...headers, 'x-profile-id': other.id })).toMatchObject({ status: 404 });
  expect(await withdraw({ amount: '5000' })).toMatchObject({
    status: 400,
    body: { statusCode: 400, code: 'CAAS_ORD_001' },
  });
  expect(await withdraw({ address: 'nobody' })).toMatchObject({ status: 422 });
  expect(await caller.post('/v1/wallet/withdraw', { asset: 'BRL' }, headers)).toMatchObject({ status: 400 });
  for (const amount of ['00001.00', '01', '-0', '-0.00', '+1', '1.', '.5', '1e2', ' 1', '1,00'])
    expect(await withdraw({ amount })).toMatchObject({ status: 400 });
  expect(await caller.post('/v1/wallet/withdraw', withdrawal)).toMatchObject({
    status: 401,
    body: { code: 'CAAS_AUTH_001' },
  });
});

test('a chain is withdrawn to by the documented body alone, whatever the value', async () => {
  await credit(context, await walletOf(trader), { BTC: '10' });
  await credit(context, await walletOf(trader, undefined, true), { BTC: '1' });
  const chain = { asset: 'BTC', amount: '9', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
  for (const sent of [headers, { ...headers, 'x-synthetic': 'true' }])
    expect(await withdraw({ ...chain, amount: sent === headers ? '9' : '0.5' }, sent)).toMatchObject({
      status: 201,
      body: { fee: '0.00010000', network: 'bitcoin' },
    });
  expect(await withdraw({ amount: '1.00', address: '+14155552671' })).toMatchObject({
    status: 201,
    body: { address: '+14155552671' },
  });
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
