import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { creditBatchRoutes } from '../../../rest/routes/credit-assignment.js';
import { callerOf, type Caller } from '../../accounts/http.js';
import { codeOf, openInterfaces, pathsOf, schemaErrors } from '../interfaces-kit.js';
import { contracts as drawn } from '../kit.js';
import { sendRaw, signedHeaders } from '../signing-kit.js';

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
  test('the life of a batch, as documented', async () => {
    const created = await sent('POST', base, { patrimonyId, contracts: contracts(2) });
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(String),
        number: expect.any(Number),
        sender: 'CLIENT',
        senderKey: expect.stringMatching(/^[0-9a-f]{64}$/),
        patrimonyId,
        name: expect.stringMatching(/^Cessão Banco Exemplo \d\d\/\d\d\/\d{4}$/),
        status: 'DRAFT',
        receivableCount: 2,
        totalFaceValue: '201.00',
        ...{ totalPurchasePrice: null, mode: 'ALL_OR_NOTHING', acceptedCount: null, acceptedFaceValue: null },
        ...{ acceptedPurchasePrice: null, refusedCount: null, refusedFaceValue: null },
        createdAt: expect.any(String),
        submittedAt: null,
        processedAt: null,
      },
    ]);
    const path = `${base}/${String(created.body['id'])}`;
    const added = await sent('POST', `${path}/contracts`, { contracts: contracts(1, 'D') });
    expect([added.status, added.body['receivableCount']]).toEqual([200, 3]);
    const detail = await sent('GET', path);
    expect(detail.body).toMatchObject({ contracts: [{ externalId: 'C-0', faceValue: '100.50' }, {}, {}], errors: [] });
    const list = await sent('GET', `${base}?status=DRAFT&page=1&limit=1`);
    expect(list.body).toMatchObject({ page: 1, limit: 1, data: [{ id: created.body['id'], receivableCount: 3 }] });
    const receivables = await sent('GET', `${path}/receivables?limit=2`);
    const { items, nextToken } = receivables.body as { items: { id: string }[]; nextToken: string };
    expect([receivables.body['count'], items.length]).toEqual([3, 2]);
    const last = await sent('GET', `${path}/receivables?limit=2&nextToken=${nextToken}`);
    expect(last.body).toEqual({ count: 3, items: [expect.objectContaining({ externalId: 'D-0' })] });
    const one = await sent('GET', `/tidc/v1/receivables/${items[0]?.id ?? ''}`);
    expect(one.body).toMatchObject({ externalId: 'C-0', batchId: created.body['id'], openBalance: null });
    expect((await sent('POST', `${path}/submit`)).body).toMatchObject({ status: 'SUBMITTED' });
    expect((await sent('POST', `${path}/cancel`)).body).toMatchObject({ status: 'CANCELLED' });
    expect(codeOf(await sent('POST', `${path}/cancel`))).toEqual([409, 2002]);
    expect(codeOf(await sent('POST', `${path}/submit`))).toEqual([409, 2002]);
    expect(codeOf(await sent('POST', `${path}/contracts`, { contracts: contracts(1, 'E') }))).toEqual([409, 2002]);
  });

  test('all errors of form at once', async () => {
    const [good] = contracts(1);
    const form = await sent('POST', base, {
      patrimonyId: 'x',
      contracts: [good, { ...good, faceValue: '1.00' }, { ...good, debtorDocument: '1', dueDate: '2027-02-30' }, {}],
    });
    expect(form.status).toBe(400);
    expect(pathsOf(form)).toEqual(
      expect.arrayContaining([
        'patrimonyId',
        'contracts[1].faceValue',
        'contracts[2].debtorDocument',
        'contracts[2].dueDate',
        'contracts[3].externalId',
        'contracts[3].debtorDocument',
        'contracts[3].faceValue',
        'contracts[3].dueDate',
      ]),
    );
  });

  test("another client's batch answers like one that is not there", async () => {
    const { id } = await create();
    for (const wanted of [id, randomUUID(), 'x']) {
      const answers = [
        await sent('GET', `${base}/${wanted}`, undefined, other),
        await sent('GET', `${base}/${wanted}/receivables`, undefined, other),
        await sent('POST', `${base}/${wanted}/submit`, undefined, other),
        await sent('POST', `${base}/${wanted}/cancel`, undefined, other),
        await sent('POST', `${base}/${wanted}/contracts`, { contracts: contracts(1, 'F') }, other),
      ];
      expect(answers.map(codeOf)).toEqual(answers.map(() => [404, 2001]));
      expect(new Set(answers.map(({ body }) => body['message']))).toEqual(new Set(['The credit batch does not exist']));
    }
    // Of another batch: one of the examples replaces the contracts.
    const { body } = await sent('GET', `${base}/${(await create()).id}/receivables`);
    const receivable = (body['items'] as { id: string }[])[0]?.id ?? '';
    for (const wanted of [receivable, randomUUID()]) {
      const answer = await sent('GET', `/tidc/v1/receivables/${wanted}`, undefined, other);
      expect([answer.status, answer.body['code']]).toEqual([404, undefined]);
    }
    expect((await sent('GET', base, undefined, other)).body).toMatchObject({ total: 0, data: [] });
  });

  test('with an idempotency key a batch is created once, and a cancel answers again what it answered', async () => {
    const headers = { 'x-idempotency-key': randomUUID() };
    const body = { patrimonyId, contracts: contracts(1) };
    const [first, again] = [
      await sent('POST', base, body, bank, { headers }),
      await sent('POST', base, body, bank, { headers }),
    ];
    expect(again.body).toEqual(first.body);
    expect(again.headers['x-idempotent-replayed']).toBe('true');
    const target = `${base}/${String(first.body['id'])}/cancel`;
    const cancel = { 'x-idempotency-key': randomUUID() };
    const cancelled = await sent('POST', target, undefined, bank, { headers: cancel });
    const replayed = await sent('POST', target, undefined, bank, { headers: cancel });
    expect([replayed.status, replayed.body]).toEqual([200, cancelled.body]);
  });

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

  test('the same signed DELETE that was refused is refused again, though there would now be something to remove', async () => {
    const { id } = await create();
    const target = `${base}/${id}/contracts/Y-0`;
    const headers = signedHeaders(bank, target, { method: 'DELETE' });
    const remove = () => sendRaw(platform.url, target, { method: 'DELETE', headers });
    const refused = await remove();
    expect(refused.status).toBe(404);
    await sent('POST', `${base}/${id}/contracts`, { contracts: contracts(1, 'Y') });
    expect(await remove()).toMatchObject({ status: 404, headers: { 'x-idempotent-replayed': 'true' } });
    expect((await sent('GET', `${base}/${id}`)).body).toMatchObject({ receivableCount: 3 });
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

describe('GraphQL', () => {
  test('a batch leads to its estate, the estate to the batch; a stranger sees the estate alone', async () => {
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

  test('a whole detail of many contracts costs more than one document may', async () => {
    const { id } = await create();
    const all = await caller.graphql(
      'query ($id: ID!) { creditBatch(id: $id) { receivables(first: 50000) { nodes { id } } } }',
      { id },
      session,
    );
    expect(all.status).toBe(400);
    const some = await caller.graphql(
      'query ($id: ID!) { creditBatch(id: $id) { receivables(first: 1) { nodes { externalId } } } }',
      { id },
      session,
    );
    expect(some.body).toEqual({ data: { creditBatch: { receivables: { nodes: [{ externalId: 'C-0' }] } } } });
  });
});

describe('MCP', () => {
  const call = async (name: string, given: Record<string, unknown>, key: Record<string, string> = apiKey) => {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    const accept = { accept: 'application/json, text/event-stream' };
    const { body } = await caller.post('/v1/emissoes/mcp?structured=true', request, { ...key, ...accept });
    return (body as { result: { isError?: boolean; structuredContent: Record<string, unknown> } }).result;
  };

  test("the tools show the batches of the key's own originator, with documents masked", async () => {
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

  test('for a key without an originator there is nothing', async () => {
    const { id } = await create();
    const someone = await caller.member('eva@alheia.example');
    const { body } = await caller.post('/v1/emissoes/keys', { name: 'agente' }, someone);
    const key = { 'x-api-key': (body as { key: string }).key };
    expect((await call('listar_lotes_credito', {}, key)).structuredContent).toMatchObject({ total: 0, data: [] });
    expect(await call('obter_lote_credito', { loteId: id }, key)).toMatchObject({ isError: true });
    expect(await call('listar_recebiveis', { loteId: id }, key)).toMatchObject({ isError: true });
  });
});
