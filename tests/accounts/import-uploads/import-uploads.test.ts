import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sha256 } from '../../../shared/security/crypto.js';
import type { Context, Principal } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import { issuancesImport } from '../../../subgraphs/issuances/import/domain.js';
import { csv, importTexts, record, wholeOperation } from '../../../subgraphs/issuances/import/tests/kit.js';
import { operator } from '../../kit/context.js';
import { openAccounts } from '../kit.js';

const kit = await openAccounts({}, { importDomains: [issuancesImport] });
const series = record('series', { maxDailyChangePercent: '99', unitPrices: [record('unitPrices')] });
await importTexts(kit.context, { 'a.json': wholeOperation({ series: [series] }) }, { correct: 'x' });
afterAll(() => kit.close());
beforeEach(() => {
  kit.clock.set(new Date(kit.clock.now().getTime() + 60_000).toISOString());
});

const run = (text: string, variables: Record<string, unknown> = {}, parts: Partial<Context> = {}) =>
  kit.run(text, variables, { principal: operator, ...parts });

const pieceText =
  'mutation ($file: ID!, $position: Int!, $piece: String!) { addImportFilePiece(file: $file, position: $position, piece: $piece) }';
const fields =
  'accepted needsReason errorCount changeCount errors { file line column field value message rule values { name value } } counts { kind created changed unchanged removed } changes { kind change record line fields { field before after } } files { name bytes sha256 }';
const checkText = `mutation ($files: [ImportFileInput!]!, $reason: String) { checkImport(files: $files, reason: $reason) { ${fields} } }`;
const importText =
  'mutation ($files: [ImportFileInput!]!, $reason: String) { importFiles(files: $files, reason: $reason) { id reason files { name bytes sha256 } counts { kind created changed } } }';

/** Uploads a file as a browser does, in pieces of some bytes. */
async function upload(name: string, content: string | Buffer, parts: Partial<Context> = {}, size = 61_440) {
  const id = newId();
  const packed = gzipSync(content);
  let pieces = 0;
  for (let at = 0; at < packed.length; at += size) {
    const piece = packed.subarray(at, at + size).toString('base64');
    const { error } = await run(pieceText, { file: id, position: pieces, piece }, parts);
    expect(error).toBeUndefined();
    pieces += 1;
  }
  return { id, name, pieces };
}

const price = (date: string, value: string) => csv('unitPrices', [{ date, value }]);
async function priceOf(date: string): Promise<string | undefined> {
  const [row] = await kit.database.dataSource.query<{ value: string }[]>(
    'SELECT value FROM issuances.unit_prices WHERE date = $1',
    [date],
  );
  return row?.value;
}
const countOf = async (table: string) =>
  (await kit.database.dataSource.query<[{ count: number }]>(`SELECT count(*)::integer AS count FROM ${table}`))[0]
    .count;

describe('a check of uploaded files', () => {
  test('lists every error with file, line, column, field and value, and writes nothing', async () => {
    const latin = Buffer.from(
      csv('unitPrices', [
        { date: '2025-03-99', value: '1' },
        { date: '2025-05-06', value: '-é' },
      ]),
      'latin1',
    );
    const files = [await upload('b.csv', latin), await upload('a.json', '{"operations": [', {}, 5)];
    const { data } = await run(checkText, { files });
    expect(data?.['checkImport']).toMatchObject({
      accepted: false,
      needsReason: false,
      errorCount: 3,
      counts: [],
      changes: [],
      errors: [
        {
          file: 'a.json',
          line: 1,
          column: null,
          field: null,
          value: null,
          message: expect.stringContaining('is not JSON'),
        },
        {
          file: 'b.csv',
          line: 2,
          column: 2,
          field: 'date',
          value: '2025-03-99',
          message: 'must be a date like 2026-12-31 (in CSV also 31/12/2026), and "2025-03-99" is not',
          rule: 'FIELD_DATE_FORM',
          values: [{ name: 'value', value: '"2025-03-99"' }],
        },
        { file: 'b.csv', line: 3, column: 3, field: 'value', value: '-é', message: expect.any(String) },
      ],
    });
    expect(await priceOf('2025-05-06')).toBeUndefined();
  });

  test('shows what would change, and asks for a reason where settled records do', async () => {
    const content = price('2025-06-02', '7');
    const imports = await countOf('shared.imports');
    const first = await run(checkText, { files: [await upload('p.csv', content)] });
    expect(first.data?.['checkImport']).toEqual({
      accepted: true,
      needsReason: false,
      errorCount: 0,
      changeCount: 1,
      errors: [],
      counts: [{ kind: 'unitPrices', created: 1, changed: 0, unchanged: 0, removed: 0 }],
      changes: [
        {
          kind: 'unitPrices',
          change: 'CREATED',
          record: 'AURORA1S1 2025-06-02',
          line: 2,
          fields: [
            { field: 'date', before: null, after: '2025-06-02' },
            { field: 'value', before: null, after: '7.00000000' },
          ],
        },
      ],
      files: [{ name: 'p.csv', bytes: Buffer.byteLength(content), sha256: sha256(content).toString('hex') }],
    });
    expect([await priceOf('2025-06-02'), await countOf('shared.imports')]).toEqual([undefined, imports]);

    await importTexts(kit.context, { 'p.csv': price('2025-06-02', '7') });
    const files = [await upload('p.csv', price('2025-06-02', '8'))];
    expect((await run(checkText, { files })).data?.['checkImport']).toMatchObject({
      accepted: false,
      needsReason: true,
      errors: [
        {
          message: expect.stringMatching(/is older than 5 days: value 7\.00000000 would become 8\.00000000$/),
          rule: 'SETTLED_AGE',
          values: [
            { name: 'label', value: 'unit price' },
            { name: 'record', value: 'AURORA1S1 2025-06-02' },
            { name: 'days', value: '5' },
            { name: 'changes', value: 'value 7.00000000 → 8.00000000' },
          ],
        },
      ],
    });
    expect((await run(checkText, { files, reason: 'typed wrongly' })).data?.['checkImport']).toMatchObject({
      accepted: true,
      changes: [{ change: 'CHANGED', fields: [{ field: 'value', before: '7.00000000', after: '8.00000000' }] }],
    });
    expect(await priceOf('2025-06-02')).toBe('7.00000000');
  });

  test('names files that are not there completely, are no gzip, or are too large: 400', async () => {
    const whole = await upload('p.csv', price('2025-06-03', '7'));
    const broken = newId();
    await run(pieceText, { file: broken, position: 0, piece: Buffer.from('no gzip').toString('base64') });
    const large = await upload('l.json', `[${' '.repeat(2 * 1_048_576)}]`);
    const { error } = await run(checkText, {
      files: [{ ...whole, pieces: whole.pieces + 1 }, { id: broken, name: 'x.csv', pieces: 1 }, large],
    });
    expect(error).toMatchObject({
      statusCode: 400,
      details: [
        { path: 'files[0]', rule: 'FILE_PIECES', message: expect.stringContaining('has 1 of 2 pieces') },
        { path: 'files[1]', rule: 'FILE_GZIP', message: 'is not gzip, or is cut short' },
        { path: 'files[2]', rule: 'JSON_FILE_SIZE', message: expect.stringContaining('is larger than 2 MiB') },
      ],
    });
    for (const [file, path] of [
      [{ ...whole, name: 'p.xml' }, 'files[0].name'],
      [{ ...whole, name: '../p.csv' }, 'files[0].name'],
      [{ ...whole, id: 'nonsense' }, 'files[0].id'],
      [{ ...whole, pieces: 257 }, 'files[0].pieces'],
    ] as const)
      expect((await run(checkText, { files: [file] })).error).toMatchObject({ statusCode: 400, details: [{ path }] });
    expect((await run(checkText, { files: [] })).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'files' }],
    });
  });
});

describe('importing uploaded files', () => {
  test('writes them once, as an import that can be taken back, and the files are gone', async () => {
    const content = price('2025-07-01', '9');
    const files = [await upload('p.csv', content)];
    const done = await run(importText, { files });
    expect(done.data?.['importFiles']).toMatchObject({
      reason: null,
      files: [{ name: 'p.csv', bytes: Buffer.byteLength(content), sha256: sha256(content).toString('hex') }],
      counts: [{ kind: 'unitPrices', created: 1, changed: 0 }],
    });
    expect(await priceOf('2025-07-01')).toBe('9.00000000');
    expect((await run(importText, { files })).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'files[0]' }],
    });
    const { id } = done.data?.['importFiles'] as { id: string };
    const back = await run('mutation ($id: ID!) { revertImport(id: $id, reason: "wrong file") { id } }', { id });
    expect([back.error, await priceOf('2025-07-01')]).toEqual([undefined, undefined]);
  });

  test('is refused with every error, and leaves nothing: 422', async () => {
    const bad = await upload('bad.csv', csv('unitPrices', [{ date: '2025-03-99' }, { value: 'x' }]));
    const good = await upload('good.csv', price('2025-07-03', '9'));
    const { error } = await run(importText, { files: [bad, good] });
    expect(error).toMatchObject({
      statusCode: 422,
      message: 'Nothing was imported: the files have 2 errors',
      details: [{ path: 'bad.csv:2 date' }, { path: 'bad.csv:3 value' }],
    });
    expect(await priceOf('2025-07-03')).toBeUndefined();
  });

  test('has an entry in the audit log with its files as size and digest, and no piece of them has one', async () => {
    const content = price('2025-07-04', '9');
    const files = [await upload('p.csv', content)];
    const before = await countOf('shared.audit_log');
    await run(checkText, { files });
    await run(importText, { files });
    const entries = await kit.database.dataSource.query<{ action: string; outcome: string; after: unknown }[]>(
      'SELECT action, outcome, after FROM shared.audit_log ORDER BY id OFFSET $1',
      [before],
    );
    const described = [{ name: 'p.csv', bytes: Buffer.byteLength(content), sha256: sha256(content).toString('hex') }];
    expect(entries).toMatchObject([
      { action: 'checkImport', outcome: 'DONE', after: { files: described, errorCount: 0 } },
      { action: 'import', outcome: 'DONE', after: { files: described } },
    ]);
  });
});

test('uploads are for operators who publish, and each sees its own alone', async () => {
  const files = [await upload('p.csv', price('2025-08-01', '9'))];
  const other: Principal = { ...operator, id: newId(), ownerId: newId() };
  for (const text of [checkText, importText])
    expect((await run(text, { files }, { principal: other })).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'files[0]', message: expect.stringContaining('has 0 of 1 pieces') }],
    });
  const reader: Principal = { ...operator, scopes: ['read', 'originate', 'trade', 'administer'] };
  const tried = [
    await run(pieceText, { file: newId(), position: 0, piece: 'AAAA' }, { principal: reader }),
    await run(checkText, { files }, { principal: reader }),
    await run(importText, { files }, { principal: reader }),
  ];
  expect(tried.map(({ error }) => error?.statusCode)).toEqual([403, 403, 403]);
});

test('importing needs a proof of the last minutes from a browser, and checking does not', async () => {
  const files = [await upload('p.csv', price('2025-08-04', '9'))];
  const browser = { id: newId(), provedAtMs: kit.clock.now().getTime() - 6 * 60_000 };
  const principal: Principal = { ...operator, browser };
  expect((await run(checkText, { files }, { principal })).error).toBeUndefined();
  expect((await run(importText, { files }, { principal })).error?.statusCode).toBe(403);
});

test.each([
  [{ position: 256 }, 'position'],
  [{ position: -1 }, 'position'],
  [{ file: 'nonsense' }, 'file'],
  [{ piece: '' }, 'piece'],
  [{ piece: 'not base64' }, 'piece'],
  [{ piece: Buffer.alloc(61_441).toString('base64') }, 'piece'],
])('a piece is refused with 400 for %j', async (over, path) => {
  const { error } = await run(pieceText, { file: newId(), position: 0, piece: 'AAAA', ...over });
  expect(error).toMatchObject({ statusCode: 400, details: [{ path }] });
});

test('an operator has 1,024 pieces waiting at most, however many come at once, and may send the last one again', async () => {
  const principal: Principal = { ...operator, id: newId(), ownerId: newId() };
  await kit.database.dataSource.query(
    `INSERT INTO accounts.import_pieces (owner_id, file_id, position, piece, added_at)
     SELECT $1, gen_random_uuid(), 0, 'x', $2 FROM generate_series(1, 1020)`,
    [principal.ownerId, kit.clock.now()],
  );
  const send = (file: string) => run(pieceText, { file, position: 0, piece: 'AAAA' }, { principal });
  const sent = Array.from({ length: 12 }, () => newId());
  const outcomes = await Promise.all(sent.map(async (file) => ({ file, error: (await send(file)).error })));
  const stored = outcomes.filter(({ error }) => error === undefined);
  expect(stored).toHaveLength(4);
  for (const { error } of outcomes) if (error !== undefined) expect(error).toMatchObject({ statusCode: 422 });
  expect((await send(stored[0]?.file ?? '')).error).toBeUndefined();
});

test('pieces that nobody imports are deleted after two hours', async () => {
  const files = [await upload('p.csv', price('2025-08-05', '9'))];
  const retention = kit.accounts.jobs.find(({ name }) => name === 'accounts.retention');
  await retention?.run(kit.context, new AbortController().signal);
  expect((await run(checkText, { files })).error).toBeUndefined();
  kit.clock.set(new Date(kit.clock.now().getTime() + 2 * 3_600_000 + 1).toISOString());
  await retention?.run(kit.context, new AbortController().signal);
  expect((await run(checkText, { files })).error?.statusCode).toBe(400);
  expect(await countOf('accounts.import_pieces')).toBe(0);
});
