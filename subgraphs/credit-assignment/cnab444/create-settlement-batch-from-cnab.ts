import type { Context } from '../../../shared/context.js';
import { refuse } from '../../../shared/errors.js';
import { eachInTurns } from '../../../shared/turns.js';
import { requireBatch } from '../batches/require-batch.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import type { NewSettlement } from '../settlement-batches/check-settlements.js';
import { createSettlementBatch } from '../settlement-batches/create-settlement-batch.js';
import type { SettlementBatchRow } from '../settlement-batches/settlement-batch.store.js';
import { byLine, columnsOf, lineOf, type FieldOf } from './by-line.js';
import { loadReceivableIds } from './cnab444.store.js';
import { placeOf, refuseFile } from './errors.js';
import { readSettlements, type CnabSettlement } from './read-batch.js';

/**
 * Creates a settlement batch in DRAFT from a settlement file, for the calling client. Contracts are looked up in the credit batch
 * by the client's own name for them.
 * @param file CNAB 444 (README)
 * @throws {ApiError} BAD_REQUEST for a file that is not CNAB 444, BATCH_NOT_FOUND, UNPROCESSABLE for contracts that the credit batch does not
 * have, and those of `createSettlementBatch`; by line and column
 */
export async function createSettlementBatchFromCnab(
  context: Context,
  creditBatchId: string,
  file: string,
): Promise<SettlementBatchRow> {
  const read = await readSettlements(file);
  if ('errors' in read) refuseFile(read.errors);
  const { id } = await requireBatch(context, creditBatches, creditBatchId);
  const settlements = await named(context, id, read.settlements);
  const fieldOf: FieldOf = (index, member) => {
    if (member === 'contractId') return 'externalId';
    return member === 'settledAmount' ? read.settlements[index]?.amountField : 'paidOn';
  };
  // A draft starts no grace period: its submission does.
  return byLine(fieldOf, () => createSettlementBatch(context, 0, { creditBatchId: id, settlements, draft: true }));
}

/** Replaces the originator's names of receivables by their ids. */
async function named(
  context: Context,
  creditBatchId: string,
  settlements: readonly CnabSettlement[],
): Promise<NewSettlement[]> {
  const names = new Set<string>();
  await eachInTurns(settlements, ({ externalId }) => names.add(externalId));
  const ids = await loadReceivableIds(context, creditBatchId, [...names]);
  const known: NewSettlement[] = [];
  const unknown: number[] = [];
  await eachInTurns(settlements, ({ externalId, settledAmount, settledDate }, index) => {
    const contractId = ids.get(externalId);
    if (contractId === undefined) unknown.push(lineOf(index));
    else known.push({ contractId, settledAmount, settledDate });
  });
  refuse(
    'UNPROCESSABLE',
    unknown.map((line) => ({
      path: placeOf(line, columnsOf('externalId')),
      message: 'is not the external id of a contract of the credit batch',
    })),
  );
  return known;
}
