import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { creditBatchRoutes } from '../../../rest/routes/credit-assignment.js';
import { assignmentFiles, settlementFiles } from '../../../rest/routes/batch-texts.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Detail } from '../../../subgraphs/credit-assignment/cnab444/layout.js';
import { formatCnab444, parseCnab444 } from './files.js';
import { assigned, fileOf, put } from './kit.js';
import { openInterfaces } from '../interfaces-kit.js';
import { markAssigned } from '../settlement-kit.js';
import { sendSigned, unsentSecond, type SignedInit, type SignedResponse } from '../signing-kit.js';

const { platform, patrimonyId, bank, other, sent } = await openInterfaces();
afterAll(() => platform.close());

const batches = '/tidc/v1/credit-batches';
const target = `${batches}?patrimonyId=${patrimonyId}`;
const send = (to: string, body: string | Buffer, headers: SignedInit['headers'] = {}, signer = bank) =>
  sendSigned(platform.url, signer, to, {
    method: 'POST',
    body,
    timestamp: unsentSecond(`${to} ${body.toString('base64')}`),
    headers: { 'content-type': 'text/plain; profile=cnab444', ...headers },
  });
const assign = (...details: Partial<Detail>[]) => send(target, formatCnab444(fileOf(...details)));
const totals = async () => ((await sent('GET', batches)).body as { total: number }).total;
/** Status, code and details of a refusal. */
const refusalOf = ({ status, body: { code, details } }: SignedResponse) => [
  [status, code].join(' ').trim(),
  ...(details as { path: string; message: string }[]).map(({ path, message }) => `${path} ${message}`),
];

describe('an assignment file', () => {
  test('in ISO-8859-1 too, is 201 with a batch in DRAFT and its contracts', async () => {
    const file = fileOf(
      assigned('A-1', { faceValue: '1234.56', debtorName: 'JOSÉ' }),
      assigned('A-2', { debtorKind: '01', debtorDocument: '00052998224725' }),
    );
    const made = await send(target, Buffer.from(formatCnab444(file), 'latin1'));
    expect(made).toMatchObject({
      status: 201,
      body: { status: 'DRAFT', patrimonyId, receivableCount: 2, totalFaceValue: '2234.56' },
    });
    const dueDate = '2031-01-31';
    expect((await sent('GET', `${batches}/${String(made.body['id'])}`)).body['contracts']).toMatchObject([
      { externalId: 'A-1', debtorDocument: '11222333000181', faceValue: '1234.56', dueDate },
      { externalId: 'A-2', debtorDocument: '52998224725', faceValue: '1000.00', dueDate },
    ]);
  });

  test('again in the same signed request gets the stored answer, and makes no second batch', async () => {
    const before = await totals();
    const timestamp = Math.floor(Date.now() / 1000) - 5;
    const again = () =>
      sendSigned(platform.url, bank, target, {
        method: 'POST',
        body: formatCnab444(fileOf(assigned('B-1'))),
        timestamp,
        headers: { 'content-type': 'text/plain; profile=cnab444' },
      });
    const first = await again();
    const second = await again();
    expect([first.status, second.status, second.headers['x-idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect([second.body, await totals()]).toEqual([first.body, before + 1]);
  });

  const two = formatCnab444(fileOf(assigned('A-1'), assigned('A-2')));
  test.each([
    [
      'of another occurrence',
      put(two, 3, 109, '77'),
      ['400', 'line 3, columns 109-110 must be one of 01 (occurrence)'],
    ],
    [
      'of another layout',
      put(two, 3, 127, 'x'),
      ['400', 'line 3, columns 127-139 must be an amount in centavos, digits only (faceValue)'],
    ],
    [
      'whose contracts cannot be true',
      formatCnab444(
        fileOf(
          assigned('A-1', { faceValue: '0.00' }),
          assigned('A-2', { debtorDocument: '11222333000182' }),
          assigned('A-3', { dueDate: '2020-01-31' }),
        ),
      ),
      [
        '422',
        'line 2, columns 127-139 must be greater than 0',
        'line 3, columns 221-234 has wrong check digits',
        'line 4, columns 121-126 must be in the future',
      ],
    ],
    [
      'that names a contract twice',
      formatCnab444(fileOf(assigned('A-1'), assigned('A-2'), assigned('A-1'))),
      ['409 2003', 'line 4, columns 38-62 is the same as that of line 2: each contract may occur once in a batch'],
    ],
  ])('%s is refused by line and column, and nothing is written', async (_, file, refusal) => {
    const before = await totals();
    expect(refusalOf(await send(target, file))).toEqual(refusal);
    expect(await totals()).toBe(before);
  });

  test('with more than a hundred errors names a hundred, and says how many there are', async () => {
    const { status, body } = await send(target, 'x\n'.repeat(250));
    expect([status, (body['details'] as unknown[]).length]).toEqual([400, 100]);
    expect(body['message']).toMatch(/it has 250 errors, of which the first 100 are listed$/);
  });

  test('for an estate that does not exist is 422', async () => {
    expect(refusalOf(await send(`${batches}?patrimonyId=${newId()}`, two))).toEqual([
      '422',
      'patrimonyId is not the id of an estate',
    ]);
  });

  test('as a text of no profile, or another, is 415', async () => {
    for (const type of ['text/plain', 'text/plain; profile=cnab400'])
      expect((await send(target, two, { 'content-type': type })).status).toBe(415);
  });
});

describe('a file of records', () => {
  const csv = (...lines: string[]) => ['externalId;debtorDocument;faceValue;dueDate', ...lines].join('\n');
  const ndjson = (...lines: (object | string)[]) =>
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const contract = { externalId: 'N-1', debtorDocument: '52998224725', faceValue: 1500.5, dueDate: '2031-01-31' };

  test.each([
    ['text/csv', csv('N-1;52998224725;1.500,50;31/01/2031', 'N-2;11222333000181;0.10;2031-01-31')],
    ['text/csv; charset=utf-8', csv('N-1;52998224725;1500.50;2031-01-31', 'N-2;11222333000181;0.10;2031-01-31')],
    [
      'application/x-ndjson',
      ndjson(contract, '', { ...contract, externalId: 'N-2', debtorDocument: '11222333000181', faceValue: '0.10' }),
    ],
  ])('as %s is 201 with a batch in DRAFT, plain and packed', async (type, file) => {
    for (const [body, coding] of [
      [file, {}],
      [gzipSync(file), { 'content-encoding': 'gzip' }],
    ] as const)
      expect(await send(target, body, { 'content-type': type, ...coding })).toMatchObject({
        status: 201,
        body: { status: 'DRAFT', receivableCount: 2, totalFaceValue: '1500.60' },
      });
  });

  test('as NDJSON is refused by line and field, with all that is wrong, and nothing is written', async () => {
    const before = await totals();
    const wrong = ndjson(
      { ...contract, faceValue: 0.1 + 0.2 },
      '[1]',
      '{"externalId":"N-3","externalId":"N-4"}',
      '{"externalId":"N-4","debtorDocument":"52998224725","faceValue":123456789012345.12,"dueDate":"2031-01-31"}',
      { externalId: 'N-5', dueDate: null, coupon: 1, faceValue: 1, debtorDocument: '52998224725' },
    );
    expect(refusalOf(await send(target, wrong, { 'content-type': 'application/x-ndjson' }))).toEqual([
      '400',
      'line 2 is not a JSON object',
      'line 3 has the same name twice',
      'line 4, column faceValue must be a text, or a number with at most 15 digits',
      'line 5, column dueDate must be a text, or a number with at most 15 digits',
      'line 5, column coupon is no field of this file',
    ]);
    expect(
      refusalOf(
        await send(target, ndjson({ ...contract, faceValue: 0.1 + 0.2 }), { 'content-type': 'application/x-ndjson' }),
      )[0],
    ).toBe('400');
    expect(refusalOf(await send(target, '', { 'content-type': 'application/x-ndjson' }))[0]).toMatch(/^40/);
    expect(await totals()).toBe(before);
  });
});

describe('a packed file', () => {
  const packed = (body: Buffer, coding = 'gzip', headers: SignedInit['headers'] = {}) =>
    send(target, body, { 'content-encoding': coding, ...headers });

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
    for (const [answer, limit] of [
      [await packed(bomb), 'at most 67108864 bytes once it is decompressed'],
      [await send(target, Buffer.alloc(10 * 1_048_576 + 1, ' ')), '10485760 bytes'],
    ] as const)
      expect(answer).toMatchObject({ status: 413, body: { message: expect.stringContaining(limit) } });
  });

  test('that is no gzip, or cut short, is 400; another coding, and packed JSON, are 415', async () => {
    const whole = gzipSync(formatCnab444(fileOf(assigned('H-1'))));
    const details = [{ message: 'The body is not valid gzip, or it is cut short' }];
    for (const body of [Buffer.from('x'), whole.subarray(0, -9)])
      expect(await packed(body)).toMatchObject({ status: 400, body: { details } });
    const brotli = await packed(brotliCompressSync('x'), 'br');
    expect([brotli.status, brotli.headers['accept-encoding']]).toEqual([415, 'gzip, identity']);
    const json = await packed(gzipSync('{}'), 'gzip', { 'content-type': 'application/json' });
    expect([json.status, json.headers['accept-encoding']]).toEqual([415, 'identity']);
  });
});

describe('a settlement file', () => {
  const paid = (externalId: string, paidAmount: string, changed: Partial<Detail> = {}): Partial<Detail> => ({
    occurrence: '77',
    externalId,
    paidAmount,
    paidOn: '2026-07-30',
    ...changed,
  });
  const settle = (creditBatchId: string, details: readonly Partial<Detail>[], signer = bank) =>
    send(`/tidc/v1/settlement-batches?creditBatchId=${creditBatchId}`, formatCnab444(fileOf(...details)), {}, signer);

  /** A credit batch of two contracts of 1,000 that was processed. */
  async function processed(): Promise<string> {
    const id = String((await assign(assigned('A-1'), assigned('A-2'))).body['id']);
    await markAssigned(platform.infrastructure.dataSource, id);
    return id;
  }

  test('is 201 with a settlement batch in DRAFT; contracts are found by the names that their originator gave them', async () => {
    const creditBatchId = await processed();
    const abated = { occurrence: '04', externalId: 'A-1', abatement: '5.50' };
    const made = await settle(creditBatchId, [
      paid('A-2', '1000.00'),
      paid('A-1', '10.00', { occurrence: '14' }),
      abated,
    ]);
    expect(made).toMatchObject({
      status: 201,
      body: { status: 'DRAFT', creditBatchId, settlementCount: 3, totalSettledAmount: '1010.00', totalAbated: '5.50' },
    });
    const { body } = await sent('GET', `/tidc/v1/settlement-batches/${String(made.body['id'])}`);
    expect(body['settlements']).toMatchObject([
      { externalId: 'A-2', settledAmount: '1000.00', settledDate: '2026-07-30' },
      { externalId: 'A-1', settledAmount: '10.00', settledDate: '2026-07-30' },
      { externalId: 'A-1', settledAmount: '5.50', settledDate: '2026-08-03' },
    ]);
  });

  test.each([
    [
      'with contracts that the credit batch does not have',
      [paid('A-1', '1.00'), paid('A-7', '1.00')],
      ['line 3, columns 38-62 is not the external id of a contract of the credit batch'],
    ],
    [
      'with payments that cannot be',
      [
        paid('A-1', '0.00'),
        { occurrence: '04', externalId: 'A-1', abatement: '0.00' },
        paid('A-1', '1.00', { paidOn: '2099-12-31' }),
      ],
      [
        'line 2, columns 83-92 must be greater than 0',
        'line 3, columns 206-218 must be greater than 0',
        'line 4, columns 95-100 must not be in the future',
      ],
    ],
    [
      'with payments of more than is open',
      [paid('A-1', '600.00'), paid('A-1', '600.00')],
      [
        'line 3, columns 83-92 brings the payments of this batch to 1200.00, but the open balance of the receivable is 1000.00. Late interest and fines of a payment go into surplus',
      ],
    ],
  ])('%s is 422 by line and column, and nothing is written', async (_, details, errors) => {
    const creditBatchId = await processed();
    expect(refusalOf(await settle(creditBatchId, details))).toEqual(['422', ...errors]);
    const list = await sent('GET', `/tidc/v1/settlement-batches?creditBatchId=${creditBatchId}`);
    expect(list.body).toMatchObject({ total: 0 });
  });

  test('for a credit batch of someone else is answered like one that does not exist', async () => {
    const details = [paid('A-1', '1.00')];
    const theirs = await settle(await processed(), details, other);
    expect([theirs.status, theirs.body['code']]).toEqual([404, 2001]);
    expect((await settle(newId(), details)).body['message']).toBe(theirs.body['message']);
  });
});

test('the files of the reference are of the layout', () => {
  expect(creditBatchRoutes[0]?.textBodies?.map(({ profile }) => profile)).toEqual(['cnab444', 'csv', 'ndjson']);
  const parameter = { description: '' };
  for (const { example } of [assignmentFiles({ patrimonyId: parameter })[0], settlementFiles(parameter)[0]].flatMap(
    (form) => form ?? [],
  )) {
    expect(parseCnab444(example)).toEqual({ file: expect.objectContaining({ details: [expect.anything()] }) });
  }
});
