import { createHash } from 'node:crypto';
import type { Context } from '../../../shared/kernel/context.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import { lineErrors, type PlaceOf } from '../batches/check-lines.js';
import { requireBatch } from '../batches/require-batch.js';
import { createCreditBatch } from '../credit-batches/create-credit-batch.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import type { BatchMode } from '../credit-batches/check-contracts.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { paymentFormErrors, type NewSettlement } from '../settlement-batches/check-settlements.js';
import { createSettlementBatch } from '../settlement-batches/create-settlement-batch.js';
import { paymentRules } from '../settlement-batches/payment-rules.js';
import type { SettlementBatchRow } from '../settlement-batches/settlement.store.js';
import { placeText, refuseFile } from './file-errors.js';
import { contractsOf, paymentsOf, type SentFile } from './file-format.js';
import type { FileLines, FilePayment } from './file-lines.js';
import { decode, inSlices, linesAtOnce, linesOf } from './lines.js';
import { loadReceivableIds } from '../settlement-batches/sent-file.store.js';

/** @throws {ApiError} BAD_REQUEST for a file that does not have its format, and the errors of `createCreditBatch`; both by the place in the file */
export async function createCreditBatchFromFile(
  context: Context,
  patrimonyId: string,
  file: SentFile,
  mode: BatchMode,
): Promise<CreditBatchRow> {
  const read = await contractsOf(file);
  refuseFile(read.errors);
  const { format, name: fileName = null } = file;
  return createCreditBatch(context, { patrimonyId, contracts: read.lines, mode, format, fileName }, placesIn(read));
}

/** Contracts are found in the credit batch by the client's name. @throws {ApiError} BAD_REQUEST, BATCH_NOT_FOUND, UNPROCESSABLE, the errors of `createSettlementBatch`; by the place in the file */
export async function createSettlementBatchFromFile(
  context: Context,
  creditBatchId: string,
  file: SentFile,
): Promise<SettlementBatchRow> {
  const read = await paymentsOf(file);
  refuseFile(read.errors);
  refuse('BAD_REQUEST', await lineErrors(placesIn(read), read.lines, paymentFormErrors));
  const { id } = await requireBatch(context, creditBatches, creditBatchId);
  const settlements = await requireKnown(context, id, read);
  // A draft starts no grace period: its submission does.
  const wish = {
    creditBatchId: id,
    settlements,
    draft: true,
    fileName: file.name ?? null,
    ...(await onceOf(file, read)),
  };
  return createSettlementBatch(context, 0, wish, placesIn(read));
}

/** Returns the digest of a file whose payments would count again if it were sent again: of those with references each counts once. */
export async function onceOf(
  file: SentFile,
  { lines }: FileLines<FilePayment>,
): Promise<{ fileDigest: string | null }> {
  const isKnown = lines.every(({ paymentReference }) => paymentReference != null);
  return { fileDigest: isKnown ? null : await inSlices(digestOf(file)) };
}

/** Digests the lines of a file, whatever their encoding and ends; of the header of CNAB 444 only the file's number, which columns 111-117 have. */
function* digestOf({ format, text }: SentFile): Generator<undefined, string> {
  const digest = createHash('sha256');
  let number = 0;
  for (const { line } of linesOf(decode(text))) {
    number += 1;
    if (number % linesAtOnce === 0) yield;
    digest.update(`${format === 'CNAB444' && number === 1 ? line.slice(110, 117) : line}\n`);
  }
  return digest.digest('hex');
}

/** Returns the names of the places of a file's lines, as errors state them. */
export function placesIn(read: Pick<FileLines<unknown>, 'placeAt'>): PlaceOf {
  return (index, field) => placeText(read.placeAt(index, field));
}

/** @throws {ApiError} UNPROCESSABLE for contracts that the credit batch does not have */
export async function requireKnown(
  context: Context,
  creditBatchId: string,
  read: FileLines<FilePayment>,
): Promise<KnownPayment[]> {
  const { known, unknown } = await identified(context, creditBatchId, read.lines);
  const placeOf = placesIn(read);
  const { message } = paymentRules.unknownContract;
  refuse(
    'UNPROCESSABLE',
    unknown.map((index) => ({ path: placeOf(index, 'contractId'), message })),
  );
  return known;
}

export type KnownPayment = NewSettlement & { readonly index: number };

/** Replaces the originator's names of contracts by the ids of their receivables; `unknown` are the positions of the payments for other contracts. */
export async function identified(
  context: Context,
  creditBatchId: string,
  payments: readonly FilePayment[],
): Promise<{ readonly known: KnownPayment[]; readonly unknown: number[] }> {
  const names = new Set<string>();
  await eachInTurns(payments, ({ externalId }) => names.add(externalId));
  const ids = await loadReceivableIds(context, creditBatchId, [...names]);
  const known: KnownPayment[] = [];
  const unknown: number[] = [];
  await eachInTurns(payments, ({ externalId, ...payment }, index) => {
    const contractId = ids.get(externalId);
    if (contractId === undefined) unknown.push(index);
    else known.push({ index, contractId, ...payment });
  });
  return { known, unknown };
}
