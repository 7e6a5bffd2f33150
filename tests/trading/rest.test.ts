import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openPlatform } from '../../bootstrap/platform.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { createRecordReader } from '../../shared/import/read/csv-records.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { newId } from '../../shared/kernel/ids.js';
import { postJournals } from '../../subgraphs/trading/ledger/post-journals.js';
import { quietLog } from '../kit/context.js';
import { openTestPlatform } from '../kit/platform.js';
import { credit } from './domain-kit.js';
import { newCpf, newProfile, newTrader, plenty, type TestTrader, tradingCallerOf, walletOf } from './kit.js';
import type { Reply } from '../accounts/http.js';

const platform = await openTestPlatform({ ...plenty, DEMO: 'true' }, { background: false });
const { context } = platform.infrastructure;
const caller = tradingCallerOf(platform);
const { trading: demo } = platform.demo();
const demoSession = await caller.post('/v1/auth/login', demo);
const demoHeaders = { authorization: `Bearer ${(demoSession.body as { accessToken: string }).accessToken}` };
afterAll(() => platform.close());

type Headers = Readonly<Record<string, string>>;

interface OrderView {
  readonly orderId: string;
  readonly clientOrderId: string | null;
  readonly status: string;
  readonly filledAmount: string;
}

/** A company with funds of its own, and what its calls send. */
async function funded(
  funds: Readonly<Record<string, string>> = { BRL: '100000' },
  scopes?: TestTrader['credential']['scopes'],
) {
  const trader = await newTrader(context, scopes === undefined ? {} : { scopes });
  await fund(trader, funds);
  const { headers } = await caller.session(trader);
  return { trader, headers: { ...headers } };
}

const fund = async (trader: TestTrader, funds: Readonly<Record<string, string>>, profileId?: string) =>
  credit(trader.context, await walletOf(trader, profileId), funds);

const get = (path: string, headers: Headers) => caller.send('GET', path, undefined, headers);
const create = (body: object, headers: Headers) => caller.post('/v1/orders/createOrder', body, headers);
const cancel = (orderId: string, headers: Headers) => caller.post('/v1/orders/cancelOrder', { orderId }, headers);

async function list(query: string, headers: Headers): Promise<{ orders: OrderView[]; nextToken?: string }> {
  const reply = await get(`/v1/orders/fetchOrders${query}`, headers);
  expect(reply.status).toBe(200);
  return reply.body as { orders: OrderView[]; nextToken?: string };
}

async function balance(currency: string, headers: Headers) {
  const { body } = await get('/v1/wallet/fetchBalance', headers);
  const { wallets } = body as { wallets: { currency: string; available: string; locked: string; total: string }[] };
  const found = wallets.find((one) => one.currency === currency);
  if (found === undefined) throw new Error(`No balance of ${currency}`);
  return found;
}

const refusal = ({ status, body }: Reply) => ({ status, code: (body as { code?: unknown }).code });
const pathsOf = ({ body }: Reply) =>
  ((body as { details?: { path: string }[] }).details ?? []).map(({ path }) => path).sort();
const buy = { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '1000' };
const waiting = { symbol: 'BTC/BRL', side: 'BUY', type: 'LIMIT', amount: '0.001', price: '1000' };

test('a wallet by REST is the synthetic one where X-Synthetic says so, and the two never meet', async () => {
  const { trader, headers } = await funded({});
  await credit(trader.context, await walletOf(trader, undefined, true), { BRL: '100000' });
  const simulated = { ...headers, 'x-synthetic': 'true' };
  expect(await balance('BRL', simulated)).toMatchObject({ total: '100000.00' });
  expect(await balance('BRL', headers)).toMatchObject({ total: '0.00' });
  const { status, body } = await create(buy, simulated);
  expect([status, (body as OrderView).status]).toEqual([201, 'FILLED']);
  expect((await list('', simulated)).orders).toHaveLength(1);
  expect((await list('', headers)).orders).toEqual([]);
  const { orderId } = body as OrderView;
  expect((await get(`/v1/orders/fetchOrder?orderId=${orderId}`, headers)).status).toBe(404);
  const slip = await get('/v1/wallet/fetchBalance', { ...headers, 'x-synthetic': 'yes' });
  expect([slip.status, pathsOf(slip)]).toEqual([400, ['X-Synthetic']]);
});

test('markets by REST have pools at exchanges, of the world that is asked for, under both paths', async () => {
  const { headers } = await funded({});
  const exchanges = async (path: string, more: Headers = {}) => {
    const { status, body } = await get(path, { ...headers, ...more });
    expect(status).toBe(200);
    return body as {
      pools: { exchange: string; status: string; updatedAt: string; balances: Record<string, string>[] }[];
    };
  };
  const { pools } = await exchanges('/v1/analytics/poolsBalances');
  expect(pools.map(({ exchange, status }) => [exchange, status])).toEqual([
    ['aurora', 'ACTIVE'],
    ['boreal', 'ACTIVE'],
  ]);
  for (const { balances, updatedAt } of pools) {
    expect(balances.map(({ currency }) => currency)).toEqual(['BRL', 'BTC', 'ETH', 'USDT']);
    for (const { available = '', locked = '', total = '' } of balances)
      expect(new Decimal(available).plus(locked).equals(total)).toBe(true);
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.now() - 60_000);
  }
  const unversioned = await exchanges('/analytics/poolsBalances', { 'x-synthetic': 'true' });
  expect(unversioned.pools.map(({ exchange }) => exchange)).toEqual(['aurora-synthetic', 'boreal-synthetic']);
});

describe('an order by REST', () => {
  test('is placed with 201, and read, listed and cancelled under its id', async () => {
    const { headers } = await funded();
    const filled = await create(buy, headers);
    expect(filled).toMatchObject({
      status: 201,
      body: { status: 'FILLED', feeCurrency: 'BRL', quoteAmount: '1000.00' },
    });
    const open = await create({ ...waiting, clientOrderId: 'mine' }, headers);
    expect(open).toMatchObject({ status: 201, body: { status: 'PENDING', clientOrderId: 'mine', timeInForce: 'GTC' } });
    const { orderId } = open.body as OrderView;
    expect((await get(`/v1/orders/fetchOrder?orderId=${orderId}`, headers)).body).toEqual(open.body);
    expect((await list('?status=OPEN', headers)).orders.map((one) => one.orderId)).toEqual([orderId]);
    expect(await cancel(orderId, headers)).toMatchObject({ status: 200, body: { orderId, status: 'CANCELLED' } });
    expect(refusal(await cancel(orderId, headers))).toEqual({ status: 409, code: undefined });
    expect((await list('?status=OPEN', headers)).orders).toEqual([]);
    expect((await list('?status=CANCELLED&symbol=BTC/BRL', headers)).orders).toHaveLength(1);
    expect((await list('?symbol=ETH/BRL', headers)).orders).toEqual([]);
    expect(await balance('BRL', headers)).toMatchObject({ locked: '0.00' });
  });

  test('that is sent twenty times at once with one key is placed once, and no other is announced', async () => {
    const { headers } = await funded();
    const keyed = { ...headers, 'x-idempotency-key': 'once' };
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(buy, keyed)));
    for (const { status } of replies) expect([201, 409]).toContain(status);
    expect((await list('', headers)).orders).toHaveLength(1);
    const again = await create(buy, keyed);
    const first = replies.find(({ status }) => status === 201);
    expect([again.status, again.body]).toEqual([201, first?.body]);
    expect(again.headers.get('x-idempotent-replayed')).toBe('true');
  });

  test('needs the scope trade, and reading it the scope read', async () => {
    const reader = await funded({}, ['read']);
    expect((await create(buy, reader.headers)).status).toBe(403);
    expect((await cancel('x', reader.headers)).status).toBe(403);
    const placer = await funded({ BRL: '5000' }, ['trade']);
    expect((await create(buy, placer.headers)).status).toBe(201);
    expect((await get('/v1/orders/fetchOrders', placer.headers)).status).toBe(403);
    expect((await get('/v1/wallet/fetchBalance', placer.headers)).status).toBe(403);
  });

  test('with a clientOrderId that was used is 409, and another wallet may use it', async () => {
    const { trader, headers } = await funded();
    const { id } = await newProfile(trader);
    await fund(trader, { BRL: '5000' }, id);
    const own = { ...buy, clientOrderId: 'twice' };
    expect((await create(own, headers)).status).toBe(201);
    expect((await create(own, headers)).status).toBe(409);
    expect((await create(own, { ...headers, 'x-profile-id': id })).status).toBe(201);
  });

  test('with an empty header for its wallet, or for whether it is simulated, acts on nothing', async () => {
    const { headers } = await funded();
    expect((await create(buy, { ...headers, 'x-profile-id': '' })).status).toBe(404);
    expect((await create(buy, { ...headers, 'x-synthetic': '' })).status).toBe(400);
    expect((await list('', headers)).orders).toEqual([]);
  });

  test("of another company is 404, and so is another wallet's of the same", async () => {
    const { trader, headers } = await funded();
    const { id } = await newProfile(trader);
    const { orderId } = (await create(waiting, headers)).body as OrderView;
    const other = await funded();
    for (const stranger of [other.headers, { ...headers, 'x-profile-id': id }]) {
      expect((await get(`/v1/orders/fetchOrder?orderId=${orderId}`, stranger)).status).toBe(404);
      expect((await cancel(orderId, stranger)).status).toBe(404);
      expect((await list('', stranger)).orders).toEqual([]);
    }
    expect((await cancel(orderId, headers)).status).toBe(200);
  });
});

describe('a list of orders by REST', () => {
  test('has 50 where no limit is given, goes on by nextToken, and shows each order once while others come', async () => {
    const { headers } = await funded();
    for (let made = 0; made < 52; made += 1) await create({ ...waiting, clientOrderId: `list-${made}` }, headers);
    const first = await list('', headers);
    expect(first.orders).toHaveLength(50);
    await create({ ...waiting, clientOrderId: 'later' }, headers);
    const second = await list(`?nextToken=${encodeURIComponent(first.nextToken ?? '')}`, headers);
    expect(second).not.toHaveProperty('nextToken');
    const seen = [...first.orders, ...second.orders].map(({ clientOrderId }) => clientOrderId);
    expect(seen).toEqual(Array.from({ length: 52 }, (_, index) => `list-${51 - index}`));
    const foreign = await get(
      `/v1/orders/fetchOrders?status=OPEN&nextToken=${encodeURIComponent(first.nextToken ?? '')}`,
      headers,
    );
    expect([foreign.status, pathsOf(foreign)]).toEqual([400, ['nextToken']]);
    const wrong = await get('/v1/orders/fetchOrders?limit=101&status=NEW', headers);
    expect([wrong.status, pathsOf(wrong)]).toEqual([400, ['limit', 'status']]);
  });

  test('of a symbol of no market is refused, as its ticker is; of a market without orders it is empty', async () => {
    const { headers } = await funded({ BRL: '1000' });
    for (const symbol of ['btc/brl', 'NOP/X']) {
      const message = `There is no market ${symbol}: fetchMarkets lists the symbols, in upper case`;
      for (const path of ['/v1/orders/fetchOrders', '/v1/market/fetchTicker']) {
        expect(await get(`${path}?symbol=${symbol}`, headers)).toMatchObject({
          status: 400,
          body: { code: 'CAAS_ORD_002', message },
        });
      }
    }
    expect(await list('?symbol=BTC/BRL', headers)).toEqual({ orders: [] });
  });
});

test('the lists of a wallet say in errors what their paths document', async () => {
  const { headers } = await funded();
  const statement = '/v1/wallet/fetchStatement?currency=BRL&from=2026-01-01T00:00:00Z&';
  for (const path of ['/v1/transfers/fetchDeposits?', '/v1/transfers/fetchWithdrawals?', statement])
    for (const [name, value] of Object.entries({ limit: '101', nextToken: 'foreign' }))
      expect([path, pathsOf(await get(`${path}${name}=${value}`, headers))]).toEqual([path, [name]]);
});

test('a text with the character NUL is 400 wherever it comes to the database', async () => {
  const { headers } = await funded({ BRL: '1000' }, ['read', 'trade', 'withdraw']);
  expect((await get('/v1/orders/fetchOrders?symbol=BTC%00', headers)).status).toBe(400);
  const body = { asset: 'BRL', amount: '10', address: 'maria@cliente.example' };
  const odd = await caller.post('/v1/wallet/withdraw', { ...body, beneficiaryName: 'Maria\u0000' }, headers);
  expect(odd.status).toBe(400);
  expect(await balance('BRL', headers)).toMatchObject({ available: '1000.00' });
  expect((await caller.post('/v1/wallet/withdraw', body, headers)).status).toBe(201);
});

const statementPath = '/v1/wallet/fetchStatement';
/** More than two pages of a file, in batches that are posted at moments of their own. */
const batches = 5;
const movements = 250;

const { trader, headers } = await funded({});
const profileId = (await newProfile(trader)).id;
const amounts = Array.from({ length: movements / batches }, (_, index) => (index % 3 === 2 ? '-1.05' : '2.10'));
for (let batch = 0; batch < batches; batch += 1) {
  await postTo(profileId, amounts);
  await delay(3);
}
await postTo(undefined, ['7']);
await postTo(profileId, ['500'], true);

/** Posts amounts to a wallet, one journal each. The cause of every movement is what a spreadsheet would take for a formula. */
async function postTo(profile: string | undefined, amounts: readonly string[], synthetic = false): Promise<void> {
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
  const { status, body } = await caller.send('GET', `${statementPath}?${queryOf(given)}`, undefined, {
    ...headers,
    'x-profile-id': profileId,
    ...more,
  });
  expect([status, body]).toMatchObject([200, {}]);
  return body as Page;
}

function file(given: Record<string, string> = {}, more: Record<string, string> = {}): Promise<Response> {
  const sent = { ...headers, 'x-profile-id': profileId, accept: 'text/csv', ...more };
  return fetch(`${platform.url}${statementPath}?${queryOf(given)}`, { headers: sent });
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
      caller.send('GET', `${statementPath}?${queryOf({ from, ...given })}`, undefined, headers);
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
      const none: readonly string[] = ['', '', '', '', '', '', ''];
      expect(opening).toEqual(['2020-01-01T00:00:00.000Z', '', 'opening', '', '', '', '0.00', '0.00', '0.00', ...none]);
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
            ...none,
          ]),
        ),
      );
      expect(closing).toEqual([to, '', 'closing', '', '', '', ...balanceOf(pages[0]?.closing ?? {}), ...none]);
    }
  });

  test('without a movement is an opening and a closing balance', async () => {
    const lines = await cellsOf(await file({ from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' }));
    expect(lines.map((line) => line[2])).toEqual(['cause', 'opening', 'closing']);
  });

  test("is that of the company's own wallet, or of the synthetic one, where the headers say so", async () => {
    const own = await file({}, { 'x-profile-id': profileId });
    expect((await cellsOf(own)).length).toBe(movements + 3);
    const { status, body } = await caller.send('GET', `${statementPath}?${queryOf({})}`, undefined, headers);
    expect([status, body]).toMatchObject([200, { movements: [{ available: '7.00' }], closing: { total: '7.00' } }]);
    expect((await cellsOf(await file({}, { 'x-synthetic': 'true' }))).at(-1)).toContain('500.00');
    expect((await page({}, { 'x-synthetic': 'true' })).movements).toHaveLength(1);
  });
});

test('a chain is withdrawn to by the documented body alone, whatever the value', async () => {
  const { trader, headers } = await funded({ BTC: '10', BRL: '1' }, ['read', 'withdraw']);
  await credit(context, await walletOf(trader, undefined, true), { BTC: '1' });
  const withdraw = (body: object, more: Headers = {}) =>
    caller.post('/v1/wallet/withdraw', body, { ...headers, ...more });
  const chain = { asset: 'BTC', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
  const made = { status: 201, body: { fee: '0.00010000', network: 'bitcoin' } };
  expect(await withdraw({ ...chain, amount: '9' })).toMatchObject(made);
  expect(await withdraw({ ...chain, amount: '0.5' }, { 'x-synthetic': 'true' })).toMatchObject(made);
  const phone = '+14155552671';
  expect(await withdraw({ asset: 'BRL', amount: '1.00', address: phone })).toMatchObject({
    status: 201,
    body: { address: phone },
  });
});

const examples = new URL('../../examples/trading-bot/', import.meta.url);
const typescript = new URL('../kit/typescript.mjs', import.meta.url).href;

let environment = { TRADING_API_KEY: demo.apiKey, TRADING_SECRET_KEY: demo.secretKey, LASTRO_URL: platform.url };

const start = (program: string, ...options: readonly string[]) =>
  spawn(process.execPath, ['--import', typescript, fileURLToPath(new URL(program, examples)), ...options], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

async function bot(...options: readonly string[]) {
  const child = start('bot.mjs', '--once', ...options);
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: JSON.parse(chunks.join('')) as Record<string, string> };
}

async function demoOrders(more: Headers = {}) {
  const { orders } = await list('', { ...demoHeaders, ...more });
  return orders;
}

describe('the example bot', () => {
  test('says what it would trade and trades nothing on a dry run', async () => {
    const before = await demoOrders();
    const { code, said } = await bot('--dry-run', '--target', '10');
    expect([code, said['action'], said['side']]).toEqual([0, 'would trade', 'SELL']);
    expect(await demoOrders()).toEqual(before);
  });

  test('brings the weight into its band by one order, and keeps it then', async () => {
    const synthetic = { 'x-synthetic': 'true' };
    expect(await demoOrders(synthetic)).toEqual([]);
    const { code, said } = await bot('--synthetic', '--target', '60', '--band', '3');
    expect([code, said['action'], said['side'], said['status']]).toEqual([0, 'traded', 'SELL', 'FILLED']);
    expect((await bot('--synthetic', '--target', '60', '--band', '3')).said['action']).toBe('keep');
    expect(await demoOrders(synthetic)).toMatchObject([
      { status: 'FILLED', clientOrderId: expect.stringMatching(/^bot-/) },
    ]);
  });

  test('trades as the socket reports balance and price, until it is stopped', async () => {
    const child = start('bot.mjs', '--synthetic', '--target', '30', '--band', '3', '--interval', '1');
    const lines = createInterface({ input: child.stdout });
    const said: Record<string, string>[] = [];
    for await (const line of lines) {
      said.push(JSON.parse(line) as Record<string, string>);
      if (said.length === 3) break;
    }
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    // After its order it has what the order brought, and never trades for it twice.
    expect(said.map(({ action }) => action)).toEqual(['traded', 'keep', 'keep']);
  });

  test('places no order while one of its own is open', async () => {
    const own = { ...demoHeaders, 'x-synthetic': 'true' };
    const resting = { symbol: 'BTC/BRL', side: 'BUY', type: 'LIMIT', price: '1000.00', amount: '0.001' };
    const order = { ...resting, clientOrderId: 'bot-1' };
    const { body } = await caller.send('POST', '/v1/orders/createOrder', order, own);
    const { said } = await bot('--synthetic', '--target', '90', '--band', '1');
    const { orderId } = body as { orderId: string };
    await caller.send('POST', '/v1/orders/cancelOrder', { orderId }, own);
    expect([said['action'], said['reason']]).toEqual(['wait', 'an order is open']);
  });

  test('ends with an error that says what is wrong where its credential is none', async () => {
    const good = environment;
    environment = { ...good, TRADING_SECRET_KEY: 'svc_trd_secret_wrong' };
    const { code, said } = await bot('--dry-run');
    const child = start('bot.mjs');
    const [ended] = (await once(child, 'close')) as [number | null];
    environment = good;
    expect([code, said['action'], said['status'], ended]).toEqual([1, 'failed', 401, 1]);
  });
});

test('the example that watches prints a snapshot of each channel, and what happens then', async () => {
  const child = start('watch.mjs', 'orders', 'balance', '--synthetic');
  const seen: { channel: string; eventId: number; snapshot?: boolean }[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    seen.push(JSON.parse(line) as (typeof seen)[number]);
    if (seen.length === 2) {
      const order = { symbol: 'BTC/BRL', side: 'BUY', type: 'MARKET', quoteAmount: '500' };
      await caller.send('POST', '/v1/orders/createOrder', order, { ...demoHeaders, 'x-synthetic': 'true' });
    }
    if (seen.length === 6) break;
  }
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  for (const name of ['orders', 'balance']) {
    const [snapshot, ...updates] = seen.filter(({ channel }) => channel === name);
    expect(snapshot?.snapshot).toBe(true);
    const from = snapshot?.eventId ?? 0;
    expect(updates.map(({ eventId }) => eventId)).toEqual([from + 1, from + 2]);
  }
});

test('another start of the demo neither funds nor trades in the wallet of a profile that a user opened since', async () => {
  const person = { name: 'Ana', document: newCpf(), documentType: 'CPF', email: 'ana@cliente.example' };
  const { id } = (await caller.post('/v1/account/createProfile', person, demoHeaders)).body as { id: string };
  const read = async (path: string, profileId?: string) => {
    const sent = { ...demoHeaders, ...(profileId === undefined ? {} : { 'x-profile-id': profileId }) };
    return (await caller.send('GET', path, undefined, sent)).body;
  };
  const statement = '/v1/wallet/fetchStatement?currency=BRL&from=2020-01-01T00:00:00Z';
  const own = await read(statement);
  expect(own).toMatchObject({
    movements: expect.arrayContaining([expect.objectContaining({ cause: 'demo.funds' })]),
  });
  await (await openPlatform(platform.infrastructure.config, quietLog, { background: false })).close();
  expect(await read(statement, id)).toMatchObject({ movements: [] });
  expect(await read('/v1/orders/fetchOrders', id)).toEqual({ orders: [] });
});
