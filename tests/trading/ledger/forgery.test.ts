import { afterAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { newId } from '../../../shared/kernel/ids.js';
import { available, custody, fees, journal, move, openLedger } from './kit.js';

const kit = await openLedger(4);
const wallet = await kit.funded('100');
const [row] = await kit.rows<{ id: string }>('SELECT id FROM trading.ledger_accounts WHERE wallet_id = $1', [
  wallet.id,
]);
const account = row?.id ?? '';
afterAll(() => kit.close());

/** Whatever is tried, this is what the ledger says. */
async function expectUnchanged(): Promise<void> {
  expect(await kit.balance(wallet)).toMatchObject({ available: '100.00', locked: '0.00' });
  expect(await kit.rows('SELECT count(*)::integer AS count FROM trading.entries')).toEqual([{ count: 2 }]);
}

const insertEntry = (amount: string, table = 'trading.entries') =>
  `INSERT INTO ${table} (account_id, number, journal_id, currency, synthetic, amount, balance, posted_at)
   SELECT account_id, number + 1, journal_id, currency, synthetic, ${amount}, balance + ${amount}, clock_timestamp()
   FROM trading.entries WHERE account_id = ${account}`;

describe('the role of the program', () => {
  test('changes nothing of the ledger by SQL of its own', async () => {
    const statements = [
      ...['ledger_accounts', 'journals', 'entries', 'entries_other', 'holds', 'entry_sums', 'proved_months'].flatMap(
        (name) => [
          `DELETE FROM trading.${name}`,
          `TRUNCATE trading.${name} CASCADE`,
          `ALTER TABLE trading.${name} DISABLE TRIGGER ALL`,
        ],
      ),
      `UPDATE trading.ledger_accounts SET balance = balance + 1 WHERE id = ${account}`,
      `UPDATE trading.entries SET amount = 1, balance = 1`,
      `UPDATE trading.journals SET cause = 'other'`,
      `UPDATE trading.holds SET remaining = 1`,
      insertEntry('1'),
      `INSERT INTO trading.journals VALUES (gen_random_uuid(), 'mine', 'mine', '1', false, '', now())`,
      `INSERT INTO trading.ledger_accounts (kind, currency, synthetic, stripe, balance) VALUES ('FEES', 'BRL', false, 9, 0)`,
      `INSERT INTO trading.holds VALUES (gen_random_uuid(), '${wallet.id}', false, 'BRL', 1, 1, 'mine', '1', now(), NULL)`,
      `INSERT INTO trading.proved_months VALUES ('2020-01-01', 0, now())`,
    ];
    for (const statement of statements) await expect(kit.rows(statement)).rejects.toMatchObject({ code: '42501' });
    // Partitions, too.
    const [month] = await kit.rows<{ name: string }>(
      'SELECT DISTINCT tableoid::regclass::text AS name FROM trading.entries',
    );
    for (const statement of [`DELETE FROM ${month?.name ?? ''}`, insertEntry('1', month?.name)])
      await expect(kit.rows(statement)).rejects.toMatchObject({ code: '42501' });
    await expectUnchanged();
  });

  test('posts through the one function what balances, and locks by holds alone', async () => {
    const post = (postings: readonly object[]) =>
      kit.rows('SELECT trading.post_journals(false, $1)', [
        JSON.stringify([{ id: newId(), key: newId(), cause: 'test', causeId: '1', postings, holds: [] }]),
      ]);
    const posting = (kind: string, amount: string | null) => ({ owner: wallet.id, kind, currency: 'BRL', amount });
    await expect(post([posting('AVAILABLE', '-1'), posting('LOCKED', '1')])).rejects.toMatchObject({ code: 'LD006' });
    await expect(post([posting('AVAILABLE', '1')])).rejects.toMatchObject({ code: 'LD003' });
    for (const amount of ['NaN', 'Infinity'])
      await expect(post([posting('AVAILABLE', amount)])).rejects.toMatchObject({
        code: expect.stringMatching(/^(LD003|23514|22003)$/),
      });
    await expect(post([posting('AVAILABLE', null), posting('AVAILABLE', '1')])).rejects.toMatchObject({
      code: 'LD003',
    });
    await expectUnchanged();
  });

  test('is the only one that may call what acts for the owner', async () => {
    const rows = await kit.rows<{ name: string; mine: boolean; all: boolean }>(
      `SELECT proname AS name, has_function_privilege(oid, 'EXECUTE') AS mine,
         EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0) AS all
       FROM pg_proc WHERE pronamespace = 'trading'::regnamespace AND prosecdef ORDER BY proname`,
    );
    expect(rows).toEqual(
      ['make_entry_months', 'post_journals', 'prove_month'].map((name) => ({ name, mine: true, all: false })),
    );
  });

  test('cannot have the function take its own tables and operators for the ledger’s', async () => {
    const client = new Client({ connectionString: kit.database.directUrl });
    await client.connect();
    await client.query(
      `CREATE TEMP TABLE ledger_accounts (LIKE trading.ledger_accounts); CREATE TEMP TABLE entries (LIKE trading.entries);
       CREATE FUNCTION pg_temp.scale(numeric) RETURNS integer LANGUAGE sql AS 'SELECT 0';
       SET search_path = pg_temp, trading, pg_catalog`,
    );
    const finer = move(available(wallet), fees(), '0.001').postings?.map(({ account: { kind, currency }, amount }) => ({
      owner: kind === 'FEES' ? '' : wallet.id,
      kind,
      currency,
      amount,
    }));
    const journals = [{ id: newId(), key: newId(), cause: 'test', causeId: '1', postings: finer, holds: [] }];
    await expect(
      client.query('SELECT trading.post_journals(false, $1)', [JSON.stringify(journals)]),
    ).rejects.toMatchObject({ code: 'LD004' });
    await client.end();
    await expectUnchanged();
  });
});

describe('the owner of the tables', () => {
  test('neither changes nor deletes what was posted, not in a partition either', async () => {
    const [month] = await kit.rows<{ name: string }>(
      'SELECT DISTINCT tableoid::regclass::text AS name FROM trading.entries',
    );
    const partition = month?.name ?? '';
    for (const statement of [
      'DELETE FROM trading.entries',
      `UPDATE trading.entries SET amount = amount + 1`,
      'TRUNCATE trading.entries',
      `DELETE FROM ${partition}`,
      `UPDATE ${partition} SET amount = amount + 1`,
      `TRUNCATE ${partition}`,
      insertEntry('1', partition),
      'DELETE FROM trading.journals',
      `UPDATE trading.journals SET cause = 'other'`,
      'DELETE FROM trading.ledger_accounts',
      'DELETE FROM trading.holds',
    ])
      await expect(kit.database.asOwner(statement)).rejects.toMatchObject({ code: '42501' });
    await expectUnchanged();
  });

  test('adds no entry that does not balance, or that its account does not know', async () => {
    await expect(kit.database.asOwner(insertEntry('1'))).rejects.toMatchObject({ code: 'LD003' });
    const both = `${insertEntry('1')} UNION ALL SELECT account_id, number + 2, journal_id, currency, synthetic, -1, balance,
      clock_timestamp() + interval '1 second' FROM trading.entries WHERE account_id = ${account}`;
    await expect(kit.database.asOwner(both)).rejects.toMatchObject({ code: 'LD005' });
    await expect(
      kit.database.asOwner(`UPDATE trading.ledger_accounts SET balance = -1 WHERE id = ${account}`),
    ).rejects.toMatchObject({ constraint: 'ledger_accounts_client_balance' });
    await expectUnchanged();
  });

  test('adds no entries that skip, that leave a client with less than nothing on the way, or that belong nowhere', async () => {
    type Step = readonly [number: number, amount: number, balance: number];
    /** Inserts entries after the first of the account, of which the account then says what the last does. */
    const insertSteps = (
      { journal = 'journal_id', currency = 'currency', synthetic = 'synthetic' },
      ...steps: readonly Step[]
    ) => {
      const moment = (number: number | string) => `timestamptz '2100-01-01' + ${number} * interval '1 second'`;
      const [number, , balance] = steps.at(-1) ?? [0, 0, 0];
      return `WITH moved AS (
          UPDATE trading.ledger_accounts SET entry_count = ${number}, balance = ${balance}, last_posted_at = ${moment(number)} WHERE id = ${account}
        )
        INSERT INTO trading.entries (account_id, number, journal_id, currency, synthetic, amount, balance, posted_at)
        SELECT account_id, step.number, ${journal}, ${currency}, ${synthetic}, step.amount, step.balance, ${moment('step.number')}
        FROM trading.entries AS entry, (VALUES ${steps.map((step) => `(${step.join()})`).join()}) AS step (number, amount, balance)
        WHERE account_id = ${account}`;
    };
    const refused = (sql: string, error: object) => expect(kit.database.asOwner(sql)).rejects.toMatchObject(error);
    const right: readonly Step[] = [
      [2, -50, 50],
      [3, 50, 100],
    ];
    await kit.database.asOwner(`BEGIN; ${insertSteps({}, ...right)}; ROLLBACK`);
    const negative = { constraint: 'ledger_accounts_client_balance' };
    await refused(insertSteps({}, [2, -150, -50], [3, 150, 100]), negative);
    await refused(insertSteps({}, [2, 1, 100], [3, -1, 100]), { code: 'LD005' });
    await refused(insertSteps({}, [2, 1, 101], [4, -1, 100]), { code: 'LD005' });
    await refused(insertSteps({ journal: `'${newId()}'` }, ...right), { code: '23503' });
    await refused(insertSteps({ currency: `'BTC'` }, ...right), { code: '23503' });
    await refused(insertSteps({ synthetic: 'true' }, ...right), { code: '23503' });
    await refused(`UPDATE trading.ledger_accounts SET currency = 'BTC' WHERE id = ${account}`, { code: '42501' });
    await expectUnchanged();
  });

  test('makes the months ahead, once, from any number of instances', async () => {
    const make = async () => {
      const text = 'SELECT trading.make_entry_months() AS made';
      const made = await Promise.all(Array.from({ length: 4 }, () => kit.rows<{ made: number }>(text)));
      return made.flatMap((rows) => rows.map((row) => row.made)).toSorted();
    };
    expect(await make()).toEqual([0, 0, 0, 0]);
    await kit.database.asOwner(
      `DO $$ BEGIN EXECUTE format('DROP TABLE trading.%I', to_char(now() + interval '5 months', '"entries_"YYYY_MM')); END $$`,
    );
    expect(await make()).toEqual([0, 0, 0, 1]);
    // A month that is made while the program runs stands as the others do.
    const [name] = await kit.rows<{ name: string }>(
      `SELECT to_char(now() + interval '5 months', '"trading.entries_"YYYY_MM') AS name`,
    );
    await expect(kit.database.asOwner(`DELETE FROM ${name?.name ?? ''}`)).rejects.toMatchObject({ code: '42501' });
    const posted = await kit.post(journal(move(custody(), fees(), '1')));
    expect(posted).toMatchObject([{ repeated: false }]);
  });
});
