import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { readOperatorFields } from '../bootstrap/operator-fields.js';
import { newId } from '../shared/kernel/ids.js';
import { addOpenEstate, permit } from '../tests/credit-assignment/estates/kit.js';
import { formatCnab444 } from '../tests/credit-assignment/cnab444/files.js';
import { assigned, fileOf } from '../tests/credit-assignment/cnab444/kit.js';
import { newPair, pemOf } from '../tests/credit-assignment/signing-kit.js';
import { lastro } from '../tests/kit/command-line.js';
import { openBareDatabase, openTestDatabase } from '../tests/kit/database.js';
import { build } from '../tests/start/program.js';
import { addCredit, addEstate, addSeries } from '../tests/tokenization/series/kit.js';

const database = await openTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'lastro-cli-'));
Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' });
const { manager } = database.dataSource;
const estate = await addEstate(manager, 'PAT1');
await addSeries(manager, estate, 'S1', { status: 'DRAFT', remuneration_start_date: '2024-01-15' });
const credit = await addCredit(manager, estate, 'CCB-1', ['2024-05-10', '2099-06-10']);
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

const done = (stdout: RegExp) => ({ code: 0, stderr: '', stdout: expect.stringMatching(stdout) });
const refused = (stderr: string) => ({ code: 1, stdout: '', stderr });

describe('what operators may call', () => {
  test('is listed by subgraph, without what they may not call', async () => {
    const { code, stdout } = await lastro();
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^ {2}import +imports [^]*^trading:$[^]*^ {2}addMarket +Adds /m),
    ]);
    for (const other of ['createOrder', 'login', 'deleteMyAccount', '_entities', 'addContractsResult'])
      expect(stdout).not.toMatch(new RegExp(`^ {2}${other} `, 'm'));
    expect(await lastro('help')).toMatchObject({ code: 0, stdout });
  });

  test('has help from the schema', async () => {
    const { code, stdout } = await lastro('help', 'addMarket');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Usage: npm run lastro -- addMarket --market <MarketInput>\n\n.*\(mutation, role trade\)\n/,
    );
    expect(stdout).toMatch(/^ {2}--market\.priceDecimals +Int! +\w/m);
    expect((await lastro('changeTrancheStatus', '--help')).stdout).toMatch(
      /New status\. One of DRAFT, ACTIVE, FUNDRAISING, CLOSED$/m,
    );
  });

  test('is found by a part of its name where the whole name is unknown', async () => {
    const { code, stderr } = await lastro('market', 'list');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^There is no command "market"\. .*tradingMarkets.*addMarket/),
    ]);
    expect(await lastro('constructor')).toMatchObject({ code: 2 });
  });

  test('has no argument with the name of an option of all calls', async () => {
    const { fields } = await readOperatorFields();
    const names = Object.values(fields).flatMap(({ arguments: all }) => all.map(({ name }) => name));
    expect(names.filter((name) => ['json', 'all', 'input', 'help'].includes(name))).toEqual([]);
  });

  test('reads every list without errors', async () => {
    const { fields } = await readOperatorFields();
    const open = Object.values(fields).filter(
      ({ kind, arguments: all }) =>
        kind === 'query' && !all.some(({ type, byDefault }) => type.endsWith('!') && !byDefault),
    );
    expect(open.length).toBeGreaterThan(30);
    for (const { name } of open) {
      const { code, stderr } = await lastro('call', name, '--json');
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr: '' });
    }
  });
});

describe('a call', () => {
  test('runs a mutation with values of several types, and repeating it changes nothing', async () => {
    const schedule = { firstMonth: '2024-02', anniversaryDay: '15', installments: '12', 'amortization.system': 'sac' };
    const flags = Object.entries(schedule).flatMap(([name, value]) => [`--schedule.${name}`, value]);
    expect(await lastro('generateSchedule', '--ticker', 's1', ...flags)).toEqual(done(/^ticker +S1$/m));
    expect(await lastro('changeTrancheStatus', '--ticker', 'S1', '--status', 'fundraising')).toEqual(
      done(/^status +FUNDRAISING$/m),
    );
    const pay = ['recordAssetPayment', '--assetId', credit, '--installmentNumber', '1', '--paidOn', '2024-05-10'];
    const paid = done(/^ {2}"externalId": "CCB-1",$[^]*^ {2}"currentBalance": "600\.00",$/m);
    expect([await lastro(...pay, '--json'), await lastro(...pay, '--json')]).toEqual([paid, paid]);
    const back = ['--assetId', credit, '--installmentNumber', '1', '--reason', 'the bank returned it'];
    expect(await lastro('reverseAssetPayment', ...back)).toEqual(done(/^currentBalance +1200\.00$/m));
    const { stdout } = await lastro('imports', '--first', '1', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ nodes: [{ reason: 'the bank returned it' }] });
  });

  test('names all that is wrong by the arguments, as the graph says it', async () => {
    const market = ['--market.symbol', 'BTC/BRL', '--market.priceDecimals', '99', '--market.amountDecimals', '8'];
    const { code, stdout, stderr } = await lastro('addMarket', ...market, '--market.minOrderSize', '-1');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^--market\.priceDecimals must /m);
    expect(stderr).toMatch(/^--market\.minOrderSize must /m);
    expect(
      await lastro('recordPayment', '--ticker', 'S1', '--installmentNumber', '1', '--paidOn', '27/11/2026'),
    ).toEqual(refused('--paidOn must be an existing day, as YYYY-MM-DD\n'));
    const long = ['--ticker', 'S1', '--installmentNumber', '1', '--reason', 'x'.repeat(100_000)];
    expect(await lastro('reversePayment', ...long)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^--reason must /),
    });
    expect(await lastro('changeTrancheStatus', '--ticker', 'NOPE', '--status', 'ACTIVE')).toEqual(
      refused('There is no series NOPE\n'),
    );
  });

  test('says what is missing and what there is, with exit code 2, and connects to nothing', async () => {
    const { DATABASE_URL } = process.env;
    process.env['DATABASE_URL'] = 'postgres://127.0.0.1:1/none';
    try {
      const { code, stdout, stderr } = await lastro('haltMarket', '--symbol', 'BTC/BRL');
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /^--reason is missing\n\nUsage: npm run lastro -- haltMarket --symbol <String> --reason <String>\n/,
      );
      expect(await lastro('reprice', 'S1')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^"S1" is no argument/),
      });
    } finally {
      Object.assign(process.env, { DATABASE_URL });
    }
  });

  test('reads a page and the next one, or all of them', async () => {
    const { manager } = database.dataSource;
    for (const ticker of ['PAT2', 'PAT3']) await addEstate(manager, ticker);
    const first = await lastro('patrimonies', '--first', '2');
    const [, cursor = ''] = /There are more: --after (\S+), or --all\n$/.exec(first.stdout) ?? [];
    expect(first.stdout).toMatch(/PAT1[^]*PAT2/);
    const rest = await lastro('patrimonies', '--first', '2', '--after', cursor);
    expect(rest).toEqual(done(/PAT3/));
    expect(rest.stdout).not.toMatch(/PAT1|There are more/);
    const { stdout } = await lastro('patrimonies', '--first', '2', '--all', '--json');
    const tickers = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { ticker: string }).ticker);
    expect(tickers).toEqual(['PAT1', 'PAT2', 'PAT3']);
    expect(await lastro('patrimony', '--ticker', 'NONE')).toEqual(done(/^There is none\.\n$/));
  });

  test('takes files: a key, and a CNAB 444 file whose errors have their lines', async () => {
    const key = join(dataDir, 'public.pem');
    await writeFile(key, pemOf(newPair().publicKey));
    const added = await lastro('addOriginator', '--name', 'Crediário', '--publicKey', `@${key}`, '--json');
    const { id } = JSON.parse(added.stdout) as { id: string };
    const { manager } = database.dataSource;
    const estate = newId();
    await addOpenEstate(manager, estate, 'PAT4');
    await permit(manager, id, estate);
    const rem = join(dataDir, 'file.rem');
    const take = async (content: string) => {
      await writeFile(rem, Buffer.from(content, 'latin1'));
      return lastro('takeInAssignmentFile', '--originatorId', id, '--patrimony', 'pat4', '--file', `@${rem}`);
    };
    const text = formatCnab444(fileOf(assigned('A-1', { debtorName: 'JOSÉ' }), assigned('A-2')));
    const wrong = text.replace('0000000100000', '0000000100,00').replace('310131', '310231');
    expect(await take(wrong)).toEqual(
      refused(
        'line 2, columns 121-126 must be a date, DDMMYY (dueDate)\n' +
          'line 2, columns 127-139 must be an amount in centavos, digits only (faceValue)\n',
      ),
    );
    expect(await take('x\n'.repeat(300))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/it has 300 errors, of which the first 100 are listed\n$/),
    });
    expect(await take(text)).toEqual(done(/^count +2$/m));
  });

  test('prints no character that a terminal obeys', async () => {
    const { manager } = database.dataSource;
    await manager.query(
      `UPDATE tokenization.patrimonies SET name = E'Patri\\x1b]0;x\\x07m\\u202eônio' WHERE ticker = 'PAT1'`,
    );
    const { stdout } = await lastro('patrimony', '--ticker', 'PAT1');
    expect(stdout).toMatch(/^name +Patri\\u001b\]0;x\\u0007m\\u202eônio$/m);
  });
});

test.each([
  ['reconcileLedger'],
  ['audit', 'export'],
  ['master-key', 'list'],
  ['export', 'nowhere'],
  ['import', 'nowhere.csv'],
])('%s %s says that there is no database, and makes none', async (...command) => {
  const { DATABASE_URL } = process.env;
  const folder = await mkdtemp(join(dataDir, 'wrong-'));
  const empty = await openBareDatabase();
  try {
    delete process.env['DATABASE_URL'];
    process.env['DATA_DIR'] = folder;
    await expect(lastro(...command)).rejects.toThrow(`There is no database in ${folder}`);
    expect(await readdir(folder)).toEqual([]);
    process.env['DATABASE_URL'] = empty.url;
    await expect(lastro(...command)).rejects.toThrow('holds nothing of this program');
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

test('as built, a command connects, prints and ends; what it cannot reach is a sentence', async () => {
  await build();
  const command = async (env: object, ...args: string[]) =>
    promisify(execFile)(process.execPath, ['dist/lastro/main.js', ...args], {
      cwd: new URL('../', import.meta.url),
      env: { PATH: process.env['PATH'], DATABASE_URL: database.url, DATA_DIR: dataDir, ...env },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
  expect(await command({}, 'patrimony', '--ticker', 'PAT2')).toEqual(done(/^ticker +PAT2$/m));
  expect(await command({}, 'help', 'addMarket')).toEqual(done(/^Usage: /));
  expect(await command({}, 'addMarket')).toMatchObject({ code: 2 });
  expect(await command({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'operators')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1\/none accepted no connection: .*\n$/),
  });
  expect(await command({ LOG_LEVEL: 'loud' }, 'operators')).toMatchObject({ code: 2 });
});
