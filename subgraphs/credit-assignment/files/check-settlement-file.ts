import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import { refuse } from '../../../shared/errors.js';
import { eachInTurns } from '../../../shared/turns.js';
import { maxErrors } from '../batches/batch.store.js';
import { lineErrors } from '../batches/check-lines.js';
import { isMoney } from '../batches/money.js';
import { findBatch, requireBatch } from '../batches/require-batch.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import { meaningErrors, paymentFormErrors, type SettlementPeriod } from '../settlement-batches/check-settlements.js';
import { assignmentDay, requirePayable } from '../settlement-batches/create-settlement-batch.js';
import { paymentRules } from '../settlement-batches/payment-rules.js';
import { refusedBy } from '../settlement-batches/refused-payment.js';
import { refusalOfNew } from '../settlement-batches/settlement.store.js';
import { identified, placesIn, requireKnown } from './create-from-file.js';
import { maxFileErrors, type FileCheck } from './file-check.js';
import { FileErrors, refuseFile } from './file-errors.js';
import { paymentsOf, type SentFile } from './file-format.js';
import type { FileLines, FilePayment } from './file-lines.js';
import { refusalOf } from './refusal-of.js';

/**
 * Checks a settlement file as sending it would, for the calling client, and lists everything that is wrong with it. Writes nothing. Processing checks the same
 * balances once more.
 */
export async function checkSettlementFile(context: Context, creditBatchId: string, file: SentFile): Promise<FileCheck> {
  const errors = new FileErrors(maxFileErrors);
  const read = await paymentsOf(file, errors);
  const today = civilDate(context.clock.now());
  const placeOf = placesIn(read);
  const refusal = await refusalOf(async () => {
    refuseFile(errors);
    refuse('BAD_REQUEST', await lineErrors(placeOf, read.lines, paymentFormErrors));
    const { id } = await requireBatch(context, creditBatches, creditBatchId);
    const settlements = await requireKnown(context, id, read);
    await requirePayable(context, { creditBatchId: id, settlements }, today, placeOf);
  });
  const credit = await findBatch(context, creditBatches, creditBatchId);
  const { sound, total } = await addFormErrors(read);
  if (credit?.status === 'PROCESSED')
    await addBalanceErrors(context, credit.id, { read, sound }, { assignedOn: assignmentDay(credit), today });
  const rejection = refusal === undefined ? null : undefined;
  return { ...file, lineCount: read.lines.length, total, refusal, rejection, errors };
}

async function addFormErrors(
  read: FileLines<FilePayment>,
): Promise<{ readonly sound: readonly number[]; readonly total: string }> {
  const sound: number[] = [];
  let total = new Decimal(0);
  await eachInTurns(read.lines, (payment, index) => {
    const wrong = paymentFormErrors(payment);
    for (const [field, rule] of wrong) read.errors.add({ ...read.placeAt(index, field), rule });
    if (wrong.length === 0) sound.push(index);
    if (isMoney(payment.settledAmount)) total = total.plus(payment.settledAmount);
  });
  return { sound, total: total.toFixed(2) };
}

/** Adds the errors of payments of the right form: unknown contracts, amounts and days that cannot be, and balances that are too low. */
async function addBalanceErrors(
  context: Context,
  creditBatchId: string,
  { read, sound }: { readonly read: FileLines<FilePayment>; readonly sound: readonly number[] },
  period: SettlementPeriod,
): Promise<void> {
  const payments = sound.flatMap((index) => read.lines[index] ?? []);
  const placeAt = (index: number, field: string) => read.placeAt(sound[index] ?? 0, field);
  const { known, unknown } = await identified(context, creditBatchId, payments);
  for (const index of unknown) read.errors.add({ ...placeAt(index, 'contractId'), rule: paymentRules.unknownContract });
  const possible: typeof known = [];
  await eachInTurns(known, (payment) => {
    const wrong = meaningErrors(payment, period);
    for (const [field, rule] of wrong) read.errors.add({ ...placeAt(payment.index, field), rule });
    if (wrong.length === 0) possible.push(payment);
  });
  const { refused, total } = await refusalOfNew(context, creditBatchId, possible, maxErrors);
  for (const one of refused) {
    const [field, rule] = refusedBy(one);
    read.errors.add({ ...placeAt(possible[one.position]?.index ?? 0, field), rule });
  }
  read.errors.addCount(total - refused.length);
}
