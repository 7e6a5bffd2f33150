import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction } from '../../shared/database/transaction.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { newId } from '../../shared/kernel/ids.js';
import { createRecordReader } from '../../shared/import/read/csv-records.js';
import { postJournals } from '../../subgraphs/trading/ledger/post-journals.js';
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
let profileId: string;

const path = '/v1/wallet/fetchStatement';
/** More than two pages of a file, in batches that are posted at moments of their own. */
const batches = 5;
const movements = 250;

beforeAll(async () => {
  platform = await openTestPlatform(plenty, { background: false, domains: { transfers: { simulatesReal: true } } });
  caller = tradingCallerOf(platform);
  trader = await newTrader(platform.infrastructure.context);
  ({ headers } = await caller.session(trader));
  profileId = (await newProfile(trader)).id;
  const amounts = Array.from({ length: movements / batches }, (_, index) => (index % 3 === 2 ? '-1.05' : '2.10'));
  for (let batch = 0; batch < batches; batch += 1) {
    await post(profileId, amounts);
    await delay(3);
  }
  await post(undefined, ['7']);
  await post(profileId, ['500'], true);
});
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
  await inTransaction(platform.infrastructure.context, (tx) => postJournals(tx, journals));
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

  test('adds up: the opening balance and all movements of a file are the closing balance', async () => {
    const from = (await page({ limit: '100' })).movements[99]?.postedAt ?? '';
    const [, opening, ...lines] = await cellsOf(await file({ from }));
    const closing = lines.pop();
    const sum = lines.reduce((total, line) => total.plus(line[4] ?? ''), new Decimal(opening?.[6] ?? ''));
    expect(lines.length).toBeLessThan(movements);
    expect(sum.toFixed(2)).toBe(closing?.[6]);
    expect(closing?.[6]).toBe((await page()).closing['available']);
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
    const other = await newProfile(await newTrader(platform.infrastructure.context));
    const reader = await newTrader(platform.infrastructure.context, { scopes: ['trade'] });
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

test('deposits and withdrawals are listed page by page, those of another wallet apart', async () => {
  const body = { asset: 'BRL', address: 'maria@cliente.example' };
  for (const amount of ['11.00', '12.00', '13.00']) {
    const sent = { ...headers, 'x-profile-id': profileId };
    expect((await caller.post('/v1/wallet/withdraw', { ...body, amount }, sent)).status).toBe(201);
  }
  const list = async (name: string, query: string, sent: Record<string, string>) => {
    const reply = await caller.send('GET', `/v1/transfers/${name}${query}`, undefined, { ...headers, ...sent });
    expect(reply.status).toBe(200);
    return reply.body as { withdrawals: { amount: string }[]; nextToken?: string };
  };
  const mine = { 'x-profile-id': profileId };
  const first = await list('fetchWithdrawals', '?limit=2', mine);
  expect(first.withdrawals.map(({ amount }) => amount)).toEqual(['13.00', '12.00']);
  const second = await list('fetchWithdrawals', `?limit=2&nextToken=${first.nextToken ?? ''}`, mine);
  expect(second.withdrawals.map(({ amount }) => amount)).toEqual(['11.00']);
  expect(second).not.toHaveProperty('nextToken');
  expect(await list('fetchWithdrawals', '', {})).toEqual({ withdrawals: [] });
  expect(await list('fetchWithdrawals', '', { ...mine, 'x-synthetic': 'true' })).toEqual({ withdrawals: [] });
  expect(await list('fetchDeposits', '', mine)).toEqual({ deposits: [] });
});
