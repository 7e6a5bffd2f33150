import type { Context } from '../../../shared/context.js';
import { createCreditBatch } from '../credit-batches/create-credit-batch.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { byLine, type FieldOf } from './by-line.js';
import { refuseFile } from './errors.js';
import { readContracts } from './read-batch.js';

const fields: ReadonlyMap<string, ReturnType<FieldOf>> = new Map([
  ['externalId', 'externalId'],
  ['debtorDocument', 'debtorDocument'],
  ['faceValue', 'faceValue'],
  ['dueDate', 'dueDate'],
]);

/**
 * Creates a batch in DRAFT from an assignment file, for the calling client.
 * @param file CNAB 444 (README)
 * @throws {ApiError} BAD_REQUEST for a file that is not CNAB 444, and those of `createCreditBatch`; both by line and column
 */
export async function createCreditBatchFromCnab(
  context: Context,
  patrimonyId: string,
  file: string,
): Promise<CreditBatchRow> {
  const read = await readContracts(file);
  if ('errors' in read) refuseFile(read.errors);
  return byLine(
    (_, member) => fields.get(member),
    () => createCreditBatch(context, { patrimonyId, contracts: read.contracts }),
  );
}
