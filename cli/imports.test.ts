import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '../shared/ids.js';
import { csv, wholeOperation } from '../subgraphs/issuances/import/tests/kit.js';
import { lastro } from '../tests/kit/command-line.js';
import { openTestDatabase, type TestDatabase } from '../tests/kit/database.js';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'lastro-cli-imports-'));
  Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: 'error' });
  const path = await file('a.json', JSON.stringify(wholeOperation()));
  expect(await lastro('import', path)).toMatchObject({ code: 0, stderr: '' });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const done = (stdout: RegExp) => ({ code: 0, stderr: '', stdout: expect.stringMatching(stdout) });
const refused = (stderr: string | RegExp) => ({
  code: 1,
  stdout: '',
  stderr: typeof stderr === 'string' ? stderr : expect.stringMatching(stderr),
});

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const price = (name: string, date: string, value: string) => file(name, csv('unitPrices', [{ date, value }]));

async function priceOf(date: string): Promise<string | undefined> {
  const rows = await database.dataSource.query<{ value: string }[]>(
    'SELECT value FROM issuances.unit_prices WHERE date = $1',
    [date],
  );
  return rows[0]?.value;
}

/** Returns the id of the act that a command has just printed. */
function idIn({ stdout }: { readonly stdout: string }): string {
  const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}(?=\.\n$)/.exec(stdout) ?? [];
  if (id === undefined) throw new Error(`No act is named in ${stdout}`);
  return id;
}

const linesOf = async (id: string) =>
  (await lastro('imports', 'list')).stdout.split('\n').filter((line) => line.startsWith(id));

test('a dry run of an import prints what each field would become, and writes nothing', async () => {
  expect(await lastro('import', await price('dry.csv', '2025-04-01', '10,5'))).toEqual(done(/1 file read\. 1 change/));
  expect(
    await lastro('import', '--dry-run', '--correct', 'typo', await price('dry.csv', '2025-04-01', '11,5')),
  ).toEqual(
    done(
      /^changed unitPrices AURORA1S1 2025-04-01\n {2}value: 10\.50000000 -> 11\.50000000\n\n1 file read\. Nothing was written: this was a dry run\.\n$/m,
    ),
  );
  expect(await priceOf('2025-04-01')).toBe('10.50000000');
});

test('what is settled is refused with its places, and changes with a reason that is one', async () => {
  await lastro('import', await price('settled.csv', '2025-04-02', '1'));
  const path = await price('settled.csv', '2025-04-02', '2');
  expect(await lastro('import', path)).toEqual(
    refused(
      `${path}:2 unit price AURORA1S1 2025-04-02 is older than 5 days: value 1.00000000 would become 2.00000000\n\n1 error. Nothing was written. Settled records change only with --correct "<reason>".\n`,
    ),
  );
  expect(await lastro('import', '--correct', 'two\nlines', path)).toEqual(
    refused('--reason must be one line, without control characters\n'),
  );
  expect(await priceOf('2025-04-02')).toBe('1.00000000');
  expect(await lastro('import', '--correct', 'typed wrongly', path)).toEqual(done(/ 1 change written, as import /));
  expect(await priceOf('2025-04-02')).toBe('2.00000000');
});

test('an import is listed, shown and taken back, and taken back once', async () => {
  await lastro('import', await price('listed.csv', '2025-04-03', '1'));
  const path = await price('listed.csv', '2025-04-03', '2');
  const id = idIn(await lastro('import', '--correct', 'typed wrongly', path));
  expect(await linesOf(id)).toEqual([expect.stringMatching(/ {2}1 change {2}.*listed\.csv {2}reason: typed wrongly$/)]);
  expect((await lastro('imports', 'list', '--limit', '1')).stdout.split('\n')).toHaveLength(2);
  expect(await lastro('imports', 'show', id)).toEqual(
    done(
      new RegExp(
        `^${id} .*\n {2}${path}, \\d+ bytes, SHA-256 [0-9a-f]{64}\n\nchanged unitPrices AURORA1S1 2025-04-03\n {2}value: 1\\.00000000 -> 2\\.00000000\n`,
      ),
    ),
  );
  const revert = (...more: string[]) => lastro('imports', 'revert', id, '--reason', 'it was right', ...more);
  const rehearsed = await revert('--dry-run');
  expect(rehearsed).toEqual(
    done(/ {2}value: 2\.00000000 -> 1\.00000000\n\nNothing was written: this was a dry run\.\n$/),
  );
  expect(rehearsed.stdout).not.toContain('file');
  const back = await revert();
  expect(back).toEqual(
    done(new RegExp(`\n\nImport ${id} reverted\\. 1 change written, as import [0-9a-f-]{36}\\.\n$`)),
  );
  expect(await priceOf('2025-04-03')).toBe('1.00000000');
  expect(await linesOf(id)).toEqual([expect.stringMatching(new RegExp(`reverted by ${idIn(back)}$`))]);
  expect(await linesOf(idIn(back))).toEqual([expect.stringContaining(`reverts ${id}`)]);
  expect(await revert()).toEqual(refused(`The import ${id} was already reverted by the import ${idIn(back)}\n`));
  for (const none of [newId(), 'nonsense']) {
    const nothing = refused(`There is no import ${none}\n`);
    expect(await lastro('imports', 'show', none)).toEqual(nothing);
    expect(await lastro('imports', 'revert', none, '--reason', 'x')).toEqual(nothing);
  }
  for (const limit of ['0', '501', 'x'])
    expect(await lastro('imports', 'list', '--limit', limit)).toEqual(refused('--limit must be from 1 to 500\n'));
});

test('an import whose records were changed since is not taken back: each of them is named', async () => {
  const id = idIn(await lastro('import', await price('since.csv', '2025-04-04', '1')));
  await lastro('import', '--correct', 'typo', await price('since.csv', '2025-04-04', '2'));
  expect(await lastro('imports', 'revert', id, '--reason', 'x')).toEqual(
    refused(/^import .* unit price AURORA1S1 2025-04-04 has changed since: .*\n\n1 error\. Nothing was written\.\n$/),
  );
  expect(await priceOf('2025-04-04')).toBe('2.00000000');
});

test('a record is voided, and the act is shown as what it is', async () => {
  await lastro('import', await price('void.csv', '2025-04-07', '7'));
  const voided = (...more: string[]) =>
    lastro('void', 'unitPrices', 'aurora1s1', '2025-04-07', '--reason', 'typed wrongly', ...more);
  expect(await voided('--dry-run')).toEqual(
    done(/\nremoved unitPrices AURORA1S1 2025-04-07\n\nNothing was written: this was a dry run\.\n$/),
  );
  expect(await priceOf('2025-04-07')).toBe('7.00000000');
  const printed = await voided();
  expect(printed).toEqual(
    done(/\n\nunitPrices aurora1s1 2025-04-07 voided\. 1 change written, as import [0-9a-f-]{36}\.\n$/),
  );
  expect(await priceOf('2025-04-07')).toBeUndefined();
  expect(await linesOf(idIn(printed))).toEqual([
    expect.stringMatching(/ {2}1 change {2}voided: unitPrices {2}reason: typed wrongly$/),
  ]);
  expect(await voided()).toEqual(refused('There is no unit price aurora1s1 2025-04-07\n'));
  expect(await lastro('void', 'prices', 'x', '--reason', 'x')).toEqual(
    refused(/^"prices" must be one of operations, /),
  );
});

test('an export is written, and one that is refused leaves nothing behind; both are in the audit log', async () => {
  const outcomes = () =>
    database.dataSource.query<{ outcome: string; folder: string; operations: number | null }[]>(
      `SELECT outcome, after ->> 'folder' AS folder, (after -> 'counts' ->> 'operations')::integer AS operations
       FROM shared.audit_log WHERE action = 'export' ORDER BY at`,
    );
  const whole = join(folder, 'whole');
  expect(await lastro('export', whole)).toEqual(done(/^operations {2}1\n[^]*\n\d+ files written to .*whole\.\n$/));
  expect(await readdir(join(whole, 'operations'))).toEqual(['CRI-AURORA-1.json']);
  expect(await lastro('export', whole)).toEqual(refused(`${whole} is not an empty folder: name a new one\n`));

  const [none, there] = [join(folder, 'none'), join(folder, 'there')];
  await mkdir(there);
  for (const target of [join(none, 'deeper'), there])
    expect(await lastro('export', target, '--only', 'cri-aurora-1,NADA,AURORA1S1')).toEqual(
      refused(
        '--only names NADA, AURORA1S1, and there is no such operation or estate: give tickers of operations or estates\n',
      ),
    );
  expect(await readdir(folder)).not.toContain('none');
  expect(await readdir(there)).toEqual([]);
  expect(await lastro('export', there, '--only', 'cri-aurora-1', '--as-of', '2026-13-01')).toEqual(
    refused('--as-of is "2026-13-01": write a moment such as 2026-11-22T12:00:00Z\n'),
  );
  expect(await outcomes()).toEqual([
    { outcome: 'DONE', folder: whole, operations: 1 },
    { outcome: 'REFUSED', folder: whole, operations: null },
    { outcome: 'REFUSED', folder: join(none, 'deeper'), operations: null },
    { outcome: 'REFUSED', folder: there, operations: null },
  ]);
});

test('wrong use shows the usage, with exit code 2', async () => {
  const wrong: readonly (readonly [string, ...string[]])[] = [
    ['imports'],
    ['imports', 'revert', newId()],
    ['imports', 'show', newId(), '--limit', '2'],
    ['void', 'unitPrices', '--reason', 'x'],
    ['void', 'unitPrices', 'AURORA1S1', '2025-04-07'],
    ['export'],
    ['payment', 'reverse', 'S1', '1'],
    ['asset', 'reverse', newId(), '1'],
  ];
  for (const [name, ...args] of wrong)
    expect(await lastro(name, ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/(^|\n)Usage: /),
    });
});
