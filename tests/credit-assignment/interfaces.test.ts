import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { creditBatchRoutes } from '../../rest/routes/credit-assignment.js';
import { type Caller, callerOf } from '../accounts/http.js';
import { codeOf, openInterfaces, schemaErrors } from './interfaces-kit.js';
import { contracts as drawn } from './kit.js';
import {
  type SignedInit,
  type SignedResponse,
  sendRaw,
  sendSigned,
  signedHeaders,
  unsentSecond,
} from './signing-kit.js';
import { settlementRoutes } from '../../rest/routes/settlements.js';
import { until } from '../kit/until.js';
import { markAssigned, processDue } from './settlement-kit.js';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { assignmentFiles, settlementFiles } from '../../rest/routes/batch-texts.js';
import { newId } from '../../shared/kernel/ids.js';
import type { Detail } from '../../subgraphs/credit-assignment/cnab444/layout.js';
import { formatCnab444, parseCnab444 } from './cnab444/files.js';
import { assigned, fileOf } from './cnab444/kit.js';

let caller: Caller;
let session: { readonly authorization: string };
let apiKey: { readonly 'x-api-key': string };

const base = '/tidc/v1/credit-batches';

const kit = await openInterfaces({}, async (opened) => {
  caller = callerOf(opened);
  session = await caller.member('ana@banco.example');
  const { body: me } = await caller.send('GET', '/v1/emissoes/auth/me', undefined, session);
  const { body: key } = await caller.post('/v1/emissoes/keys', { name: 'agente' }, session);
  apiKey = { 'x-api-key': (key as { key: string }).key };
  return (me as { id: string }).id;
});
const { platform, patrimonyId, bank, other, sent } = kit;
afterAll(() => platform.close());

/** Contracts as JSON has them: their values are numbers. */
const contracts = (count: number, prefix?: string) =>
  drawn(count, prefix).map((one) => ({ ...one, faceValue: Number(one.faceValue) }));
const create = async (given: readonly object[] = contracts(2), signer = bank) =>
  (await sent('POST', base, { patrimonyId, contracts: given }, signer)).body as { readonly id: string };

describe('REST', () => {
  test('the same signed DELETE removes a contract once: it does not remove one that was added again with the same id', async () => {
    const { id } = await create([...contracts(2), ...contracts(1, 'X')]);
    const path = `${base}/${id}/contracts`;
    const target = `${path}/X-0`;
    const headers = signedHeaders(bank, target, { method: 'DELETE' });
    const remove = (more: Readonly<Record<string, string>> = {}) =>
      sendRaw(platform.url, target, { method: 'DELETE', headers: { ...headers, ...more } });
    const first = await remove();
    expect([first.status, first.body['receivableCount'], first.headers['x-idempotent-replayed']]).toEqual([
      200,
      2,
      undefined,
    ]);
    expect((await sent('POST', path, { contracts: contracts(1, 'X') })).body).toMatchObject({ receivableCount: 3 });
    // A key means nothing on DELETE, whether it is one or not.
    for (const more of [{}, { 'x-idempotency-key': randomUUID() }, { 'x-idempotency-key': 'no key' }]) {
      const again = await remove(more);
      expect([again.status, again.body, again.headers['x-idempotent-replayed']]).toEqual([200, first.body, 'true']);
    }
    expect((await sent('GET', `${base}/${id}`)).body).toMatchObject({
      receivableCount: 3,
      contracts: [{ externalId: 'C-0' }, { externalId: 'C-1' }, { externalId: 'X-0' }],
    });
    expect((await sent('DELETE', target)).body).toMatchObject({ receivableCount: 2 });
  });

  test('15,000 contracts in one request, and the whole of them in one answer; JSON beyond 2 MiB is 413', async () => {
    const body = JSON.stringify({ patrimonyId, contracts: contracts(15_000) });
    const created = await sent('POST', base, body);
    expect([created.status, created.body['receivableCount'], created.body['totalFaceValue']]).toEqual([
      201,
      15_000,
      '1507500.00',
    ]);
    const long = await sent('POST', base, body + ' '.repeat(2 * 1_048_576 + 1 - body.length));
    expect(long).toMatchObject({ status: 413, body: { message: expect.stringContaining('2097152 bytes') } });
    const id = String(created.body['id']);
    const [row] = await platform.infrastructure.dataSource.query<{ count: number; sum: string }[]>(
      `SELECT count(*)::integer, sum(face_value) FROM credit_assignment.receivables WHERE batch_id = $1`,
      [id],
    );
    expect(row).toEqual({ count: 15_000, sum: '1507500.00' });
    const detail = await sent('GET', `${base}/${id}`);
    const found = detail.body['contracts'] as { externalId: string }[];
    expect([found.length, found[14_999]?.externalId]).toEqual([15_000, 'C-14999']);
  });

  test('a batch is read without its contracts, and a contract is removed by a name that is no plain word', async () => {
    const { id } = await create([...contracts(1), { ...contracts(1)[0], externalId: 'Nº 1/ção' }]);
    const without = await sent('GET', `${base}/${id}?contracts=false`);
    expect(without.body).toMatchObject({ id, receivableCount: 2 });
    expect(without.body).not.toHaveProperty('contracts');
    expect((await sent('GET', `${base}/${id}?contracts=0`)).status).toBe(400);
    const name = encodeURIComponent('Nº 1/ção');
    const removed = await sent('DELETE', `${base}/${id}/contracts/${name}`);
    expect([removed.status, removed.body['receivableCount']]).toEqual([200, 1]);
    expect((await sent('DELETE', `${base}/${id}/contracts/${name}`)).status).toBe(404);
    const found = await sent('GET', `/tidc/v1/receivables?externalId=C-0&limit=1`);
    expect(found.body).toMatchObject({ items: [{ batchId: id, externalId: 'C-0' }] });
  });

  test('every example of the text is answered as it says, with no field more and none less', async () => {
    const { id } = await create();
    // Of another batch: one of the examples replaces the contracts.
    const { body } = await sent('GET', `${base}/${(await create()).id}/receivables`);
    const receivable = (body['items'] as { id: string }[])[0]?.id ?? '';
    for (const route of creditBatchRoutes) {
      const { method, path, operation, example, status } = route;
      const target = path
        .replace(':id', operation === 'receivableDetail' ? receivable : id)
        .replace(/:(\w+)/g, (_whole, name: string) => example.path?.[name] ?? '');
      const query = example.query === undefined ? '' : `?${new URLSearchParams(example.query).toString()}`;
      const sending = operation === 'createCreditBatch' ? { ...example.body, patrimonyId } : example.body;
      const place = await placeOf(operation, id);
      const wanted = target.replace(id, place);
      const answer = await sent(method === 'PATCH' ? 'POST' : method, `${wanted}${query}`, sending);
      expect([operation, answer.status]).toEqual([operation, status]);
      if (route.file === undefined) expect([operation, schemaErrors(route, answer.body)]).toEqual([operation, []]);
      else expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+"$/);
    }
  });

  /** The batch of which the example of an operation speaks: most are of a draft. */
  async function placeOf(operation: string, draft: string): Promise<string> {
    const statuses = { remakeCreditBatch: 'REJECTED', creditBatchReturn: 'REJECTED', creditBatchTerm: 'PROCESSED' };
    const status = statuses[operation as keyof typeof statuses] as string | undefined;
    if (status === undefined && operation !== 'cancelCreditBatch') return draft;
    const { id } = await create();
    if (status !== undefined)
      await platform.infrastructure.dataSource.query(
        `UPDATE credit_assignment.credit_batches SET status = $2, rejection_reason = CASE $2 WHEN 'REJECTED' THEN 'no' END, submitted_at = now(),
           processed_at = now() WHERE id = $1`,
        [id, status],
      );
    return id;
  }
});

test('in GraphQL a batch leads to its estate, the estate to the batch; a stranger sees the estate alone', async () => {
  const { id } = await create();
  const forward = await caller.graphql(
    'query ($id: ID!) { creditBatch(id: $id) { status patrimony { ticker name } receivables(first: 1) { totalCount nodes { asset { id } } } } }',
    { id },
    session,
  );
  expect(forward.body).toEqual({
    data: {
      creditBatch: {
        status: 'DRAFT',
        patrimony: { ticker: 'DOORS', name: 'Patrimônio DOORS' },
        receivables: { totalCount: 2, nodes: [{ asset: null }] },
      },
    },
  });
  const back = '{ patrimony(ticker: "DOORS") { ticker creditBatches(first: 1) { id } } }';
  expect((await caller.graphql(back, {}, session)).body).toEqual({
    data: { patrimony: { ticker: 'DOORS', creditBatches: [{ id }] } },
  });
  expect((await caller.graphql(back)).body).toEqual({ data: { patrimony: { ticker: 'DOORS', creditBatches: [] } } });
});

const call = async (name: string, given: Record<string, unknown>, key: Record<string, string> = apiKey) => {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
  const accept = { accept: 'application/json, text/event-stream' };
  const { body } = await caller.post('/v1/emissoes/mcp?structured=true', request, { ...key, ...accept });
  return (body as { result: { isError?: boolean; structuredContent: Record<string, unknown> } }).result;
};

test("the tools of MCP show the batches of the key's own originator, with documents masked", async () => {
  const { id } = await create();
  await create(contracts(1), other);
  const list = await call('listar_lotes_credito', { limite: 1 });
  expect(list.structuredContent).toMatchObject({ data: [{ id, receivableCount: 2 }] });
  const batch = await call('obter_lote_credito', { loteId: id });
  expect(batch.structuredContent).toMatchObject({ id, status: 'DRAFT' });
  expect(batch.structuredContent).not.toHaveProperty('errors');
  const receivables = await call('listar_recebiveis', { loteId: id, limite: 1 });
  expect(receivables.structuredContent).toMatchObject({ count: 2, items: [{ debtorDocument: '***.***.*00-19' }] });
});

describe('REST for settlement batches', () => {
  const base = '/tidc/v1/settlement-batches';

  /** A credit batch that was processed, and the ids of its receivables. */
  async function assigned(count: number, signer = bank) {
    const given = drawn(count).map((one) => ({ ...one, faceValue: Number(one.faceValue) }));
    const { body } = await sent('POST', '/tidc/v1/credit-batches', { patrimonyId, contracts: given }, signer);
    const id = String(body['id']);
    return { id, ids: await markAssigned(platform.infrastructure.dataSource, id) };
  }

  async function decided(id: string): Promise<Record<string, unknown>> {
    let poll = 0;
    await until('the batch to be decided', async () => {
      await platform.infrastructure.dataSource.query(
        'UPDATE credit_assignment.settlement_batches SET process_after = submitted_at WHERE id = $1',
        [id],
      );
      await processDue(platform.infrastructure.context);
      const standing = await sent('POST', `${base}/${id}/submit?poll=${(poll += 1)}`);
      return !/SUBMITTED|PROCESSING/.test(String(standing.body['message']));
    });
    return (await sent('GET', `${base}/${id}`)).body;
  }

  const paid = (contractId: string | undefined, settledAmount: unknown, settledDate = '2026-01-05') => ({
    contractId,
    settledAmount,
    settledDate,
  });

  test('the life of a batch: a draft, its submission, the assets that follow', async () => {
    const { id: creditBatchId, ids } = await assigned(2);
    const draft = await sent('POST', base, {
      creditBatchId,
      settlements: [paid(ids[0], 100.5), paid(ids[1], 0.1)],
      draft: true,
    });
    expect([draft.status, draft.body]).toEqual([
      201,
      {
        id: expect.any(String),
        number: expect.any(Number),
        sender: 'CLIENT',
        senderKey: expect.stringMatching(/^[0-9a-f]{64}$/),
        creditBatchId,
        patrimonyId,
        status: 'DRAFT',
        settlementCount: 2,
        totalSettledAmount: '100.60',
        totalSurplus: '0.00',
        totalAbated: '0.00',
        rejectionReason: null,
        createdAt: expect.any(String),
        submittedAt: null,
        processedAt: null,
      },
    ]);
    const id = String(draft.body['id']);
    const list = await sent('GET', `${base}?status=DRAFT&creditBatchId=${creditBatchId}&page=1&limit=1`);
    expect(list.body).toMatchObject({ page: 1, limit: 1, total: 1, totalPages: 1, data: [{ id, status: 'DRAFT' }] });
    expect((await sent('POST', `${base}/${id}/submit`)).body).toMatchObject({ status: 'SUBMITTED' });
    expect(await decided(id)).toMatchObject({
      status: 'PROCESSED',
      errors: [],
      settlements: [
        { contractId: ids[0], externalId: 'C-0', settledAmount: '100.50', settledDate: '2026-01-05' },
        { contractId: ids[1], externalId: 'C-1', settledAmount: '0.10' },
      ],
    });
    expect((await sent('GET', `/tidc/v1/receivables/${ids[0] ?? ''}`)).body).toMatchObject({
      status: 'SETTLED',
      openBalance: '0.00',
    });
    const { body: asset } = await caller.send('GET', `/public/assets/${ids[1] ?? ''}`);
    expect(asset).toMatchObject({
      status: 'ACTIVE',
      currentBalance: '100.40',
      paymentHistory: [{ amount: '100.50', paidAmount: '0.10', status: 'PENDING', paidOn: null }],
    });
    for (const act of ['submit', 'cancel']) {
      expect(codeOf(await sent('POST', `${base}/${id}/${act}`))).toEqual([409, 2002]);
    }
    const settled = await sent('POST', base, { creditBatchId, settlements: [paid(ids[0], 1)] });
    expect(codeOf(settled)).toEqual([422, 3002]);
  });

  test('every example of the text is answered as it says', async () => {
    const { id: creditBatchId, ids } = await assigned(1);
    const example = { creditBatchId, settlements: [paid(ids[0], 1)], draft: true };
    for (const route of settlementRoutes) {
      const { method, path, operation, status, example: text } = route;
      const { body } = await sent('POST', base, example);
      const query = new URLSearchParams(text.query).toString();
      const target = path.replace(':id', String(body['id'])) + (query === '' ? '' : `?${query}`);
      const [given] = (text.body?.['settlements'] ?? []) as object[];
      const own = text.body && {
        ...text.body,
        creditBatchId,
        settlements: [{ ...given, contractId: ids[0], settledAmount: 1.25 }],
      };
      const answer = await sent(method === 'GET' ? 'GET' : 'POST', target, own);
      expect([operation, answer.status]).toEqual([operation, status]);
      expect([operation, schemaErrors(route, answer.body)]).toEqual([operation, []]);
    }
  });
});

describe('files', () => {
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

    const two = formatCnab444(fileOf(assigned('A-1'), assigned('A-2')));

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
        '{"externalId":"N-6","debtorDocument":"52998224725","faceValue":1500.500000000000000001,"dueDate":"2031-01-31"}',
      );
      expect(refusalOf(await send(target, wrong, { 'content-type': 'application/x-ndjson' }))).toEqual([
        '400',
        'line 2 is not a JSON object',
        'line 3 has the same name twice',
        'line 4, column faceValue must be a text, or a number with at most 15 digits',
        'line 5, column dueDate must be a text, or a number with at most 15 digits',
        'line 5, column coupon is no field of this file',
        'line 6, column faceValue must be a text, or a number with at most 15 digits',
      ]);
      const long = ndjson({ ...contract, faceValue: 0.1 + 0.2 });
      expect(refusalOf(await send(target, long, { 'content-type': 'application/x-ndjson' }))[0]).toBe('400');
      expect(refusalOf(await send(target, '', { 'content-type': 'application/x-ndjson' }))[0]).toMatch(/^40/);
      expect(await totals()).toBe(before);
      // Digits of a text are not counted.
      const named = ndjson({ ...contract, externalId: 'N "1234567890123456789' });
      expect((await send(target, named, { 'content-type': 'application/x-ndjson' })).status).toBe(201);
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
        body: {
          status: 'DRAFT',
          creditBatchId,
          settlementCount: 3,
          totalSettledAmount: '1010.00',
          totalAbated: '5.50',
        },
      });
      const { body } = await sent('GET', `/tidc/v1/settlement-batches/${String(made.body['id'])}`);
      expect(body['settlements']).toMatchObject([
        { externalId: 'A-2', settledAmount: '1000.00', settledDate: '2026-07-30' },
        { externalId: 'A-1', settledAmount: '10.00', settledDate: '2026-07-30' },
        { externalId: 'A-1', settledAmount: '5.50', settledDate: '2026-08-03' },
      ]);
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
});
