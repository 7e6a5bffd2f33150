import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { addContract, addOperation } from '../tests/issuances/fixtures.js';
import { lastro } from '../tests/kit/command-line.js';
import { openBareDatabase, openTestDatabase, type TestDatabase } from '../tests/kit/database.js';
import { addCredit, addEstate, addSeries } from '../tests/tokenization/series-kit.js';

let database: TestDatabase;
let dataDir: string;
let credit: string;

beforeAll(async () => {
  database = await openTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lastro-cli-'));
  Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const { manager } = database.dataSource;
  const estate = await addEstate(manager, 'PAT1');
  await addSeries(manager, estate, 'S1', { status: 'DRAFT', remuneration_start_date: '2024-01-15' });
  credit = await addCredit(manager, estate, 'CCB-1', ['2024-05-10', '2099-06-10']);
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

test.each([
  ['ledger', 'reconcile'],
  ['originator', 'list'],
  ['audit', 'list'],
  ['master-key', 'list'],
  ['export', 'nowhere'],
  ['import', 'nowhere.csv'],
])('%s %s says that there is no database, and makes none', async (command, ...args) => {
  const { DATABASE_URL } = process.env;
  const folder = await mkdtemp(join(dataDir, 'wrong-'));
  const empty = await openBareDatabase();
  try {
    delete process.env['DATABASE_URL'];
    process.env['DATA_DIR'] = folder;
    await expect(lastro(command, ...args)).rejects.toThrow(`There is no database in ${folder}`);
    expect(await readdir(folder)).toEqual([]);
    process.env['DATABASE_URL'] = empty.url;
    await expect(lastro(command, ...args)).rejects.toThrow('holds nothing of this program');
    const client = new pg.Client(empty.directUrl);
    await client.connect();
    const { rows } = await client.query(`SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_|information'`);
    await client.end();
    expect(rows).toEqual([{ nspname: 'public' }]);
  } finally {
    Object.assign(process.env, { DATABASE_URL, DATA_DIR: dataDir });
    await empty.close();
  }
});

const done = (stdout: RegExp) => ({ code: 0, stderr: '', stdout: expect.stringMatching(stdout) });

test('the criteria of an estate are set by its ticker or its id', async () => {
  const { manager } = database.dataSource;
  const [{ id }]: [{ id: string }] = await manager.query(
    `INSERT INTO credit_assignment.estates (id, ticker, name, status) SELECT id, ticker, name, 'ACTIVE' FROM tokenization.patrimonies RETURNING id`,
  );
  const said = ['--min', '100', '--max', '5000.50', '--max-term', '720', '--max-debtor-share', '12.5'];
  expect(await lastro('criteria', 'set', 'pat1', ...said)).toEqual(
    done(/^pat1 accepts contracts that meet these criteria\.\n$/),
  );
  expect(
    await manager.query(
      'SELECT min_face_value, max_face_value, max_term_days, max_debtor_share FROM credit_assignment.eligibility_criteria',
    ),
  ).toEqual([{ min_face_value: '100.00', max_face_value: '5000.50', max_term_days: 720, max_debtor_share: '12.5000' }]);
  expect(await lastro('criteria', 'set', id, '--max-term', '0')).toMatchObject({
    code: 1,
    stderr: '--max-term must be from 1 to 36525\n',
  });
  expect(await lastro('criteria', 'remove', id)).toEqual(done(/ accepts no more credits\.\n$/));
  expect(await lastro('criteria', 'remove', 'PAT1')).toEqual(
    done(/^PAT1 had no criteria, and accepted no credits before\.\n$/),
  );
  expect(await lastro('criteria', 'set', 'NOBODY', '--min', '1')).toMatchObject({
    code: 1,
    stderr: 'There is no estate NOBODY\n',
  });
  expect(await lastro('criteria', 'set', 'PAT1')).toMatchObject({ code: 2 });
});

/** Lists the newest act on published records. */
const newestAct = async () => (await lastro('imports', 'list', '--limit', '1')).stdout;

test('a series is brought out, priced and paid, and the payment is reversed', async () => {
  const schedule = ['--first-month', '2024-02', '--day', '15', '--installments', '12', '--system', 'SAC'];
  expect(await lastro('tranche', 'schedule', 's1', ...schedule)).toEqual(
    done(/^S1 has 12 instalments, from 2024-02-15 to 2025-01-15\.\n$/),
  );
  expect(await lastro('tranche', 'status', 'S1', 'fundraising')).toEqual(done(/^S1 is FUNDRAISING\.\n$/));
  expect(await lastro('reprice', 'S1')).toEqual(done(/^\d+ prices of 1 series were written\.\n$/));
  const paid = done(/^Instalment 1 of S1 was paid on 2024-02-15: R\$ \d+\.\d\d\.\n$/);
  expect(await lastro('payment', 'record', 'S1', '1', '--on', '2024-02-15')).toEqual(paid);
  expect(await lastro('payment', 'record', 'S1', '1', '--on', '2024-02-15')).toEqual(paid);
  const reverse = () => lastro('payment', 'reverse', 's1', '1', '--reason', 'the bank returned it');
  expect(await reverse()).toEqual(done(/^Instalment 1 of s1 is OVERDUE again\.\n$/));
  expect(await newestAct()).toMatch(/ {2}payment reversed: \w.* {2}reason: the bank returned it\n$/);
  expect(await reverse()).toEqual({ code: 1, stdout: '', stderr: 'The instalment is not paid\n' });
});

test('a debtor pays, the payment is reversed, and the credit is written off', async () => {
  expect(await lastro('asset', 'pay', credit, '1', '--on', '2024-05-10')).toEqual(
    done(/^CCB-1 is ACTIVE, with a balance of R\$ 600\.00\.\n$/),
  );
  expect(await lastro('asset', 'reverse', credit, '1', '--reason', 'the bank returned it')).toEqual(
    done(/^CCB-1 is ACTIVE, with a balance of R\$ 1200\.00\.\n$/),
  );
  expect(await newestAct()).toMatch(/ {2}payment of an asset reversed: .*assets.* {2}reason: the bank returned it\n$/);
  expect(await lastro('asset', 'write-off', credit)).toEqual(
    done(/^CCB-1 is WRITTEN_OFF, with a balance of R\$ 1200\.00\.\n$/),
  );
});

test('the report of a month is made final, and issued again', async () => {
  const { manager } = database.dataSource;
  const operation = await addOperation(manager, 'CRI-MES');
  await addContract(manager, operation, { position_date: '2026-10-30' });
  expect(await lastro('report', 'close', 'cri-mes', '2026-10')).toEqual(
    done(/^The report of cri-mes of 2026-10 is final\.\n$/),
  );
  const reissue = () => lastro('report', 'reissue', 'CRI-MES', '2026-10', '--reason', 'Saldo corrigido');
  expect(await reissue()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The report of 2026-10 would be the same as version 1: its data has not changed since\n',
  });
  await manager.query('UPDATE issuances.credit_contracts SET outstanding_balance = 1 WHERE operation_id = $1', [
    operation,
  ]);
  expect(await reissue()).toEqual(done(/^The report of CRI-MES of 2026-10 was reissued as version 2\.\n$/));
  expect(await lastro('report', 'close', 'CRI-MES', '2099-01')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^month must have ended, but 2099-01 has not/),
  });
  expect(await lastro('report', 'reissue', 'CRI-MES', '2026-10')).toMatchObject({ code: 2 });
});

test('what is refused says why, with exit code 1', async () => {
  expect(await lastro('tranche', 'status', 'NOPE', 'ACTIVE')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no series NOPE\n',
  });
  expect(await lastro('tranche', 'status', 'S1', 'GONE')).toMatchObject({ code: 1, stdout: '' });
  expect(await lastro('asset', 'pay', credit, 'two', '--on', '2024-05-10')).toMatchObject({ code: 1, stdout: '' });
});

test('wrong use shows the usage, with exit code 2', async () => {
  expect(await lastro('tranche', 'status', 'S1')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: /) });
  expect(await lastro('market', 'grow')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: /) });
});

test.each([
  [['payment', 'record', 'S1', '1', '--interest', '1'], ['--on']],
  [['imports', 'revert', 'x'], ['--reason']],
  [['market', 'halt', 'BTC/BRL'], ['--reason']],
  [
    ['market', 'add', 'BTC/BRL', '--min-order-size=1'],
    ['--price-decimals', '--amount-decimals'],
  ],
  [['market', 'add-currency', 'BTC'], ['--decimals']],
  [
    ['order', 'resolve', 'x', 'filled', '--amount', '1'],
    ['--price', '--reason'],
  ],
  [['order', 'resolve-hedge', 'x', 'rejected'], ['--reason']],
  [['transfer', 'resolve', 'x', 'failed'], ['--reason']],
  [['trader', 'credential', 'add', 'x'], ['--scopes']],
  [['cnab444', 'file', '--patrimony', 'PAT1'], ['--originator']],
])('an option that is missing is named before the usage: %j', async ([name = '', ...args], missing) => {
  const { code, stderr } = await lastro(name, ...args);
  const [said, usage] = stderr.split('\n\n');
  expect([code, said]).toEqual([2, missing.map((option) => `${option} is missing`).join('\n')]);
  expect(usage).toMatch(/^Usage: npm run lastro -- /);
});

test('what is wrong is named as the operator typed it', async () => {
  const stderrOf = async (...[name = '', ...args]: string[]) => (await lastro(name, ...args)).stderr;
  const day = '--on must be an existing day, as YYYY-MM-DD\n';
  expect(await stderrOf('payment', 'record', 'S1', '1', '--on', '27/11/2026')).toBe(day);
  expect(await stderrOf('asset', 'pay', credit, '1', '--on', '2026-02-30')).toBe(day);
  expect(await stderrOf('report', 'close', 'CRI-MES', '11/2026')).toBe('month must be a month, as YYYY-MM\n');
  expect(await stderrOf('key', 'limit', 'svcpub_x', '0')).toMatch(/^<requests> must be /);
  expect(await stderrOf('trader', 'add', '--name', 'X', '--maker-fee', '11')).toMatch(
    /^--maker-fee must be from 0 to 10/,
  );
});

test('a token contract is registered, and read again', async () => {
  const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
  const register = () => lastro('contract', 'register', 's1', address.toLowerCase(), '--block', '5');
  expect(await register()).toMatchObject({
    code: 1,
    stderr: 'No chain is configured: set CHAIN_ID and CHAIN_NETWORK first\n',
  });
  Object.assign(process.env, { CHAIN_ID: '137', CHAIN_NETWORK: 'Polygon' });
  const registered = done(new RegExp(`^The tokens of S1 are those of ${address}, from block 5 on\\.\n$`));
  expect([await register(), await register()]).toEqual([registered, registered]);
  expect(await lastro('contract', 'reread', address)).toEqual(
    done(new RegExp(`^${address} is read again from block 5 on\\.\n$`)),
  );
  const other = address.replace('d8dA', 'd8da');
  expect(await lastro('contract', 'register', 'S1', other, '--block', '5')).toMatchObject({
    code: 1,
    stderr: 'address has a wrong checksum (EIP-55)\n',
  });
  expect(await lastro('contract', 'register', 'S1', address)).toMatchObject({ code: 2 });
});
