import { afterAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/kernel/ids.js';
import { revertImport } from '../../shared/import/revert.js';
import { voidRecord } from '../../shared/import/void.js';
import { applySettlements } from '../../subgraphs/tokenization/assignments/apply-settlements.js';
import { tokenizationImport } from '../../subgraphs/tokenization/import/domain.js';
import { repriceAll } from '../../subgraphs/tokenization/price-runs/reprice-all.js';
import { recordedByClock } from '../kit/as-of.js';
import { openTokenizationGraph } from './graph.js';
import { addCredit, addEstate, addInstalment, addSeries, calendarOf } from './series/kit.js';

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
graph.clock.set('2026-06-10T15:00:00Z');

async function run(document: string): Promise<unknown> {
  const { data, errors } = await graph.operate(document);
  expect(errors?.map(({ message }) => message)).toBeUndefined();
  return data;
}

interface Estate {
  readonly id: string;
  readonly ticker: string;
  /** A credit of two instalments that the house bought, and one of an instalment that an originator assigned. */
  readonly bought: string;
  readonly assigned: string;
}

/** An estate whose series has paid its holders, and whose debtors have paid all or a part. */
async function paidEstate(ticker: string): Promise<Estate> {
  const series = `${ticker}-S1`;
  const made = await recordedByClock(graph.acting(), async (tx) => {
    const id = await addEstate(tx.manager, ticker);
    const tranche = await addSeries(tx.manager, id, series);
    await addInstalment(tx.manager, tranche, 1, '2026-06-10', '100');
    const bought = await addCredit(tx.manager, id, `${ticker}-1`, ['2026-05-10', '2026-07-10']);
    const assigned = await addCredit(tx.manager, id, `${ticker}-2`, ['2026-07-10'], { originator_id: newId() });
    await repriceAll(tx, { calendar: await calendarOf(tx.manager) });
    return { id, ticker, bought, assigned };
  });
  await run(`mutation { recordPayment(ticker: "${series}", installmentNumber: 1, paidOn: "2026-06-10") { status } }`);
  await run(pay(made.bought));
  const piece = {
    batchId: newId(),
    piece: 0,
    ownerId: 'bank',
    entries: [
      {
        receivableId: made.assigned,
        kind: 'PAYMENT',
        settledAmount: '500.00',
        surplus: '0',
        settledDate: '2026-06-09',
      },
    ],
  };
  const event = {
    topic: 'receivables.settled',
    key: piece.batchId,
    payload: piece,
    id: newId(),
    sequence: 1,
    createdAt: '',
  };
  await inTransaction(graph.acting(), (tx) => applySettlements(tx, [event]));
  await run(pay(made.assigned));
  return made;
}

const pay = (id: string) =>
  `mutation { recordAssetPayment(assetId: "${id}", installmentNumber: 1, paidOn: "2026-06-10") { status } }`;
const reverse = (id: string, paid = '') =>
  `mutation { reverseAssetPayment(assetId: "${id}", installmentNumber: 1, reason: "returned"${paid}) { status } }`;

async function withdrawAndTakeBack(kind: string, names: readonly string[]): Promise<void> {
  const { importId = '' } = await voidRecord(graph.acting(), [tokenizationImport], kind, names, {
    reason: 'by mistake',
  });
  const { errors } = await revertImport(graph.acting(), [tokenizationImport], importId, { reason: 'it was right' });
  expect(errors).toEqual([]);
}

function figures({ id, ticker }: Estate): Promise<unknown> {
  // The summary is five minutes old at most.
  graph.clock.advance(5 * 60_000);
  return run(`{
    patrimony(ticker: "${ticker}") { status trancheCount assetCount totalIssued
      tranches { status unitPrice pricedOn totalValue investedAmount unitPrices(last: 5) { nodes { date unitPrice version } }
        schedule { nodes { status paidOn interestValue principalValue totalValue projected } } }
      assets { nodes { status currentBalance received paidInstallments nextDueDate
        paymentHistory { nodes { installmentNumber status amount paidAmount paidOn } } } } }
    assetSummary(patrimonyId: "${id}") { totalAssets activeAssets settledAssets totalCurrentBalance totalReceivedPayments defaultRate } }`);
}

test('payments of a series and an estate that were withdrawn and are back are reversed as if they had never been', async () => {
  const [kept, withdrawn] = [await paidEstate('FICA'), await paidEstate('VOLTA')];
  await withdrawAndTakeBack('tranches', ['VOLTA', 'VOLTA-S1']);
  await withdrawAndTakeBack('patrimonies', ['VOLTA']);
  expect(await figures(withdrawn)).toEqual(await figures(kept));
  const steps = [
    ({ ticker }: Estate) =>
      `mutation { reversePayment(ticker: "${ticker}-S1", installmentNumber: 1, reason: "returned") { status paidOn } }`,
    ({ bought }: Estate) => reverse(bought),
    ({ assigned }: Estate) => reverse(assigned),
    ({ assigned }: Estate) => reverse(assigned, ', paidAmount: "500"'),
    ({ bought }: Estate) => pay(bought),
  ];
  let before = await figures(kept);
  for (const step of steps) {
    expect(await run(step(withdrawn))).toEqual(await run(step(kept)));
    const after = await figures(kept);
    expect(after).not.toEqual(before);
    expect(await figures(withdrawn)).toEqual(after);
    before = after;
  }
});
