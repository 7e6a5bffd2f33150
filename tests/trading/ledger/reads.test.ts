import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { openHold } from '../../../subgraphs/trading/ledger/post-journals.js';
import type { Movement } from '../../../subgraphs/trading/ledger/read-statement.js';
import { countQueries } from '../../kit/count-queries.js';
import { statusOf } from '../domain-kit.js';
import { available, move, openLedger, venue, postHold, releaseHold } from './kit.js';

/** A moment after each act on the wallet, and what it held then. */
const moments: { readonly at: string; readonly available: string; readonly locked: string }[] = [];

const balancesText = `query ($asOf: DateTime, $profileId: ID, $synthetic: Boolean) {
  balances(asOf: $asOf, profileId: $profileId, synthetic: $synthetic) { currency available locked total } }`;
const statementText = `query ($currency: String!, $from: DateTime!, $to: DateTime, $first: Int, $after: String, $profileId: ID) {
  statement(currency: $currency, from: $from, to: $to, first: $first, after: $after, profileId: $profileId) {
    currency from to opening { available locked total } closing { available locked total }
    movements { journalId postedAt available locked cause causeId balance { available locked total } }
    pageInfo { hasNextPage endCursor } } }`;

interface StatementAnswer {
  readonly opening: object;
  readonly closing: object;
  readonly movements: readonly Movement[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function statement(variables: Record<string, unknown>): Promise<StatementAnswer> {
  const { data, error } = await kit.run(statementText, { currency: 'BRL', ...variables }, wallet.trader);
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return data['statement'] as StatementAnswer;
}

const kit = await openLedger(6);
const other = await kit.wallet();
const note = async () => {
  const { available: free, locked } = await kit.balance(wallet);
  await delay(3);
  moments.push({ at: new Date().toISOString(), available: free, locked });
  await delay(3);
};
const wallet = await kit.wallet();
await note();
await kit.post({
  cause: 'deposit',
  causeId: '7',
  ...move({ kind: 'CUSTODY', currency: 'BRL' }, available(wallet), '1000'),
});
await note();
for (let index = 1; index <= 4; index += 1) {
  const id = newId();
  const of = { cause: 'order', causeId: String(index), synthetic: false };
  const postings = [{ account: venue(), amount: '10.1' }];
  await kit.act((tx) => openHold(tx, { id, walletId: wallet.id, currency: 'BRL', amount: '50', ...of }));
  await note();
  await kit.act((tx) => postHold(tx, { key: newId(), holdId: id, amount: '10.1', postings, ...of }));
  await note();
  await kit.act((tx) => releaseHold(tx, { holdId: id, ...of }));
  await note();
  await kit.post(move(available(wallet), available(other), '0.25'));
  await note();
}
afterAll(() => kit.close());

describe('balances', () => {
  test('name every currency, zeros included, with its decimals, in two statements', async () => {
    let outcome: unknown;
    const count = await countQueries(kit.database.dataSource, async () => {
      outcome = (await kit.run(balancesText, {}, wallet.trader)).data;
    });
    expect(outcome).toEqual({
      balances: [
        { currency: 'BRL', available: '958.60', locked: '0.00', total: '958.60' },
        { currency: 'BTC', available: '0.00000000', locked: '0.00000000', total: '0.00000000' },
        { currency: 'ETH', available: '0.00000000', locked: '0.00000000', total: '0.00000000' },
        { currency: 'USDT', available: '0.000000', locked: '0.000000', total: '0.000000' },
      ],
    });
    expect(count).toBe(2);
    const documented = await kit.run(
      '{ walletBalances { wallets { currency available locked total } } }',
      {},
      wallet.trader,
    );
    expect(documented.data).toEqual({ walletBalances: { wallets: (outcome as { balances: unknown }).balances } });
  });

  test('of any past moment are what they were then', async () => {
    expect(moments.length).toBe(18);
    for (const { at, ...held } of moments) {
      const { data } = await kit.run(balancesText, { asOf: at }, wallet.trader);
      expect(data).toMatchObject({ balances: [{ currency: 'BRL', ...held }, {}, {}, {}] });
    }
  });

  test('are those of the caller’s wallets alone, in the world that it asks for', async () => {
    const stranger = await kit.funded('5');
    expect((await kit.run(balancesText, {}, stranger.trader)).data).toMatchObject({
      balances: [{ available: '5.00' }, {}, {}, {}],
    });
    for (const which of [{ profileId: newId() }, { profileId: wallet.id }, { profileId: 'x' }, { synthetic: true }])
      expect(await statusOf(kit.run(balancesText, which, stranger.trader))).toBe(404);
    const trader = { ...stranger.trader, scopes: ['trade'] };
    expect(await statusOf(kit.run(balancesText, {}, trader))).toBe(403);
  });
});

describe('a statement', () => {
  const from = '2020-01-01T00:00:00.000Z';

  test('shows every movement with its cause, and what the wallet held after it', async () => {
    const { opening, closing, movements, pageInfo } = await statement({ from, first: 100 });
    expect(opening).toEqual({ available: '0.00', locked: '0.00', total: '0.00' });
    expect(closing).toEqual({ available: '958.60', locked: '0.00', total: '958.60' });
    expect(movements).toHaveLength(17);
    expect(movements.map(({ balance }) => balance)).toMatchObject(
      moments.slice(1).map((moment) => ({ available: moment.available, locked: moment.locked })),
    );
    expect(movements.slice(0, 4)).toMatchObject([
      { cause: 'deposit', causeId: '7', available: '1000.00', locked: '0.00' },
      { cause: 'order', causeId: '1', available: '-50.00', locked: '50.00' },
      { cause: 'order', causeId: '1', available: '0.00', locked: '-10.10' },
      { cause: 'order', causeId: '1', available: '39.90', locked: '-39.90' },
    ]);
    expect(pageInfo.hasNextPage).toBe(false);
  });

  test('is the same page by page, whatever the size of a page', async () => {
    const to = moments.at(-1)?.at;
    const whole = await statement({ from, to, first: 100 });
    for (const first of [1, 4, 16, 17]) {
      const pages: Movement[] = [];
      let after: string | null = null;
      do {
        const page: StatementAnswer = await statement({ from, to, first, after });
        pages.push(...page.movements);
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      } while (after !== null);
      expect(pages).toEqual(whole.movements);
    }
  });

  test('without an end ends with the moment of its first page, whatever is posted before the next', async () => {
    const [own, other] = [await kit.funded('10'), await kit.wallet()];
    const pay = () => kit.post(move(available(own), available(other), '1'));
    for (let index = 0; index < 3; index += 1) await pay();
    const pageOf = async (after: string | null) => {
      const variables = { currency: 'BRL', from, first: 2, after };
      const { data } = await kit.run(statementText, variables, own.trader);
      return data['statement'] as StatementAnswer & { readonly to: string };
    };
    await delay(3);
    const first = await pageOf(null);
    await pay();
    await delay(3);
    const second = await pageOf(first.pageInfo.endCursor);
    expect(second).toMatchObject({ to: first.to, opening: first.opening, closing: first.closing });
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect([...first.movements, ...second.movements].map(({ balance }) => balance.available)).toEqual([
      '10.00',
      '9.00',
      '8.00',
      '7.00',
    ]);
    expect((await pageOf(null)).closing).toMatchObject({ available: '6.00' });
  });

  test('of any period begins with what the wallet held, and its movements lead to what it held at the end', async () => {
    for (const [start, end] of [
      [0, 5],
      [3, 9],
      [9, 17],
      [6, 6],
    ] as const) {
      const [first, last] = [moments[start], moments[end]];
      const { opening, closing, movements } = await statement({ from: first?.at, to: last?.at, first: 100 });
      expect(opening).toMatchObject({ available: first?.available, locked: first?.locked });
      expect(closing).toMatchObject({ available: last?.available, locked: last?.locked });
      expect(movements).toHaveLength(end - start);
    }
  });

  test('without a movement is empty, also in a currency that the wallet never had', async () => {
    expect(await statement({ from, currency: 'ETH' })).toMatchObject({
      opening: { total: '0.00000000' },
      closing: { total: '0.00000000' },
      movements: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
  });

  test('is refused with all that is wrong, and a cursor is good for its own statement alone', async () => {
    const refused = (variables: object) =>
      kit.run(statementText, { currency: 'BRL', from, ...variables }, wallet.trader);
    expect((await refused({ currency: 'XYZ', to: '2019-01-01T00:00:00Z' })).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'currency' }, { path: 'to' }],
    });
    expect((await refused({ first: 0 })).error).toMatchObject({ details: [{ path: 'first' }] });
    const { pageInfo } = await statement({ from, first: 1 });
    for (const variables of [{ currency: 'BTC' }, { from: '2020-01-02T00:00:00Z' }])
      expect((await refused({ ...variables, after: pageInfo.endCursor })).error).toMatchObject({
        details: [{ path: 'after' }],
      });
  });
});
