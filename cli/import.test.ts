import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../tests/kit/database.js';
import { csv, record } from '../subgraphs/issuances/import/tests/kit.js';

const root = new URL('../', import.meta.url);
// Runs the command as its users do: built, and in a process of its own.
const program = `
  const { importCommand } = await import(${JSON.stringify(new URL('dist/cli/import.js', root).href)});
  process.exitCode = await importCommand.run(process.argv.slice(1));`;

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('scripts/build.mjs', root)), '--quiet']);
  database = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'lastro-cli-'));
});

afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const lastroImport = (...args: string[]) => lastroImportWithin('', ...args);

/** Runs the command with options of Node, which may bound its memory. */
async function lastroImportWithin(nodeOptions: string, ...args: string[]): Promise<Outcome> {
  const options = ['--input-type=module', '-e', program, '--', ...args];
  const env = { ...process.env, NODE_OPTIONS: nodeOptions, DATABASE_URL: database.url };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, options, { env, maxBuffer: 10_000_000 })) };
  } catch (error) {
    const { code, stdout, stderr } = error as Outcome;
    return { code, stdout, stderr };
  }
}

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
    /Nothing has changed\. What is empty or left out keeps its value: .*`lastro asset reverse`/,
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
  // A process that needs more ends in an error. `bench/` measures the time and all of the memory.
  const { code, stderr } = await lastroImportWithin('--max-old-space-size=160', path);
  expect([code, stderr]).toEqual([0, '']);
  expect(await database.dataSource.query('SELECT count(*)::int AS n FROM issuances.credit_contracts')).toEqual([
    { n: 200_000 },
  ]);
});
