import { afterAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../shared/kernel/ids.js';
import { readAll, type Page } from '../kit/pages.js';
import { contracts, person } from './kit.js';
import { openSettlements, payment } from './settlement-kit.js';

const kit = await openSettlements();
afterAll(() => kit.close());
const bank = await kit.client('account of the reader');
const other = await kit.client('account of the other');
/** A credit batch of five receivables, and another one. */
const credit = await kit.assigned(bank, contracts(5));
const second = await kit.assigned(bank, contracts(1, 'D'));
const one = [payment(credit.ids[0] ?? '', '1')];
const five = credit.ids.map((id, index) => payment(id, `${index + 1}`));
/** Drafts of the first credit batch, the newest first: the newest has five payments, the others one. */
const drafts = [
  await kit.settled(bank, credit.id, one, true),
  await kit.settled(bank, credit.id, one, true),
  await kit.settled(bank, credit.id, five, true),
].reverse();
/** A credit batch of which one settlement batch pays all, and then another one, which is rejected, each payment once more. */
const paidTwice = await kit.assigned(bank, contracts(3, 'E'));
const all = paidTwice.ids.map((id) => payment(id, '100.50'));
const processed = await kit.settled(bank, paidTwice.id, all);
const rejected = await kit.settled(bank, paidTwice.id, all);
await kit.process();

const read = <T>(text: string, variables: Record<string, unknown> = {}, principal = person('account of the reader')) =>
  kit.data<T>(text, variables, principal);

describe('one batch is read', () => {
  const text = 'query ($id: ID!) { settlementBatch(id: $id) { id } }';

  test('by its id however that is written, and by its own originator alone', async () => {
    const [id = ''] = drafts;
    for (const written of [id, id.toUpperCase()]) {
      expect(await read(text, { id: written })).toEqual({ settlementBatch: { id } });
    }
    for (const unseen of [newId(), 'x']) {
      expect(await read(text, { id: unseen })).toEqual({ settlementBatch: null });
    }
    for (const caller of [other, person('nobody')]) {
      expect(await read(text, { id }, caller)).toEqual({ settlementBatch: null });
    }
  });

  test('by reference from another subgraph, where the caller may see it', async () => {
    const [id = ''] = drafts;
    const reference = `query ($batches: [_Any!]!) { _entities(representations: $batches) {
      ... on SettlementBatch { id status } } }`;
    const batches = [id, id.toUpperCase(), newId(), 'x', 7].map((one) => ({ __typename: 'SettlementBatch', id: one }));
    const own = { id, status: 'DRAFT' };
    expect(await read(reference, { batches })).toEqual({ _entities: [own, own, null, null, null] });
    expect(await read(reference, { batches: batches.slice(0, 1) }, other)).toEqual({ _entities: [null] });
  });

  test('with when each step of its life was taken', async () => {
    const fields = 'status createdAt submittedAt processAfter processedAt cancelledAt errorCount rejectionReason';
    const life = `query ($id: ID!) { settlementBatch(id: $id) { ${fields} } }`;
    const began = kit.clock.now();
    const id = await kit.settled(bank, second.id, [payment(second.ids[0] ?? '', '1')]);
    const submitted = {
      status: 'SUBMITTED',
      createdAt: began.toISOString(),
      submittedAt: began.toISOString(),
      processAfter: new Date(began.getTime() + 30_000).toISOString(),
      processedAt: null,
      cancelledAt: null,
      errorCount: 0,
      rejectionReason: null,
    };
    expect(await read(life, { id })).toEqual({ settlementBatch: submitted });
    kit.clock.advance(1000);
    const cancel = 'mutation ($id: ID!) { cancelSettlementBatch(id: $id) { status } }';
    expect(await read(cancel, { id }, bank)).toEqual({ cancelSettlementBatch: { status: 'CANCELLED' } });
    const cancelledAt = new Date(began.getTime() + 1000).toISOString();
    expect(await read(life, { id })).toEqual({ settlementBatch: { ...submitted, status: 'CANCELLED', cancelledAt } });
  });
});

describe('payments of a batch are read page by page', () => {
  const text = `query ($id: ID!, $first: Int, $after: String) { settlementBatch(id: $id) {
    settlements(first: $first, after: $after) {
      totalCount nodes { contractId } edges { cursor node { contractId } } pageInfo { hasNextPage endCursor } } } }`;
  const page = async (variables: Record<string, unknown>) => {
    const { settlementBatch } = await read<{ settlementBatch: { settlements: Page<{ contractId: string }> } }>(text, {
      id: drafts[0],
      ...variables,
    });
    return settlementBatch.settlements;
  };

  test('in the order in which they came, each once', async () => {
    const pages: string[][] = [];
    const paid = await readAll(async (after) => {
      const one = await page({ first: 2, after });
      pages.push(one.nodes.map(({ contractId }) => contractId));
      expect(one.totalCount).toBe(5);
      return one;
    });
    expect([paid.map(({ contractId }) => contractId), pages.map(({ length }) => length)]).toEqual([
      credit.ids,
      [2, 2, 1],
    ]);
    const whole = await page({ first: 5 });
    expect([whole.nodes.length, whole.pageInfo.hasNextPage]).toEqual([5, false]);
    expect((await page({})).nodes).toHaveLength(5);
  });
});

const errors = [0, 1, 2].map((index) => ({
  index,
  externalId: `E-${index}`,
  path: `settlements[${index}].contractId`,
  message: 'is a receivable that is already settled',
}));

describe('what was wrong with a batch that was rejected', () => {
  const ofGraph = `query ($id: ID!, $first: Int) { settlementBatch(id: $id) {
    status errorCount errors(first: $first) { index externalId path message } } }`;

  test('gets the error of each payment, as many as are asked for, and how many there are', async () => {
    const status = 'REJECTED';
    for (const first of [1, 2, 3, 100]) {
      expect(await read(ofGraph, { id: rejected, first })).toEqual({
        settlementBatch: { status, errorCount: 3, errors: errors.slice(0, first) },
      });
    }
    expect(await read(ofGraph, { id: processed, first: 100 })).toEqual({
      settlementBatch: { status: 'PROCESSED', errorCount: 0, errors: [] },
    });
  });
});
