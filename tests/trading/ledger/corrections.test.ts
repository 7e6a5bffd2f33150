import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { openHold } from '../../../subgraphs/trading/ledger/post-journals.js';
import { operator } from '../../kit/context.js';
import { move, openLedger, venue, type Wallet } from './kit.js';
import { streamedBalances } from '../streamed-balances.js';
import { statusOf, type Outcome } from '../domain-kit.js';

const kit = await openLedger(8);
afterAll(() => kit.close());

const text = `mutation ($key: ID!, $synthetic: Boolean!, $reason: String!, $postings: [CorrectionPostingInput!]!) {
  posted: postCorrection(key: $key, synthetic: $synthetic, reason: $reason, postings: $postings) {
    journalId key synthetic reason repeated } }`;

interface Given {
  readonly key?: string;
  readonly synthetic?: boolean;
  readonly reason?: string;
}

const correct = (postings: readonly object[], given: Given = {}, by = operator): Promise<Outcome> =>
  kit.run(text, { key: newId(), synthetic: false, reason: 'Booked twice', ...given, postings }, by);

const ofWallet = ({ id: walletId }: Wallet, amount: string, currency = 'BRL') => ({
  ...{ account: 'AVAILABLE', walletId, currency, amount },
});
const ofHouse = (account: string, amount: string, currency = 'BRL') => ({ account, currency, amount });

async function sumOf(kind: string, currency: string, synthetic = false): Promise<string> {
  const [row] = await kit.rows<{ total: string }>(
    `SELECT coalesce(trim_scale(sum(balance)), 0)::text AS total FROM trading.ledger_accounts
     WHERE kind = $1 AND currency = $2 AND synthetic = $3`,
    [kind, currency, synthetic],
  );
  return row?.total ?? '';
}

describe('a correction', () => {
  test('moves funds between a client and the house, once, and appears in the stream, the statement and the audit log', async () => {
    const wallet = await kit.funded('100');
    const before = Number(await sumOf('FEES', 'BRL'));
    const postings = [ofWallet(wallet, '-10.50'), ofHouse('FEES', '10.50')];
    const [first, again] = [
      await correct(postings, { key: 'ticket-17' }),
      await correct([...postings].reverse(), { key: 'ticket-17' }),
    ];
    expect(first.data).toMatchObject({ posted: { key: 'ticket-17', reason: 'Booked twice', repeated: false } });
    expect(again.data).toEqual({ posted: { ...(first.data['posted'] as object), repeated: true } });
    expect(await kit.balance(wallet)).toMatchObject({ available: '89.50', locked: '0.00' });
    expect(Number(await sumOf('FEES', 'BRL'))).toBe(before + 10.5);
    expect(await streamedBalances(kit.context.manager, wallet.id)).toEqual({
      BRL: { available: '89.50', locked: '0.00' },
    });
    const statement = await kit.run(
      '{ statement(currency: "BRL", from: "2020-01-01T00:00:00Z") { movements { available cause causeId reason } } }',
      {},
      wallet.trader,
    );
    expect(statement.data['statement']).toEqual({
      movements: [
        { available: '100.00', cause: 'test', causeId: expect.any(String), reason: null },
        { available: '-10.50', cause: 'operator.correction', causeId: expect.any(String), reason: 'Booked twice' },
      ],
    });
    const entries = await kit.rows(
      `SELECT actor_id AS actor, "after" FROM shared.audit_log WHERE action = 'postCorrection' AND "after"->>'correctionKey' = 'ticket-17' ORDER BY id`,
    );
    expect(entries).toMatchObject([
      { actor: operator.ownerId, after: { reason: 'Booked twice', postings, repeated: false } },
      { after: { repeated: true } },
    ]);
  });

  test('of two clients shows each of them ids of its own, in no way those of the other, of the journal or of the operator', async () => {
    const [one, other] = [await kit.funded('100'), await kit.funded('100')];
    const posted = await correct([ofWallet(one, '-1'), ofWallet(other, '1')], { key: 'ticket-of-two' });
    const { journalId } = posted.data['posted'] as { journalId: string };
    const page = (wallet: typeof one, after: string | null) =>
      kit.run(
        `query ($after: String) { statement(currency: "BRL", from: "2020-01-01T00:00:00Z", first: 1, after: $after) {
           movements { journalId causeId } pageInfo { endCursor } } }`,
        { after },
        wallet.trader,
      );
    const shown = async (wallet: typeof one) => {
      const pages: string[] = [];
      let after: string | null = null;
      do {
        const { data } = await page(wallet, after);
        const statement = data['statement'] as { pageInfo: { endCursor: string | null } };
        after = statement.pageInfo.endCursor;
        // A cursor is shown, too: what it is made of can be read.
        pages.push(JSON.stringify(statement), Buffer.from(after ?? '', 'base64url').toString('latin1'));
      } while (after !== null);
      return pages.join();
    };
    const texts = [await shown(one), await shown(other)];
    for (const text of texts) {
      expect(text).not.toContain(journalId);
      expect(text).not.toContain('ticket-of-two');
    }
    const idsOf = (text: string): string[] => text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
    expect(idsOf(texts[0] ?? '').length).toBeGreaterThanOrEqual(3);
    expect(idsOf(texts[0] ?? '').filter((id) => idsOf(texts[1] ?? '').includes(id))).toEqual([]);
    expect(idsOf(await shown(one))).toEqual(idsOf(texts[0] ?? ''));
  });

  test('says everything that is wrong with it at once, and posts nothing', async () => {
    const [wallet, synthetic] = [await kit.funded('5'), await kit.funded('5', 'BRL', true)];
    const refused = await correct(
      [
        ofWallet(wallet, '0.001'),
        ofWallet(synthetic, '1'),
        ofHouse('CAPITAL', '0'),
        ofHouse('CAPITAL', '1', 'XYZ'),
        { ...ofHouse('CAPITAL', '0.1234567890123456789'), walletId: wallet.id },
        { ...ofHouse('VENUE', '2'), venue: 'nowhere' },
      ],
      { key: ' ', reason: '' },
    );
    expect(refused.error).toMatchObject({ code: 'BAD_REQUEST', statusCode: 400 });
    const paths =
      'key reason [0].amount [1].walletId [2].amount [3].currency [4].walletId [4].amount [5].venue [4]'.split(' ');
    expect(refused.error?.details?.map(({ path }) => path.replace('postings[', '['))).toEqual([
      ...paths,
      'postings',
      'postings',
    ]);
    expect((await correct([ofHouse('CAPITAL', '1')])).error?.details).toMatchObject([
      { path: 'postings', message: 'must have from 2 to 50 items' },
      { path: 'postings', message: 'must sum to zero in BRL, but the sum is 1' },
    ]);
    expect(await kit.balance(wallet)).toMatchObject({ available: '5.00' });
    const { error } = await correct([ofHouse('LOCKED', '1'), ofHouse('CAPITAL', '-1')]);
    expect(error?.message).toContain('LOCKED');
  });

  test('takes no more than the client can use: what is set aside for an order is not touched', async () => {
    const wallet = await kit.funded('100');
    const of = { cause: 'order', causeId: '1', synthetic: false };
    await kit.act((tx) => openHold(tx, { id: newId(), walletId: wallet.id, currency: 'BRL', amount: '60', ...of }));
    const { error } = await correct([ofWallet(wallet, '-40.01'), ofHouse('CAPITAL', '40.01')]);
    expect(error).toMatchObject({ code: 'INSUFFICIENT_BALANCE', catalogue: 'CAAS_ORD_001' });
    expect(await kit.balance(wallet)).toMatchObject({ available: '40.00', locked: '60.00' });
    expect(await statusOf(correct([ofWallet(wallet, '-40'), ofHouse('CAPITAL', '40')]))).toBeUndefined();
    expect(await kit.rows('SELECT FROM trading.corrections WHERE reason = $1', ['40.01'])).toEqual([]);
  });

  test('of a key that was used for something else is 409, be it other amounts, another reason or another world', async () => {
    const wallet = await kit.funded('100');
    const key = newId();
    const postings = [ofWallet(wallet, '-1'), ofHouse('CAPITAL', '1')];
    expect(await statusOf(correct(postings, { key }))).toBeUndefined();
    for (const [other, given] of [
      [[ofWallet(wallet, '-2'), ofHouse('CAPITAL', '2')], {}],
      [postings, { reason: 'Another' }],
    ] as const)
      expect(await statusOf(correct(other, { key, ...given }))).toBe(409);
    const worlds = [ofHouse('CAPITAL', '1'), ofHouse('FEES', '-1')];
    const shared = newId();
    expect(await statusOf(correct(worlds, { key: shared }))).toBeUndefined();
    expect(await statusOf(correct(worlds, { key: shared, synthetic: true }))).toBe(409);
    expect(await kit.balance(wallet)).toMatchObject({ available: '99.00' });
  });

  test('that comes ten times at once is posted once', async () => {
    const wallet = await kit.funded('100');
    const key = newId();
    const postings = [ofWallet(wallet, '-7'), ofHouse('CAPITAL', '7')];
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => correct(postings, { key })));
    expect(outcomes.map(({ error }) => error)).toEqual(Array.from({ length: 10 }, () => undefined));
    const posted = outcomes.map(({ data }) => data['posted'] as { journalId: string; repeated: boolean });
    expect(new Set(posted.map(({ journalId }) => journalId)).size).toBe(1);
    expect(posted.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(await kit.balance(wallet)).toMatchObject({ available: '93.00' });
  });

  test('of several clients at once never waits for another one in a circle', async () => {
    const [left, right] = [await kit.funded('100'), await kit.funded('100')];
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const [from, to] = index % 2 === 0 ? [left, right] : [right, left];
        return correct([ofWallet(from, '-1'), ofWallet(to, '1')]);
      }),
    );
    expect(outcomes.map(({ error }) => error)).toEqual(outcomes.map(() => undefined));
    expect([await kit.balance(left), await kit.balance(right)]).toMatchObject([
      { available: '100.00' },
      { available: '100.00' },
    ]);
  });

  test('may be finer than a client’s amount where the house alone is concerned, at a venue that the ledger knows', async () => {
    await kit.post(move(venue('aurora', 'BTC'), { kind: 'CAPITAL', currency: 'BTC' }, '1'));
    const atVenue = { ...ofHouse('VENUE', '0.000000000000000001', 'BTC'), venue: 'aurora' };
    expect(await statusOf(correct([atVenue, ofHouse('CAPITAL', '-0.000000000000000001', 'BTC')]))).toBeUndefined();
    expect(await sumOf('VENUE', 'BTC')).toBe('-0.999999999999999999');
  });

  test('is refused to operators without the role `administer`, and to companies', async () => {
    const wallet = await kit.funded('5');
    const postings = [ofWallet(wallet, '1'), ofHouse('CAPITAL', '-1')];
    for (const by of [{ ...operator, scopes: ['trade'] }, wallet.trader])
      expect(await statusOf(correct(postings, {}, by))).toBe(403);
  });
});
