import { afterAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../shared/kernel/context.js';
import { newId } from '../../shared/kernel/ids.js';
import { createRelay } from '../../shared/events/outbox/relay.js';
import { concludeBatches } from '../../subgraphs/credit-assignment/processing/process-batch.js';
import { settlementBatches } from '../../subgraphs/credit-assignment/settlement-batches/settlement-batch.kind.js';
import { applySettlements } from '../../subgraphs/tokenization/assignments/apply-settlements.js';
import { recordAssetPayment, writeOffAsset } from '../../subgraphs/tokenization/assets/assets.acts.js';
import { flat } from '../kit/flat.js';
import { untilBlocked } from '../kit/database.js';
import { apiKey, contract, contracts, person } from './kit.js';
import type { Outcome } from '../kit/run-on.js';
import { openSettlements, payment, processDue, settlementFields } from './settlement-kit.js';

const kit = await openSettlements();
afterAll(() => kit.close());
const bank = await kit.client('account of the bank');
const other = await kit.client();

const item = ({ data }: Outcome) => Object.values(data ?? {})[0] as Record<string, unknown>;
const act = (name: string, id: string, principal = bank) =>
  kit.run(`mutation ($id: ID!) { ${name}SettlementBatch(id: $id) { ${settlementFields} } }`, { id }, principal);
const detail = async (id: string, principal = bank) =>
  flat(
    item(
      await kit.run(
        `query ($id: ID!) { settlementBatch(id: $id) { ${settlementFields}
           errors { index externalId path message } settlements { nodes { contractId externalId settledAmount settledDate } } } }`,
        { id },
        principal,
      ),
    ),
  ) as Record<string, unknown>;
const paths = ({ error }: Outcome) => error?.details?.map(({ path }) => path);

describe('a settlement batch is made', () => {
  test('of 50,000 payments at most', async () => {
    const { id, ids } = await kit.assigned(bank);
    const payments = Array.from({ length: 50_001 }, () => payment(ids[0] ?? '', '0.01'));
    expect((await kit.settle(bank, id, payments)).error).toMatchObject({
      statusCode: 400,
      details: [{ path: 'settlements', message: 'must have from 1 to 50000 items' }],
    });
  });

  test('SUBMITTED at once, with its payments in their order', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = '', b = ''] = ids;
    const payments = [payment(b, '0.50'), payment(a, '100'), payment(b, '100', '2026-11-20')];
    const made = item(await kit.settle(bank, id, payments));
    expect(made).toMatchObject({
      creditBatchId: id,
      patrimonyId: kit.patrimonyId,
      status: 'SUBMITTED',
      settlementCount: 3,
      totalSettledAmount: '200.50',
      rejectionReason: null,
      submittedAt: made['createdAt'],
      processedAt: null,
    });
    expect(await detail(String(made['id']))).toEqual({
      ...made,
      errors: [],
      settlements: [
        { ...payment(b, '0.50'), externalId: 'B' },
        { ...payment(a, '100.00'), externalId: 'A' },
        { ...payment(b, '100.00', '2026-11-20'), externalId: 'B' },
      ],
    });
  });

  test('with all errors of form at once, by their paths', async () => {
    const outcome = await kit.settle(bank, 'x', [payment('y', '1.001'), payment(newId(), '1000000000000.00')]);
    expect(outcome.error).toMatchObject({ statusCode: 400 });
    expect(paths(outcome)).toEqual([
      'creditBatchId',
      'settlements[0].contractId',
      'settlements[0].settledAmount',
      'settlements[1].settledAmount',
    ]);
    expect((await kit.settle(bank, newId(), [])).error).toMatchObject({ statusCode: 400 });
    const { id, ids } = await kit.assigned(bank);
    const yearNought = await kit.settle(bank, id, [payment(ids[0] ?? '', '1', '0000-01-01')]);
    expect(yearNought.error).toMatchObject({ statusCode: 400 });
  });

  test('of a credit batch of its own that is PROCESSED, or not at all', async () => {
    const { id, ids } = await kit.assigned(other);
    const [theirs = ''] = ids;
    const draft = await kit.create(bank);
    for (const unseen of [id, newId()]) {
      const { error } = await kit.settle(bank, unseen, [payment(theirs, '1')]);
      expect(error).toMatchObject({ statusCode: 404, catalogue: 2001 });
    }
    const { error } = await kit.settle(bank, draft.id, [payment(theirs, '1')]);
    expect(error).toMatchObject({ statusCode: 409, catalogue: 2002 });
  });

  test('of payments that somebody can have made', async () => {
    const { id, ids } = await kit.assigned(bank);
    const { ids: foreign } = await kit.assigned(other);
    const [a = ''] = ids;
    const meaningless = await kit.settle(bank, id, [payment(a, '0'), payment(a, '-1'), payment(a, '1', '2026-11-21')]);
    expect(meaningless.error).toMatchObject({ statusCode: 422 });
    expect(paths(meaningless)).toEqual([
      'settlements[0].settledAmount',
      'settlements[1].settledAmount',
      'settlements[2].settledDate',
    ]);
    const unknown = await kit.settle(bank, id, [payment(foreign[0] ?? '', '1'), payment(newId(), '1')]);
    expect(unknown.error).toMatchObject({ statusCode: 422 });
    expect(unknown.error?.details?.[0]?.message).toBe(unknown.error?.details?.[1]?.message);
    expect(paths(unknown)).toEqual(['settlements[0].contractId', 'settlements[1].contractId']);
    const tooMuch = await kit.settle(bank, id, [payment(a, '100.50'), payment(a, '0.01')]);
    expect(tooMuch.error).toMatchObject({ statusCode: 422 });
    expect(tooMuch.error?.['catalogue']).toBeUndefined();
    expect(paths(tooMuch)).toEqual(['settlements[1].settledAmount']);
  });

  test('and not of what is settled already: code 3002', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = '', b = ''] = ids;
    await kit.settled(bank, id, [payment(a, '100.50')]);
    await kit.process();
    const outcome = await kit.settle(bank, id, [payment(b, '1'), payment(a, '0.01')]);
    expect(outcome.error).toMatchObject({ statusCode: 422, catalogue: 3002 });
    expect(paths(outcome)).toEqual(['settlements[1].contractId']);
    const many = await kit.settle(
      bank,
      id,
      Array.from({ length: 150 }, () => payment(a, '0.01')),
    );
    expect(many.error?.details).toHaveLength(100);
    expect(many.error?.message).toContain('150');
  });

  test('by clients alone', async () => {
    const { id, ids } = await kit.assigned(bank);
    for (const caller of [person('account of the bank'), apiKey('account of the bank')]) {
      expect((await kit.settle(caller, id, [payment(ids[0] ?? '', '1')])).error).toMatchObject({ statusCode: 403 });
    }
  });
});

describe('a draft', () => {
  test('is cancelled once, and so is what was submitted; what is cancelled moves nothing', async () => {
    const { id, ids } = await kit.assigned(bank);
    for (const draft of [true, false]) {
      const made = await kit.settled(bank, id, [payment(ids[0] ?? '', '100.50')], draft);
      expect(item(await act('cancel', made))).toMatchObject({ status: 'CANCELLED' });
      expect((await act('cancel', made)).error).toMatchObject({ statusCode: 409, catalogue: 2002 });
      await kit.process();
      expect(await kit.told(made)).toEqual([]);
    }
    expect(await kit.standings(ids.slice(0, 1))).toMatchObject([{ openBalance: '100.50', received: '0.00' }]);
  });

  test('that is cancelled and submitted at once has one of both', async () => {
    const { id, ids } = await kit.assigned(bank);
    const draft = await kit.settled(bank, id, [payment(ids[0] ?? '', '1')], true);
    const outcomes = await Promise.all([act('submit', draft), act('cancel', draft), act('cancel', draft)]);
    const cancelled = outcomes.slice(1).filter(({ error }) => error === undefined);
    expect(cancelled).toHaveLength(1);
    expect(await detail(draft)).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('a settlement batch is processed', () => {
  test('once its grace is over: receivables, assets and their histories move, and each event is announced once', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = '', b = ''] = ids;
    const made = await kit.settled(bank, id, [
      payment(a, '60', '2026-11-18'),
      payment(b, '0.50'),
      payment(a, '40.50', '2026-11-20'),
    ]);
    kit.clock.advance(29_999);
    await processDue(kit.platform);
    expect(await detail(made)).toMatchObject({ status: 'SUBMITTED' });
    kit.clock.advance(1);
    await processDue(kit.platform);
    expect(await detail(made)).toMatchObject({ status: 'PROCESSING', processedAt: null });
    await kit.drain();
    expect(await detail(made)).toMatchObject({ status: 'PROCESSED', processedAt: kit.clock.now().toISOString() });
    expect(await kit.standings(ids)).toEqual([
      {
        openBalance: '0.00',
        status: 'SETTLED',
        currentBalance: '0.00',
        received: '100.50',
        assetStatus: 'SETTLED',
        paidAmount: '100.50',
        paidOn: '2026-11-20',
        nextDueDate: null,
      },
      {
        openBalance: '100.00',
        status: 'OPEN',
        currentBalance: '100.00',
        received: '0.50',
        assetStatus: 'ACTIVE',
        paidAmount: '0.50',
        paidOn: null,
        nextDueDate: '2027-01-31',
      },
    ]);
    expect(await kit.told(made)).toEqual(['settlement.processed', 'settlement_batch.processed']);
    const moved = await kit.database.dataSource.query<{ payload: unknown }[]>(
      `SELECT payload FROM shared.outbox WHERE topic = 'contract.status_changed' AND key = ANY ($1)`,
      [ids],
    );
    expect(moved).toEqual([
      {
        payload: {
          ownerId: 'account of the bank',
          data: expect.objectContaining({
            assetId: a,
            contractId: a,
            batchId: id,
            previousStatus: 'ACTIVE',
            status: 'SETTLED',
            currentBalance: '0.00',
          }),
        },
      },
    ]);
  });

  test('whole or not at all: of batches that race for one balance exactly one, by however many instances', async () => {
    const { id, ids } = await kit.assigned(bank, contracts(5));
    const batches = await Promise.all(
      Array.from({ length: 4 }, (_, index) => {
        const payments = ids.map((one) => payment(one, '60'));
        return kit.settled(bank, id, index % 2 === 0 ? payments : payments.reverse());
      }),
    );
    kit.clock.advance(30_000);
    await Promise.all([1, 2, 3, 4].map(() => processDue(kit.platform)));
    await Promise.all([kit.drain(), kit.drain()]);
    await kit.drain();
    const details = await Promise.all(batches.map((batch) => detail(batch)));
    expect(details.map(({ status }) => status).sort()).toEqual(['PROCESSED', 'REJECTED', 'REJECTED', 'REJECTED']);
    for (const { id: batch, status, rejectionReason, errors } of details) {
      if (status === 'PROCESSED') continue;
      expect(rejectionReason).toContain('5 of 5');
      expect(errors).toHaveLength(5);
      expect(errors).toContainEqual({
        index: 0,
        externalId: expect.any(String),
        path: 'settlements[0].settledAmount',
        message:
          'brings the payments of this batch to 60.00, but the open balance of the receivable is 40.50. Late interest and fines of a payment go into surplus',
      });
      expect(await kit.told(String(batch))).toEqual(['settlement.failed']);
    }
    for (const standing of await kit.standings(ids)) {
      expect(standing).toMatchObject({ openBalance: '40.50', currentBalance: '40.50', received: '60.00' });
    }
  });

  test('of several estates at once, without holding one while it waits for another', async () => {
    // Totals of estates are locked in the order of their ids, and this one is the first.
    const first = '00000000-0000-7000-8000-000000000001';
    const { manager } = kit.platform;
    await manager.query(
      `INSERT INTO tokenization.patrimonies (id, ticker, name, slug, status, created_at, updated_at)
       VALUES ($1, 'PAT-0', 'Patrimônio 0', 'pat-0', 'ACTIVE', now(), now())`,
      [first],
    );
    const batches = [await kit.assigned(bank), await kit.assigned(bank)] as const;
    await manager.query('UPDATE tokenization.assets SET patrimony_id = $1 WHERE batch_id = $2', [first, batches[1].id]);
    for (const { id, ids } of batches) {
      await kit.settled(bank, id, [payment(ids[0] ?? '', '1')]);
      kit.clock.advance(30_000);
      await processDue(kit.platform);
    }
    const totals = 'SELECT FROM tokenization.asset_totals WHERE patrimony_id = $1 FOR UPDATE';
    let drained: Promise<void> | undefined;
    try {
      await manager.inTransaction(async (other) => {
        await other.query(totals, [first]);
        drained = kit.drain();
        await untilBlocked(kit.platform.manager);
        await other.query(`${totals} NOWAIT`, [kit.patrimonyId]);
      });
    } finally {
      await drained;
    }
    expect(await kit.standings(batches.flatMap(({ ids }) => ids.slice(0, 1)))).toMatchObject([
      { received: '1.00' },
      { received: '1.00' },
    ]);
  });

  test('by what is open once everyone who was before it is done: receivables are locked before they are looked at', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = ''] = ids;
    const made = await kit.settled(bank, id, [payment(a, '60')]);
    kit.clock.advance(30_000);
    let processed: Promise<void> | undefined;
    try {
      await kit.platform.manager.inTransaction(async (other) => {
        await other.query('UPDATE credit_assignment.receivables SET open_balance = 59.99 WHERE id = $1', [a]);
        processed = processDue(kit.platform);
        await untilBlocked(kit.platform.manager);
      });
    } finally {
      await processed;
    }
    expect(await detail(made)).toMatchObject({
      status: 'REJECTED',
      errors: [
        {
          message:
            'brings the payments of this batch to 60.00, but the open balance of the receivable is 59.99. Late interest and fines of a payment go into surplus',
        },
      ],
    });
  });

  test('without holding one receivable while it waits for another that comes before it', async () => {
    const { id, ids } = await kit.assigned(bank, contracts(5));
    const { manager } = kit.platform;
    const inOrder = ids.toSorted();
    const [first = '', ...later] = inOrder;
    // Neither the order of the payments nor that of the rows on the disk is that of the ids.
    for (const receivable of inOrder.toReversed()) {
      await manager.query('UPDATE credit_assignment.receivables SET settled_at = settled_at WHERE id = $1', [
        receivable,
      ]);
    }
    const payments = inOrder.toReversed().map((receivable) => payment(receivable, '1'));
    const made = await kit.settled(bank, id, payments);
    kit.clock.advance(30_000);
    const locked = 'SELECT FROM credit_assignment.receivables WHERE id = ANY ($1) FOR NO KEY UPDATE';
    let processed: Promise<void> | undefined;
    try {
      await manager.inTransaction(async (other) => {
        await other.query(locked, [[first]]);
        processed = processDue(kit.platform);
        await untilBlocked(kit.platform.manager);
        await other.query(`${locked} NOWAIT`, [later]);
      });
    } finally {
      await processed;
    }
    await kit.drain();
    expect(await detail(made)).toMatchObject({ status: 'PROCESSED' });
  });

  test('in pieces, which count once however often they are announced', async () => {
    const { id, ids } = await kit.assigned(bank, contracts(2500, 'P'));
    const made = await kit.settled(
      bank,
      id,
      ids.map((one) => payment(one, '50.25')),
    );
    kit.clock.advance(30_000);
    await processDue(kit.platform);
    const twice = () =>
      createRelay(kit.platform, {
        consumers: [
          async (tx, events) => {
            await applySettlements(tx, events);
            await applySettlements(tx, events);
            await concludeBatches(settlementBatches)(tx, events);
            await concludeBatches(settlementBatches)(tx, events);
          },
        ],
        batchSize: 1,
      });
    await Promise.all([twice().drain(), twice().drain()]);
    await kit.drain();
    expect(await detail(made)).toMatchObject({ status: 'PROCESSED', totalSettledAmount: '125625.00' });
    const [totals] = await kit.platform.manager.query<{ open: string; received: string }[]>(
      `SELECT (SELECT sum(open_balance) FROM credit_assignment.receivables WHERE batch_id = $1) AS open,
         (SELECT sum(received) FROM tokenization.assets WHERE batch_id = $1) AS received`,
      [id],
    );
    expect(totals).toEqual({ open: '125625.00', received: '125625.00' });
    expect(await kit.told(made)).toEqual(['settlement.processed', 'settlement_batch.processed']);
  });

  test('a defaulted asset that is paid whole is settled; one that is written off stays so, with what came in', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = '', b = ''] = ids;
    await kit.platform.manager.query(`UPDATE tokenization.assets SET status = 'DEFAULTED' WHERE id = $1`, [a]);
    await writeOffAsset(kit.platform, b);
    await kit.settled(bank, id, [payment(a, '100.50'), payment(b, '100.50')]);
    await kit.process();
    expect(await kit.standings(ids)).toMatchObject([
      { assetStatus: 'SETTLED', currentBalance: '0.00', received: '100.50' },
      { assetStatus: 'WRITTEN_OFF', currentBalance: '0.00', received: '100.50', paidAmount: '100.50' },
    ]);
  });

  test('the operator records what is left of an instalment, and what comes after that is not received twice', async () => {
    const { id, ids } = await kit.assigned(bank);
    const [a = ''] = ids;
    await kit.settled(bank, id, [payment(a, '40')]);
    await kit.process();
    const paid = await recordAssetPayment(kit.platform, a, 1, '2026-11-20');
    expect(paid).toMatchObject({ status: 'SETTLED', currentBalance: '0.00', received: '100.50' });
    const late = await kit.settled(bank, id, [payment(a, '60.50')]);
    await kit.process();
    expect(await detail(late)).toMatchObject({ status: 'PROCESSED' });
    expect(await kit.standings([a])).toMatchObject([
      { openBalance: '0.00', assetStatus: 'SETTLED', received: '100.50', paidAmount: '100.50', paidOn: '2026-11-20' },
    ]);
  });
});

describe('settlement batches are read', () => {
  test('by the client and by the account that it is linked with, newest first, by page and filter', async () => {
    const mine = await kit.client('another account');
    const { id, ids } = await kit.assigned(mine, [contract('A')]);
    const { id: second, ids: others } = await kit.assigned(mine, [contract('C')]);
    const made = [
      await kit.settled(mine, id, [payment(ids[0] ?? '', '1')], true),
      await kit.settled(mine, id, [payment(ids[0] ?? '', '1')]),
      await kit.settled(mine, second, [payment(others[0] ?? '', '1')], true),
    ].reverse();
    const list = async (args: string, principal: Principal) => {
      const text = `{ settlementBatches${args} { data: nodes { id } page limit: pageSize total: totalCount totalPages } }`;
      const { data, ...page } = item(await kit.run(text, {}, principal)) as { data: { id: string }[] };
      return { ids: data.map((one) => made.indexOf(one.id)), ...page };
    };
    const all = { ids: [0, 1, 2], page: 1, limit: 20, total: 3, totalPages: 1 };
    expect(await list('', mine)).toEqual(all);
    expect(await list('', person('another account'))).toEqual(all);
    expect(await list('', person('nobody'))).toMatchObject({ ids: [], total: 0, totalPages: 0 });
    expect(await list('(page: 2, first: 2)', mine)).toMatchObject({ ids: [2], total: 3, totalPages: 2 });
    expect(await list('(filter: {status: DRAFT})', mine)).toMatchObject({ ids: [0, 2], total: 2 });
    expect(await list(`(filter: {creditBatchId: "${id}"})`, mine)).toMatchObject({ ids: [1, 2], total: 2 });
    for (const args of ['(first: 101)', '(first: 0)', '(page: 0)', '(filter: {creditBatchId: "x"})']) {
      const { error } = await kit.run(`{ settlementBatches${args} { totalCount } }`, {}, mine);
      expect(error).toMatchObject({ statusCode: 400 });
    }
  });

  test('in the graph with what they belong to, in a number of queries that does not grow', async () => {
    const mine = await kit.client('account of the graph');
    const { id, ids } = await kit.assigned(mine, contracts(3, 'G'));
    for (const one of ids) await kit.settled(mine, id, [payment(one, '1'), payment(one, '2')]);
    await kit.process();
    const text = (first: number) => `{
      settlementBatches(first: ${first}) { totalCount pageInfo { hasNextPage endCursor } nodes {
        status creditBatch { id settlementBatches(first: 2) { id } }
        settlements(first: 1) { totalCount pageInfo { hasNextPage } nodes { externalId settledAmount batch { id } } } } }
      creditBatches(first: 1) { nodes { receivables(first: ${first}) { nodes { settlements { settledAmount } } } } } }`;
    const caller = person('account of the graph');
    const { data } = await kit.run(text(3), {}, caller);
    expect(data).toMatchObject({
      settlementBatches: {
        totalCount: 3,
        pageInfo: { hasNextPage: false },
        nodes: [3, 2, 1].map((number) => ({
          status: 'PROCESSED',
          creditBatch: { id, settlementBatches: [{}, {}] },
          settlements: {
            totalCount: 2,
            pageInfo: { hasNextPage: true },
            nodes: [{ externalId: `G-${number - 1}`, settledAmount: '1.00' }],
          },
        })),
      },
      creditBatches: {
        nodes: [
          {
            receivables: {
              nodes: ids.map(() => ({ settlements: [{ settledAmount: '2.00' }, { settledAmount: '1.00' }] })),
            },
          },
        ],
      },
    });
    const [one, three] = [
      await kit.countQueries(() => kit.run(text(1), {}, caller)),
      await kit.countQueries(() => kit.run(text(3), {}, caller)),
    ];
    expect(three).toBe(one);
  });
});
