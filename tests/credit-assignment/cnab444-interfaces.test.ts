import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { creditBatchRoutes } from '../../rest/routes/credit-assignment.js';
import { assignmentFile, settlementFile } from '../../rest/routes/cnab444.js';
import { newId } from '../../shared/kernel/ids.js';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/add-originator.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { addOpenEstate, permit } from './estate-kit.js';
import { formatCnab444, parseCnab444 } from './cnab444-files.js';
import { assigned, fileOf, put } from './cnab444-kit.js';
import { newPair, pemOf, sendSigned, type Signer } from './signing-kit.js';

let platform: TestPlatform;
let client: Signer;
const patrimonyId = newId();

beforeAll(async () => {
  platform = await openTestPlatform({ RATE_LIMIT_CLIENT: '100000' });
  const { privateKey, publicKey } = newPair();
  const wish = { name: 'Crediário', publicKey: pemOf(publicKey), rateLimit: null, accountId: null };
  const { id } = await addOriginator(platform.infrastructure.context, wish);
  client = { clientId: id, key: privateKey };
  await addOpenEstate(platform.infrastructure.dataSource, patrimonyId, 'CNAB');
  await permit(platform.infrastructure.dataSource, id, patrimonyId);
});
afterAll(() => platform.close());

const send = (target: string, body: string | Buffer, type = 'text/plain; profile=cnab444') =>
  sendSigned(platform.url, client, target, { method: 'POST', body, headers: { 'content-type': type } });
const assign = (body: string | Buffer, type?: string) =>
  send(`/tidc/v1/credit-batches?patrimonyId=${patrimonyId}`, body, type);

test('a signed assignment file, in ISO-8859-1 too, is 201 with a batch in DRAFT', async () => {
  const file = formatCnab444(fileOf(assigned('A-1', { debtorName: 'JOSÉ' }), assigned('A-2')));
  const made = await assign(Buffer.from(file, 'latin1'));
  expect([made.status, made.body]).toEqual([
    201,
    expect.objectContaining({ status: 'DRAFT', patrimonyId, receivableCount: 2, totalFaceValue: '2000.00' }),
  ]);
});

test('the same signed request again gets the stored answer, and makes no second batch', async () => {
  const file = formatCnab444(fileOf(assigned('B-1')));
  const timestamp = Math.floor(Date.now() / 1000) - 5;
  const again = () =>
    sendSigned(platform.url, client, `/tidc/v1/credit-batches?patrimonyId=${patrimonyId}`, {
      method: 'POST',
      body: file,
      timestamp,
      headers: { 'content-type': 'text/plain; profile=cnab444' },
    });
  const first = await again();
  const second = await again();
  expect([first.status, second.status, second.headers['x-idempotent-replayed']]).toEqual([201, 201, 'true']);
  expect(second.body).toEqual(first.body);
});

test('what is wrong with a file is 400 by line and column', async () => {
  const file = put(formatCnab444(fileOf(assigned('A-1'), assigned('A-2'))), 3, 109, '77');
  expect(await assign(file)).toMatchObject({
    status: 400,
    body: { details: [{ path: 'line 3, columns 109-110', message: 'must be one of 01 (occurrence)' }] },
  });
  const many = await assign('x\n'.repeat(1000));
  expect([many.status, (many.body['details'] as unknown[]).length]).toEqual([400, 100]);
  expect(many.body['message']).toMatch(/1000 errors/);
});

test('what cannot be true is 422, and a contract that comes twice 409 code 2003, by line and column', async () => {
  const past = formatCnab444(fileOf(assigned('A-1', { dueDate: '2020-01-31' })));
  expect(await assign(past)).toMatchObject({
    status: 422,
    body: { details: [{ path: 'line 2, columns 121-126', message: 'must be in the future' }] },
  });
  expect(await assign(formatCnab444(fileOf(assigned('A-1'), assigned('A-1'))))).toMatchObject({
    status: 409,
    body: {
      code: 2003,
      details: [
        {
          path: 'line 3, columns 38-62',
          message: 'is the same as that of line 2: each contract may occur once in a batch',
        },
      ],
    },
  });
});

test('a text of no profile, or another, is 415', async () => {
  const file = formatCnab444(fileOf(assigned('A-1')));
  expect((await assign(file, 'text/plain')).status).toBe(415);
  expect((await assign(file, 'text/plain; profile=cnab400')).status).toBe(415);
});

describe('a packed file', () => {
  const target = `/tidc/v1/credit-batches?patrimonyId=${patrimonyId}`;
  const packed = (body: Buffer, coding = 'gzip', type = 'text/plain; profile=cnab444') =>
    sendSigned(platform.url, client, target, {
      method: 'POST',
      body,
      headers: { 'content-type': type, 'content-encoding': coding },
    });

  test('is unpacked in UTF-8 and in Windows-1252; its signature is over the bytes as sent', async () => {
    const file = formatCnab444(fileOf(assigned('G-1', { debtorName: 'JOSÉ' }), assigned('G-2')));
    for (const encoding of ['utf8', 'latin1'] as const) {
      const made = await packed(gzipSync(Buffer.from(file, encoding)));
      expect(made).toMatchObject({ status: 201, body: { status: 'DRAFT', receivableCount: 2 } });
    }
  });

  test('beyond 64 MiB is 413 that says the limit, and a text beyond 10 MiB as sent is so too', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1_048_576 + 1, ' '));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await packed(bomb)).toMatchObject({
      status: 413,
      body: { message: expect.stringContaining('at most 67108864 bytes once it is decompressed') },
    });
    const large = await assign(Buffer.alloc(10 * 1_048_576 + 1, ' '));
    expect(large).toMatchObject({ status: 413, body: { message: expect.stringContaining('10485760 bytes') } });
  });

  test('that is no gzip, or cut short, is 400; another coding, and packed JSON, are 415', async () => {
    const whole = gzipSync(formatCnab444(fileOf(assigned('H-1'))));
    for (const body of [Buffer.from('x'), whole.subarray(0, -9)]) {
      expect(await packed(body)).toMatchObject({
        status: 400,
        body: { details: [{ message: 'The body is not valid gzip, or it is cut short' }] },
      });
    }
    const other = await packed(brotliCompressSync('x'), 'br');
    expect([other.status, other.headers['accept-encoding']]).toEqual([415, 'gzip, identity']);
    const json = await packed(gzipSync('{}'), 'gzip', 'application/json');
    expect([json.status, json.headers['accept-encoding']]).toEqual([415, 'identity']);
  });
});

test('a signed settlement file is 201 with a settlement batch in DRAFT', async () => {
  const { body: credit } = await assign(formatCnab444(fileOf(assigned('C-1'))));
  const id = String(credit['id']);
  const { dataSource } = platform.infrastructure;
  await dataSource.query(
    `UPDATE credit_assignment.credit_batches SET status = 'PROCESSED', submitted_at = now(), processed_at = '2026-07-30T15:00:00Z' WHERE id = $1`,
    [id],
  );
  await dataSource.query(`UPDATE credit_assignment.receivables SET status = 'OPEN' WHERE batch_id = $1`, [id]);
  const settle = (externalId: string, batch = id) =>
    send(
      `/tidc/v1/settlement-batches?creditBatchId=${batch}`,
      formatCnab444(fileOf({ occurrence: '14', externalId, paidAmount: '10.00', paidOn: '2026-07-30' })),
    );
  expect(await settle('C-1')).toMatchObject({
    status: 201,
    body: { status: 'DRAFT', creditBatchId: id, settlementCount: 1, totalSettledAmount: '10.00' },
  });
  expect(await settle('C-2')).toMatchObject({
    status: 422,
    body: {
      details: [{ path: 'line 2, columns 38-62', message: 'is not the external id of a contract of the credit batch' }],
    },
  });
  expect(await settle('C-1', newId())).toMatchObject({ status: 404, body: { code: 2001 } });
});

test('the files of the reference are of the layout', () => {
  expect(creditBatchRoutes[0]?.textBodies?.map(({ profile }) => profile)).toEqual(['cnab444']);
  const parameter = { description: '' };
  for (const { example } of [assignmentFile(parameter), settlementFile(parameter)]) {
    expect(parseCnab444(example)).toEqual({ file: expect.objectContaining({ details: [expect.anything()] }) });
  }
});
