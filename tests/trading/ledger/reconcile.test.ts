import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { haltsOf } from '../../../subgraphs/trading/ledger/ledger.store.js';
import { openHold } from '../../../subgraphs/trading/ledger/post-journals.js';
import { statusOf } from '../domain-kit.js';
import { newFindings, openFindings } from '../../../subgraphs/trading/ledger/findings.acts.js';
import { proveLedger, reconcileBalances } from '../../../subgraphs/trading/ledger/reconcile.js';
import { operator } from '../../kit/context.js';
import { randomInt } from '../../kit/random.js';
import { available, custody, fees, move, openLedger, venue, type Wallet, releaseHold } from './kit.js';

let wallet: Wallet;

const kit = await openLedger(12);
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.database.asOwner('DELETE FROM trading.reconciliation_findings; DELETE FROM trading.currency_halts');
});

/** What somebody does who may switch the triggers off, and what makes it good again. */
async function tampered(sql: string, undo: string, work: () => Promise<void>): Promise<void> {
  const free = (statement: string) =>
    kit.database.asOwner(
      `ALTER TABLE trading.entries DISABLE TRIGGER USER; ALTER TABLE trading.ledger_accounts DISABLE TRIGGER USER;
       ALTER TABLE trading.ledger_accounts DROP CONSTRAINT ledger_accounts_client_balance;
       ${statement};
       ALTER TABLE trading.entries ENABLE ALWAYS TRIGGER entries_stand; ALTER TABLE trading.entries ENABLE ALWAYS TRIGGER entries_prove;
       ALTER TABLE trading.ledger_accounts ENABLE ALWAYS TRIGGER ledger_accounts_stand;
       ALTER TABLE trading.ledger_accounts ADD CONSTRAINT ledger_accounts_client_balance CHECK (wallet_id IS NULL OR balance >= 0) NOT VALID`,
    );
  await free(sql);
  try {
    await work();
  } finally {
    await free(undo);
  }
}

const ofWallet = (kind = 'AVAILABLE') =>
  `(SELECT id FROM trading.ledger_accounts WHERE wallet_id = '${wallet.id}' AND kind = '${kind}' AND currency = 'BRL')`;

async function held(amount: string): Promise<void> {
  const of = { cause: 'test', causeId: '1', synthetic: false };
  const hold = { id: newId(), walletId: wallet.id, currency: 'BRL', amount, ...of };
  await kit.act((tx) => openHold(tx, hold));
}

describe('a ledger that is right', () => {
  test('has no findings, nor has it while ten writers post', async () => {
    const wallets = await Promise.all(Array.from({ length: 4 }, () => kit.funded('1000')));
    let writing = true;
    const write = async () => {
      while (writing) {
        const [from, to] = [wallets[randomInt(4)], wallets[randomInt(4)]];
        if (from === undefined || to === undefined) continue;
        const id = newId();
        const of = { cause: 'test', causeId: id, synthetic: false };
        await kit.post(move(available(from), available(to), '0.01'), move(available(to), fees(), '0.01'));
        await kit.act((tx) => openHold(tx, { id, walletId: to.id, currency: 'BRL', amount: '1', ...of }));
        await kit.act((tx) => releaseHold(tx, { holdId: id, ...of }));
      }
    };
    const writers = Array.from({ length: 10 }, write);
    for (let round = 0; round < 5; round += 1) {
      expect(await reconcileBalances(kit.context)).toEqual([]);
      expect(await proveLedger(kit.context)).toEqual([]);
    }
    writing = false;
    await Promise.all(writers);
    expect(await proveLedger(kit.context)).toEqual([]);
  });

  test('may owe its clients what it holds at venues, in custody and in transit, and no more', async () => {
    await kit.post(move({ kind: 'CAPITAL', currency: 'ETH' }, available(await kit.wallet(), 'ETH'), '2'));
    expect(await reconcileBalances(kit.context)).toMatchObject([
      { invariant: 'LIABILITIES_COVERED', currency: 'ETH', synthetic: false, expected: 'at least 2', actual: '0' },
    ]);
    await kit.post(
      move(venue('aurora', 'ETH'), { kind: 'CAPITAL', currency: 'ETH' }, '1'),
      move({ kind: 'WITHDRAWALS_IN_TRANSIT', currency: 'ETH' }, { kind: 'CAPITAL', currency: 'ETH' }, '1'),
    );
    expect(await reconcileBalances(kit.context)).toEqual([]);
  });
});

describe('a broken promise', () => {
  beforeEach(async () => {
    wallet = await kit.funded('100');
    await held('10');
  });

  const account = (change: string) => `UPDATE trading.ledger_accounts SET ${change} WHERE id = ${ofWallet()}`;
  const entry = (change: string, number = 1) =>
    `UPDATE trading.entries SET ${change} WHERE account_id = ${ofWallet()} AND number = ${number}`;
  const hold = (by: string) => `UPDATE trading.holds SET remaining = remaining ${by} WHERE wallet_id = '${wallet.id}'`;
  const sum = 'BALANCE_IS_SUM_OF_ENTRIES';
  test.each<[name: string, sql: () => [change: string, undo: string], quick: string[], full: string[]]>([
    [
      'a balance that no entry explains',
      () => [account('balance = balance + 1'), account('balance = balance - 1')],
      ['BALANCE_IS_LAST_ENTRY', 'LIABILITIES_COVERED', 'ZERO_SUM'],
      [sum],
    ],
    [
      'a client’s balance below zero',
      () => [account('balance = balance - 200'), account('balance = balance + 200')],
      ['BALANCE_IS_LAST_ENTRY', 'CLIENT_NOT_NEGATIVE', 'ZERO_SUM'],
      [sum],
    ],
    ['a hold that the locked balance does not know', () => [hold('- 1'), hold('+ 1')], ['LOCKED_IS_HELD'], []],
    [
      'an entry that was altered',
      () => [entry('amount = amount + 1'), entry('amount = amount - 1')],
      [],
      [sum, 'ENTRIES_ZERO_SUM'],
    ],
    [
      'a running balance that was altered',
      () => [entry('balance = balance + 1'), entry('balance = balance - 1')],
      [],
      [sum],
    ],
    ['a gap in the numbers', () => [entry('number = 7'), entry('number = 1', 7)], [], [sum]],
  ])('is found: %s', async (_name, sql, quick, full) => {
    await tampered(...sql(), async () => {
      const names = (found: readonly { invariant: string }[]) => found.map(({ invariant }) => invariant).toSorted();
      expect(names(await reconcileBalances(kit.context))).toEqual(quick);
      expect(names(await proveLedger(kit.context))).toEqual([...quick, ...full].toSorted());
      expect(await haltsOf(kit.context, ['BRL', 'BTC'], false)).toMatchObject([{ currency: 'BRL' }]);
      expect(await haltsOf(kit.context, ['BRL'], true)).toEqual([]);
    });
    expect(await proveLedger(kit.context)).toEqual([]);
  });

  test('is reported once, stays open until an operator says what it was, and halts the currency until then', async () => {
    const counted = async () => (await newFindings.get()).values.reduce((sum, { value }) => sum + value, 0);
    const before = await counted();
    await tampered(hold('- 1'), hold('+ 1'), async () => {
      for (let round = 0; round < 3; round += 1) await reconcileBalances(kit.context);
    });
    expect((await counted()) - before).toBe(1);
    await reconcileBalances(kit.context);
    const list = () =>
      kit.run(
        '{ reconciliationFindings { id invariant subject expected actual } currencyHalts { currency synthetic reason } }',
        {},
        operator,
      );
    const { data } = await list();
    expect(data).toEqual({
      reconciliationFindings: [
        {
          id: expect.any(String),
          invariant: 'LOCKED_IS_HELD',
          subject: `wallet ${wallet.id}`,
          expected: '9',
          actual: '10',
        },
      ],
      currencyHalts: [{ currency: 'BRL', synthetic: false, reason: 'Reconciliation: LOCKED_IS_HELD' }],
    });
    const [finding] = data['reconciliationFindings'] as { id: string }[];
    const resolve = (id: string, reason: string) =>
      kit.run(
        `mutation ($id: ID!, $reason: String!) {
           resolveReconciliationFinding(id: $id, reason: $reason) { resolution resolvedAt } }`,
        { id, reason },
        operator,
      );
    expect(await openFindings.read(kit.context)).toBe(1);
    expect(await statusOf(resolve(finding?.id ?? '', ' '))).toBe(400);
    expect(await statusOf(resolve(newId(), 'x'))).toBe(404);
    expect(await statusOf(resolve('x', 'x'))).toBe(404);
    expect((await resolve(finding?.id ?? '', 'A test')).data).toEqual({
      resolveReconciliationFinding: { resolution: 'A test', resolvedAt: expect.any(String) },
    });
    expect(await statusOf(resolve(finding?.id ?? '', 'Again'))).toBe(404);
    expect((await list()).data).toEqual({ reconciliationFindings: [], currencyHalts: [] });
    expect(
      await kit.rows(
        `SELECT outcome FROM shared.audit_log WHERE action = 'resolveReconciliationFinding' AND outcome = 'DONE'`,
      ),
    ).toHaveLength(1);
    const { error } = await kit.run('{ reconciliationFindings { id } }', {}, wallet.trader);
    expect(error).toMatchObject({ statusCode: 403 });
  });

  test('is resolved with the halt of its currency, when an operator resumes that', async () => {
    await tampered(hold('- 1'), hold('+ 1'), async () => {
      await reconcileBalances(kit.context);
    });
    const resume = 'mutation { resumeCurrency(currency: "BRL", synthetic: false, reason: "Booked late") }';
    expect((await kit.run(resume, {}, operator)).data).toEqual({ resumeCurrency: 1 });
    expect(await openFindings.read(kit.context)).toBe(0);
  });
});

describe('months that are over', () => {
  // A month is over an hour after its end: the months before are counted from there, also in the first hour of a month.
  const over = `date_trunc('month', now() - interval '1 hour')`;
  const age = `(now() - (${over} - interval '2 months' + interval '14 days'))`;
  const backdate = `UPDATE trading.entries SET posted_at = posted_at - ${age};
    UPDATE trading.ledger_accounts SET last_posted_at = last_posted_at - ${age}`;

  test('are proved once, known by their sums, read again in turn, and what came later is added to them', async () => {
    await kit.database.asOwner(
      `DO $$ BEGIN FOR back IN 1..2 LOOP
         EXECUTE format('CREATE TABLE IF NOT EXISTS trading.%I PARTITION OF trading.entries FOR VALUES FROM (%L) TO (%L)',
           to_char(${over} - back * interval '1 month', '"entries_"YYYY_MM'),
           ${over} - back * interval '1 month', ${over} - (back - 1) * interval '1 month');
       END LOOP; END $$`,
    );
    await tampered(backdate, 'SELECT', () => Promise.resolve());
    expect(await proveLedger(kit.context)).toEqual([]);
    const months = await kit.rows<{ month: string; entries: number }>(
      'SELECT month::text, entries::integer FROM trading.proved_months ORDER BY month',
    );
    expect(months).toHaveLength(2);
    expect(months[0]?.entries).toBeGreaterThan(0);
    expect(months[1]?.entries).toBe(0);
    wallet = await kit.funded('10');
    await kit.post(move(custody(), fees(), '1'));
    expect(await proveLedger(kit.context)).toEqual([]);

    const old = `account_id = (SELECT max(account_id) FROM trading.entry_sums)
      AND posted_at = (SELECT max(posted_at) FROM trading.entries AS other WHERE other.account_id = entries.account_id)`;
    await tampered(
      `UPDATE trading.entries SET amount = amount + 1 WHERE ${old}`,
      `UPDATE trading.entries SET amount = amount - 1 WHERE ${old}`,
      async () => {
        // One month a night is read again: in as many nights, each of them.
        const nights = [0, 1].map((night) => new Date(Date.now() + night * 86_400_000));
        const found = [];
        for (const night of nights) found.push(...(await proveLedger({ ...kit.context, clock: { now: () => night } })));
        expect(found).toMatchObject([
          { invariant: 'PROVED_MONTH_STANDS', subject: expect.stringContaining(months[0]?.month ?? '') },
        ]);
      },
    );
  });

  test('that do not add up stay unproved and are named', async () => {
    await kit.database.asOwner('DELETE FROM trading.entry_sums; DELETE FROM trading.proved_months');
    const one = `ctid = (SELECT ctid FROM trading.entries WHERE posted_at < now() - interval '1 month' LIMIT 1)
      AND posted_at < now() - interval '1 month'`;
    await tampered(
      `UPDATE trading.entries SET amount = amount + 1 WHERE ${one}`,
      `UPDATE trading.entries SET amount = amount - 1 WHERE amount <> balance AND number = 1 AND posted_at < now() - interval '1 month'`,
      async () => {
        const found = await proveLedger(kit.context);
        expect(found.map(({ invariant }) => invariant)).toEqual(
          expect.arrayContaining(['MONTH_ADDS_UP', 'BALANCE_IS_SUM_OF_ENTRIES', 'ENTRIES_ZERO_SUM']),
        );
        expect(await kit.rows('SELECT FROM trading.proved_months')).toEqual([]);
      },
    );
  });

  test('that do not begin where the account began stay unproved, too', async () => {
    await kit.database.asOwner('DELETE FROM trading.entry_sums; DELETE FROM trading.proved_months');
    const old = `account_id = (SELECT max(account_id) FROM trading.entries WHERE posted_at < now() - interval '1 month')`;
    await tampered(
      `UPDATE trading.entries SET balance = balance + 1 WHERE ${old}`,
      `UPDATE trading.entries SET balance = balance - 1 WHERE ${old}`,
      async () => {
        const names = (await proveLedger(kit.context)).map(({ invariant }) => invariant);
        expect(names.toSorted()).toEqual(['BALANCE_IS_SUM_OF_ENTRIES', 'MONTH_ADDS_UP']);
      },
    );
    expect(await proveLedger(kit.context)).toEqual([]);
  });

  test('cannot be proved before they are over, nor out of their order', async () => {
    const prove = (month: string) => kit.rows(`SELECT trading.prove_month(date_trunc('month', ${month})::date)`);
    await expect(prove('now()')).rejects.toMatchObject({ code: '22023' });
    await kit.database.asOwner('DELETE FROM trading.entry_sums; DELETE FROM trading.proved_months');
    await kit.database.asOwner(`INSERT INTO trading.proved_months VALUES (date_trunc('month', now()), 0, now())`);
    await expect(prove(`now() - interval '1 month'`)).rejects.toMatchObject({ code: '22023' });
    await kit.database.asOwner('DELETE FROM trading.proved_months');
  });
});

test('entries outside of the months that were made are a finding, and posting goes on', async () => {
  await kit.database.asOwner(
    `DO $$ BEGIN EXECUTE format('ALTER TABLE trading.entries DETACH PARTITION trading.%I', to_char(now(), '"entries_"YYYY_MM')); END $$`,
  );
  wallet = await kit.funded('10');
  expect(await kit.balance(wallet)).toMatchObject({ available: '10.00' });
  const found = await proveLedger(kit.context);
  expect(found.map(({ invariant }) => invariant)).toContain('ENTRIES_HAVE_A_MONTH');
});
