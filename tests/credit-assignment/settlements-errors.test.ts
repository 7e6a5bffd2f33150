import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../shared/kernel/context.js';
import { contracts, person } from './kit.js';
import { openSettlements, payment, type SettlementKit } from './settlement-kit.js';

const account = 'account of the rejected';
let kit: SettlementKit;
let bank: Principal;
let credit: { readonly id: string; readonly ids: string[] };
/** Pays all of the three receivables, and then, in a batch of its own that is rejected, each of them once more. */
let processed: string;
let rejected: string;

beforeAll(async () => {
  kit = await openSettlements();
  bank = await kit.client(account);
  credit = await kit.assigned(bank, contracts(3, 'E'));
  const payments = credit.ids.map((id) => payment(id, '100.50'));
  processed = await kit.settled(bank, credit.id, payments);
  rejected = await kit.settled(bank, credit.id, payments);
  await kit.process();
});
afterAll(() => kit.close());

async function read<T>(text: string, variables: Record<string, unknown>) {
  const { data, error } = await kit.run(text, variables, person(account));
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return data as T;
}

/** Expects a count out of bounds to be refused by its name, whichever of them it is. */
async function expectBounds(text: string, id: string, most: number): Promise<void> {
  for (const first of [0, most + 1]) {
    const { error } = await kit.run(text, { id, first }, person(account));
    expect([first, error?.statusCode, error?.details?.map(({ path }) => path)]).toEqual([first, 400, ['first']]);
  }
  expect((await kit.run(text, { id, first: most }, person(account))).error).toBeUndefined();
}

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

  test('within bounds', async () => {
    await expectBounds(ofGraph, rejected, 1000);
  });
});

describe('relations of batches', () => {
  test('a credit batch shows its own batches, the newest first, whether they were rejected or not', async () => {
    const text = `query ($id: ID!, $first: Int!) { creditBatch(id: $id) { settlementBatches(first: $first) { id } } }`;
    for (const [first, shown] of [
      [1, [rejected]],
      [100, [rejected, processed]],
    ] as const) {
      expect(await read(text, { id: credit.id, first })).toEqual({
        creditBatch: { settlementBatches: shown.map((id) => ({ id })) },
      });
    }
    await expectBounds(text, credit.id, 100);
  });

  test('a receivable shows the payments that were taken off it, and the batch that each came in', async () => {
    const text = `query ($id: ID!, $first: Int!) { creditBatch(id: $id) { receivables(first: 1) { nodes {
      settlements(first: $first) { contractId settledAmount settledDate batch { id creditBatch { id } } } } } } }`;
    expect(await read(text, { id: credit.id, first: 20 })).toEqual({
      creditBatch: {
        receivables: {
          nodes: [
            {
              settlements: [
                { ...payment(credit.ids[0] ?? '', '100.50'), batch: { id: processed, creditBatch: { id: credit.id } } },
              ],
            },
          ],
        },
      },
    });
    await expectBounds(text, credit.id, 100);
  });
});
