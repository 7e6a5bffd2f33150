import { afterAll, describe, expect, test } from '@jest/globals';
import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { openHold, postJournal } from '../../../subgraphs/trading/ledger/post-journals.js';
import { available, custody, fees, journal, move, openLedger, venue, postHold, releaseHold } from './kit.js';

const kit = await openLedger(24);
afterAll(() => kit.close());

const of = (causeId: string) => ({ cause: 'order', causeId, synthetic: false });
const hold = (walletId: string, amount: string, id = newId()) => ({
  id,
  walletId,
  currency: 'BRL',
  amount,
  ...of('1'),
});
const open = (one: ReturnType<typeof hold>) => kit.act((tx) => openHold(tx, one));
/** A wallet with 100 BRL, and a hold of a part of it. */
async function held(amount: string) {
  const wallet = await kit.funded('100');
  const one = hold(wallet.id, amount);
  await open(one);
  return { wallet, one };
}
const entries = (walletId: string) =>
  kit.rows(
    `SELECT kind, number::integer, amount::text, entry.balance::text FROM trading.entries AS entry
     JOIN trading.ledger_accounts AS account ON account.id = account_id WHERE wallet_id = $1 ORDER BY entry.posted_at, kind`,
    [walletId],
  );

describe('a journal', () => {
  test('that is posted again changes nothing and says so, also from twenty connections at once', async () => {
    const [one, other] = [await kit.funded('100'), await kit.wallet()];
    const same = journal(move(available(one), available(other), '10.00'));
    const results = await Promise.all(Array.from({ length: 20 }, () => kit.post(same)));
    const repeats = results.flat().map(({ repeated }) => repeated);
    expect(repeats.filter((repeated) => !repeated)).toHaveLength(1);
    expect(new Set(results.flat().map(({ id }) => id)).size).toBe(1);
    // The same amount in another form is the same journal.
    expect(await kit.post({ ...same, ...move(available(one), available(other), '10') })).toMatchObject([
      { repeated: true },
    ]);
    expect(await kit.balance(other)).toMatchObject({ available: '10.00' });
  });

  test('with the key of another is refused, and the other stands', async () => {
    const [one, other] = [await kit.funded('100'), await kit.wallet()];
    const first = journal(move(available(one), available(other), '10'));
    await kit.post(first);
    const second = { ...first, ...move(available(one), available(other), '11') };
    await expect(kit.post(second)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('same key'),
    });
    expect(await kit.balance(other)).toMatchObject({ available: '10.00' });
  });

  test('does not balance by adding up currencies, nor with a hundredth over, and is no finer than the currency of a client', async () => {
    const wallet = await kit.funded('10');
    const toClient = { account: available(wallet), amount: '1' };
    for (const [code, postings] of [
      ['LD003', [toClient, { account: custody('BTC'), amount: '-1' }]],
      ['LD003', [toClient, { account: custody(), amount: '-1.000000000000000001' }]],
      ['LD003', [{ account: fees(), amount: '1' }]],
      ['LD004', move(available(wallet), fees(), '0.001').postings ?? []],
    ] as const)
      await expect(kit.post({ postings })).rejects.toMatchObject({ driverError: { code } });
    // The house may hold finer amounts.
    await kit.post(move(custody(), fees(), '0.001'));
  });

  test('of the real world cannot touch a synthetic wallet', async () => {
    const [real, synthetic] = [await kit.funded('10'), await kit.funded('10', 'BRL', true)];
    await expect(kit.post(move(available(real), available(synthetic), '1'))).rejects.toMatchObject({
      driverError: { code: '23503' },
    });
    await expect(kit.post({}, { synthetic: true })).rejects.toThrow('cannot be posted together');
    expect(await kit.balance(synthetic)).toMatchObject({ available: '10.00' });
  });

  test('posts to no account that is not known, no amount that is none, and not outside of a transaction', async () => {
    const wallet = await kit.funded('10');
    const made = move(available(wallet), { kind: 'MINE', currency: 'BRL' } as unknown as ReturnType<typeof fees>, '1');
    await expect(kit.post(made)).rejects.toMatchObject({ driverError: { code: '23514' } });
    await expect(postJournal(kit.context, journal({}))).rejects.toThrow('inside inTransaction');
    await expect(kit.post(move(available(wallet), custody(), 'NaN'))).rejects.toThrow();
  });

  test('is later than every entry that its accounts have, also when the clock was put back', async () => {
    const [one, other] = [await kit.funded('10'), await kit.wallet()];
    await kit.database.asOwner(
      `ALTER TABLE trading.entries DISABLE TRIGGER USER;
       UPDATE trading.entries SET posted_at = posted_at + interval '1 hour'
         WHERE account_id = (SELECT id FROM trading.ledger_accounts WHERE wallet_id = '${one.id}');
       UPDATE trading.ledger_accounts SET last_posted_at = last_posted_at + interval '1 hour' WHERE wallet_id = '${one.id}';
       ALTER TABLE trading.entries ENABLE ALWAYS TRIGGER entries_stand; ALTER TABLE trading.entries ENABLE ALWAYS TRIGGER entries_prove`,
    );
    await kit.post(move(available(one), available(other), '1'), move(available(one), available(other), '1'));
    const numbers = (walletId: string) =>
      kit.rows(
        `SELECT number::integer FROM trading.entries JOIN trading.ledger_accounts AS account ON account.id = account_id
         WHERE wallet_id = $1 ORDER BY posted_at`,
        [walletId],
      );
    expect(await numbers(one.id)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
    expect(await numbers(other.id)).toEqual([{ number: 1 }, { number: 2 }]);
  });

  test('does not wait for another that moves the same account of the house and is not committed yet', async () => {
    const [one, other] = [await kit.funded('10'), await kit.funded('10')];
    const stripeOf = async (tx: Context) => {
      const [row] = await tx.manager.query<{ stripe: number }[]>('SELECT pg_backend_pid() % 16 AS stripe');
      return row?.stripe;
    };
    await kit.act(async (tx) => {
      await postJournal(tx, journal(move(available(one), fees(), '1')));
      const taken = await stripeOf(tx);
      // On the first connection that has another stripe.
      const post = (): Promise<unknown> =>
        kit.act(async (apart) => {
          if ((await stripeOf(apart)) === taken) return post();
          await apart.manager.query(`SET LOCAL lock_timeout = '1s'`);
          return postJournal(apart, journal(move(available(other), fees(), '1')));
        });
      expect(await post()).toMatchObject({ repeated: false });
    });
  });

  test('that is rolled back with its transaction leaves nothing, not even its key', async () => {
    const wallet = await kit.funded('10');
    const one = journal(move(available(wallet), custody(), '1'));
    const undone = kit.act(async (tx) => {
      await postJournal(tx, one);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await kit.post(one)).toMatchObject([{ repeated: false }]);
  });
});

describe('a hold', () => {
  test('is released once, by however many and for whatever reasons', async () => {
    const { wallet, one } = await held('70');
    const { id } = one;
    const release = (_: unknown, index: number) =>
      kit.act((tx) =>
        releaseHold(tx, { ...of('1'), holdId: id, cause: index % 2 === 0 ? 'order.cancel' : 'order.expiry' }),
      );
    await Promise.all(Array.from({ length: 20 }, release));
    expect(await kit.balance(wallet)).toMatchObject({ available: '100.00', locked: '0.00' });
    expect(await entries(wallet.id)).toHaveLength(5);
  });

  test('gives up no more than remains, to no other world, and not below zero', async () => {
    const { wallet, one } = await held('10');
    const { id } = one;
    const spend = (amount: string, parts: object = {}) => {
      const postings = [{ account: venue(), amount }];
      return kit.act((tx) => postHold(tx, { key: newId(), holdId: id, amount, ...of('1'), postings, ...parts }));
    };
    for (const amount of ['10.01', '0', '-1']) await expect(spend(amount)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(spend('1', { synthetic: true })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(spend('1', { holdId: newId() })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(spend('1', { postings: [] })).rejects.toMatchObject({ driverError: { code: 'LD003' } });
    expect(await kit.balance(wallet)).toMatchObject({ available: '90.00', locked: '10.00' });
  });

  test('is opened again with the same id without a change, and as another not at all', async () => {
    const { wallet, one } = await held('10');
    expect(await open(one)).toMatchObject({ repeated: true });
    await expect(open({ ...one, amount: '11' })).rejects.toMatchObject({ code: 'CONFLICT' });
    const again = { act: 'open' as const, id: one.id, walletId: wallet.id, currency: 'BRL', amount: '10' };
    await expect(kit.post({ holds: [again] })).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(open(hold(wallet.id, '0.001'))).rejects.toMatchObject({
      driverError: { code: 'LD004' },
    });
  });
});
