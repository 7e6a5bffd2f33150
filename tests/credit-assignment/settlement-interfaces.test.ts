import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { settlementRoutes } from '../../rest/routes/settlements.js';
import { callerOf } from '../accounts/http.js';
import { until } from '../kit/until.js';
import { codeOf, openInterfaces, pathsOf, schemaErrors } from './interfaces-kit.js';
import { contracts } from './kit.js';
import { markAssigned, processDue } from './settlement-kit.js';

const base = '/tidc/v1/settlement-batches';

const { platform, patrimonyId, bank, other, sent } = await openInterfaces({ PROCESSING_GRACE: '0' });
afterAll(() => platform.close());

/** A credit batch that was processed, and the ids of its receivables. */
async function assigned(count: number, signer = bank) {
  const given = contracts(count).map((one) => ({ ...one, faceValue: Number(one.faceValue) }));
  const { body } = await sent('POST', '/tidc/v1/credit-batches', { patrimonyId, contracts: given }, signer);
  const id = String(body['id']);
  return { id, ids: await markAssigned(platform.infrastructure.dataSource, id) };
}

/** The batch once it stands where processing leaves it. */
async function decided(id: string): Promise<Record<string, unknown>> {
  let poll = 0;
  await until('the batch to be decided', async () => {
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

describe('REST', () => {
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
    const { body: asset } = await callerOf(platform).send('GET', `/public/assets/${ids[1] ?? ''}`);
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

  test('all errors of form at once', async () => {
    const { ids } = await assigned(1);
    const form = await sent('POST', base, {
      creditBatchId: 'x',
      settlements: [paid('y', '1.00', '2026-02-30'), paid(ids[0], 1.001), {}],
      draft: 'no',
    });
    expect(form.status).toBe(400);
    expect(pathsOf(form).sort()).toEqual([
      'creditBatchId',
      'draft',
      'settlements[0].contractId',
      'settlements[0].settledAmount',
      'settlements[0].settledDate',
      'settlements[1].settledAmount',
      'settlements[2].contractId',
      'settlements[2].settledAmount',
      'settlements[2].settledDate',
    ]);
  });

  test("another client's batch answers like one that is not there", async () => {
    const { id: creditBatchId, ids } = await assigned(1);
    const { body } = await sent('POST', base, { creditBatchId, settlements: [paid(ids[0], 1)], draft: true });
    for (const wanted of [String(body['id']), randomUUID(), 'x']) {
      const answers = [
        await sent('GET', `${base}/${wanted}`, undefined, other),
        await sent('POST', `${base}/${wanted}/submit`, undefined, other),
        await sent('POST', `${base}/${wanted}/cancel`, undefined, other),
      ];
      expect(answers.map(codeOf)).toEqual(answers.map(() => [404, 3001]));
      expect(new Set(answers.map(({ body: { message } }) => message)).size).toBe(1);
    }
    const foreign = await sent('POST', base, { creditBatchId, settlements: [paid(ids[0], 1)] }, other);
    expect(codeOf(foreign)).toEqual([404, 2001]);
    expect((await sent('GET', base, undefined, other)).body).toMatchObject({ data: [], total: 0 });
  });

  test('with an idempotency key a batch is made once', async () => {
    const { id: creditBatchId, ids } = await assigned(1);
    const headers = { 'x-idempotency-key': randomUUID() };
    const once = { creditBatchId, settlements: [paid(ids[0], 1)], draft: true };
    const answers = [
      await sent('POST', base, once, bank, { headers }),
      await sent('POST', base, once, bank, { headers }),
    ];
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(answers.map((answer) => answer.headers['x-idempotent-replayed'])).toEqual([undefined, 'true']);
    const { body } = await sent('GET', `${base}?creditBatchId=${creditBatchId}`);
    expect(body).toMatchObject({ total: 1 });
  });

  test('15,000 payments in one request move 15,000 assets', async () => {
    const { id: creditBatchId, ids } = await assigned(15_000);
    const settlements = ids.map((one, index) => paid(one, index % 2 === 0 ? 100.5 : 60.25));
    const made = await sent('POST', base, { creditBatchId, settlements });
    expect([made.status, made.body['settlementCount']]).toEqual([201, 15_000]);
    const detail = await decided(String(made.body['id']));
    expect([detail['status'], (detail['settlements'] as unknown[]).length]).toEqual(['PROCESSED', 15_000]);
    const assets = await platform.infrastructure.dataSource.query<object[]>(
      `SELECT status, count(*)::int, sum(current_balance) AS balance FROM tokenization.assets
       WHERE batch_id = $1 GROUP BY status ORDER BY status`,
      [creditBatchId],
    );
    expect(assets).toEqual([
      { status: 'ACTIVE', count: 7_500, balance: '301875.00' },
      { status: 'SETTLED', count: 7_500, balance: '0.00' },
    ]);
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
