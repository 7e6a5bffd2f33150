import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { lastro } from '../tests/kit/command-line.js';
import { openTestDatabase } from '../tests/kit/database.js';
import { build } from '../tests/start/program.js';
import { csv, record, wholeOperation } from '../subgraphs/issuances/import/tests/kit.js';

const database = await openTestDatabase();
const folder = await mkdtemp(join(tmpdir(), 'lastro-cli-'));
Object.assign(process.env, { DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: 'error' });
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const lastroImport = (...args: string[]) => lastro('import', ...args);
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

test('right input: exit code 0 and a summary by kind; again: nothing has changed', async () => {
  const path = await file('a.json', JSON.stringify(record('operations', { series: [record('series')] })));
  const first = await lastroImport(path);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /series +1 +0 +0 +0\n\n1 file read\. 2 changes written, as import [0-9a-f-]{36}\.\n$/,
    ),
  });
  expect(first.stderr).toBe('');
  expect((await lastroImport(path)).stdout).toMatch(
    /Nothing has changed\. What is empty or left out keeps its value: .*`lastro reverseAssetPayment`/,
  );
});

test('errors: exit code 1, each with file, line and field, and nothing on standard output', async () => {
  const path = await file('p.csv', 'trancheTicker;date;value\nAURORA1S1;2026-13-01;-1\n');
  const { code, stdout, stderr } = await lastroImport(path);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(
    `${path}:2 date must be a date like 2026-12-31 (in CSV also 31/12/2026), and "2026-13-01" is not\n`,
  );
  expect(stderr).toContain(`${path}:2 value must not be negative, and -1 is\n`);
  expect(stderr).toContain('\n2 errors. Nothing was written.\n');
});

test('it prints its schema and its columns, and asks for a file', async () => {
  const schema = JSON.parse((await lastroImport('--schema')).stdout) as object;
  expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  expect(JSON.parse((await lastroImport('--schema', 'patrimonies')).stdout)).toMatchObject({
    title: 'Estates, series and credits',
  });
  expect(await lastroImport('--schema', 'loans')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('patrimonies'),
  });
  expect((await lastroImport('--csv-columns')).stdout).toContain('contracts: operationTicker;externalId;debtorName;');
  expect(await lastroImport()).toMatchObject({ code: 2, stderr: expect.stringContaining('Name a file or folder') });
});

test('files of several domains are one whole, each found out from its contents', async () => {
  const estate = { ticker: 'PAT-1', name: 'Patrimônio 1', slug: 'patrimonio-1', status: 'ACTIVE', tranches: [] };
  const paths = [
    await file('whole-a.json', JSON.stringify(record('operations', { ticker: 'WHOLE', slug: 'whole' }))),
    await file('whole-b.json', JSON.stringify([estate])),
    await file('whole-c.csv', 'index;date;value\nDI;2026-02-17;14.9\n'),
  ];
  const faulty = await lastroImport(...paths);
  expect(faulty.stderr).toContain(
    `${paths[2] ?? ''}:2 date is 2026-02-17, which is not a business day: there is no DI rate for it\n`,
  );
  expect(await database.dataSource.query('SELECT FROM tokenization.patrimonies')).toHaveLength(0);
  await file('whole-c.csv', 'index;date;value\nDI;2024-02-15;11.15\n');
  expect((await lastroImport(...paths)).stdout).toMatch(
    /operations +1 [^]*patrimonies +1 [^]*indexValues +1 [^]*3 changes written/,
  );
});

test('a dry run prints what each field would become; what is settled changes with a reason only, and is reverted', async () => {
  await lastroImport(await file('operation.json', JSON.stringify(wholeOperation())));
  const price = (value: string) => file('price.csv', csv('unitPrices', [{ date: '2025-04-01', value }]));
  const stored = async () =>
    database.dataSource.query<object[]>(`SELECT value FROM issuances.unit_prices WHERE date = '2025-04-01'`);
  expect(await lastroImport(await price('10,5'))).toEqual(done(/1 file read\. 1 change/));
  expect(await lastroImport('--dry-run', '--correct', 'typo', await price('11,5'))).toEqual(
    done(
      /^changed unitPrices AURORA1S1 2025-04-01\n {2}value: 10\.50000000 -> 11\.50000000\n\n1 file read\. Nothing was written: this was a dry run\.\n$/m,
    ),
  );
  const path = await price('11,5');
  expect(await lastroImport(path)).toEqual(
    refused(
      `${path}:2 unit price AURORA1S1 2025-04-01 is older than 5 days: value 10.50000000 would become 11.50000000\n\n1 error. Nothing was written. What is settled or in doubt is written only with --correct "<reason>".\n`,
    ),
  );
  expect(await lastroImport('--correct', 'two\nlines', path)).toEqual(
    refused('reason must be one line, without control characters\n'),
  );
  expect(await stored()).toEqual([{ value: '10.50000000' }]);
  const { stdout } = await lastroImport('--correct', 'typed wrongly', path);
  const [, id = ''] = / 1 change written, as import (\S+)\.\n$/.exec(stdout) ?? [];
  expect(await lastro('call', 'import', '--id', id)).toEqual(
    done(/^reason +typed wrongly$[^]*^records\.nodes\[0\]\.kind +unitPrices$/m),
  );
  expect(await lastro('revertImport', '--id', id, '--reason', 'it was right')).toEqual(done(/^reverts\S* +/m));
  expect(await stored()).toEqual([{ value: '10.50000000' }]);
  const names = ['--names', 'AURORA1S1', '--names', '2025-04-01'];
  expect(await lastro('voidRecord', '--kind', 'unitPrices', ...names, '--reason', 'x')).toMatchObject({ code: 0 });
  expect(await stored()).toEqual([]);
});

test('an export is written, and one that is refused leaves nothing behind; both are in the audit log', async () => {
  const outcomes = () =>
    database.dataSource.query<object[]>(
      `SELECT outcome, after ->> 'folder' AS folder FROM shared.audit_log WHERE action = 'export' ORDER BY at`,
    );
  const [whole, none, there] = [join(folder, 'exported'), join(folder, 'none'), join(folder, 'there')];
  expect(await lastro('export', whole)).toEqual(done(/^operations {2}\d\n[^]*\n\d+ files written to .*exported\.\n$/));
  expect(await readdir(join(whole, 'operations'))).toContain('CRI-AURORA-1.json');
  expect(await lastro('export', whole)).toEqual(refused(`${whole} is not an empty folder: name a new one\n`));
  await mkdir(there);
  for (const target of [join(none, 'deeper'), there])
    expect(await lastro('export', target, '--only', 'cri-aurora-1,NADA')).toEqual(
      refused('--only names NADA, and there is no such operation or estate: give tickers of operations or estates\n'),
    );
  expect(await readdir(folder)).not.toContain('none');
  expect(await readdir(there)).toEqual([]);
  expect(await lastro('export', there, '--as-of', '2026-13-01')).toEqual(
    refused('--as-of is "2026-13-01": write a moment such as 2026-11-22T12:00:00Z\n'),
  );
  expect(await lastro('export')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Usage: /) });
  expect(await outcomes()).toEqual([
    { outcome: 'DONE', folder: whole },
    { outcome: 'REFUSED', folder: whole },
    { outcome: 'REFUSED', folder: join(none, 'deeper') },
    { outcome: 'REFUSED', folder: there },
  ]);
});

test('200,000 contracts load with a heap of 160 MB', async () => {
  await lastroImport(await file('a.json', JSON.stringify(record('operations'))));
  const path = await file(
    'contracts.csv',
    csv(
      'contracts',
      Array.from({ length: 200_000 }, (_, at) => ({
        externalId: `CCB-${at}`,
        debtorName: `Devedor ${at} da Conceição`,
      })),
    ),
  );
  await build();
  // A process that needs more ends in an error. `bench/` measures the time and all of the memory.
  const options = ['--max-old-space-size=160', 'dist/lastro/main.js', 'import', path];
  await promisify(execFile)(process.execPath, options, { cwd: new URL('../', import.meta.url) });
  expect(await database.dataSource.query('SELECT count(*)::int AS n FROM issuances.credit_contracts')).toEqual([
    { n: 200_001 },
  ]);
});
