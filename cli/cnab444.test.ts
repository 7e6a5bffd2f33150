import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../shared/ids.js';
import type { Detail } from '../subgraphs/credit-assignment/cnab444/layout.js';
import { addOpenEstate, permit } from '../tests/credit-assignment/estate-kit.js';
import { formatCnab444 } from '../tests/credit-assignment/cnab444-files.js';
import { assigned, fileOf } from '../tests/credit-assignment/cnab444-kit.js';
import { lastro } from '../tests/kit/command-line.js';
import { openTestDatabase, type TestDatabase } from '../tests/kit/database.js';

let database: TestDatabase;
let dataDir: string;
const originator = newId();

beforeAll(async () => {
  database = await openTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'lastro-cli-'));
  Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const { manager } = database.dataSource;
  await manager.query(
    `INSERT INTO credit_assignment.originators (id, name, status, created_at, updated_at)
     VALUES ($1, 'Crediário', 'ACTIVE', now(), now())`,
    [originator],
  );
  const patrimonyId = newId();
  await addOpenEstate(manager, patrimonyId, 'PAT1');
  await permit(manager, originator, patrimonyId);
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

/** Runs the command on a file with this content. */
async function take(content: string | Buffer, ...args: string[]) {
  const path = join(dataDir, 'file.rem');
  await writeFile(path, content);
  return lastro('cnab444', path, ...args);
}

const text = (...details: Partial<Detail>[]) => formatCnab444(fileOf(...details));
const done = (stdout: RegExp) => ({ code: 0, stderr: '', stdout: expect.stringMatching(stdout) });
const batches = () => database.dataSource.query('SELECT status, originator_id FROM credit_assignment.credit_batches');

test('what is wrong with a file is reported by line and column, and nothing is written', async () => {
  const wrong = text(assigned('A-1'), assigned('A-2'))
    .replace('0000000100000', '0000000100,00')
    .replace('310131', '310231');
  expect(await take(wrong, '--originator', originator, '--patrimony', 'PAT1')).toEqual({
    code: 1,
    stdout: '',
    stderr: [
      'line 2, columns 121-126 must be a date, DDMMYY (dueDate)',
      'line 2, columns 127-139 must be an amount in centavos, digits only (faceValue)',
      '',
    ].join('\n'),
  });
  expect(await take('x\n'.repeat(300), '--originator', originator, '--patrimony', 'PAT1')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/it has 300 errors, of which the first 100 are listed\n$/),
  });
  expect(await batches()).toEqual([]);
});

test('an unknown client, estate or file is an error that says so, with exit code 1', async () => {
  const file = text(assigned('A-1'));
  expect(await take(file, '--originator', newId(), '--patrimony', 'PAT1')).toMatchObject({
    code: 1,
    stderr: 'There is no such client\n',
  });
  expect(await take(file, '--originator', originator, '--patrimony', 'NONE')).toMatchObject({
    code: 1,
    stderr: 'There is no estate NONE\n',
  });
  expect(
    await lastro('cnab444', join(dataDir, 'none'), '--originator', originator, '--patrimony', 'PAT1'),
  ).toMatchObject({ code: 1 });
});

test('files become batches in DRAFT of the client', async () => {
  const file = Buffer.from(text(assigned('A-1', { debtorName: 'JOSÉ' }), assigned('A-2')), 'latin1');
  const made = await take(file, '--originator', originator, '--patrimony', 'pat1');
  expect(made).toEqual(
    done(/^The credit batch [0-9a-f-]{36} has 2 contracts with a total of R\$ 2000\.00\. It is a DRAFT\.\n$/),
  );
  expect(await batches()).toEqual([{ status: 'DRAFT', originator_id: originator }]);
  const [, id = ''] = /batch (\S+)/.exec(made.stdout) ?? [];
  const paid = text({ occurrence: '77', externalId: 'A-1', paidAmount: '1000.00', paidOn: '2026-07-30' });
  const settle = () => take(paid, '--originator', originator, '--credit-batch', id);
  expect(await settle()).toMatchObject({
    code: 1,
    stderr: 'The credit batch is DRAFT: payments can be reported only for a batch that is PROCESSED\n',
  });
  const { manager } = database.dataSource;
  await manager.query(
    `UPDATE credit_assignment.credit_batches SET status = 'PROCESSED', submitted_at = now(), processed_at = '2026-07-30T15:00:00Z'`,
  );
  await manager.query(`UPDATE credit_assignment.receivables SET status = 'OPEN'`);
  expect(await settle()).toEqual(
    done(/^The settlement batch [0-9a-f-]{36} has 1 payments with a total of R\$ 1000\.00\. It is a DRAFT\.\n$/),
  );
});

test('wrong use shows the usage, with exit code 2', async () => {
  const file = text(assigned('A-1'));
  const wrong = [
    ['--originator', originator],
    ['--patrimony', 'PAT1'],
    ['--originator', originator, '--patrimony', 'PAT1', '--credit-batch', newId()],
  ];
  for (const args of wrong) {
    expect(await take(file, ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: ') });
  }
});
