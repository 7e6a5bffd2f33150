import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { Decimal } from '../../../shared/decimal.js';
import { isUuid } from '../../../shared/ids.js';
import { errorAt } from '../../../shared/rule-error.js';
import { eachInTurns } from '../../../shared/turns.js';
import type { Rejection } from '../batches/batch-kind.js';
import { isMoney } from '../batches/money.js';
import { repeatedContracts, requireForm, valueErrors } from '../credit-batches/check-contracts.js';
import { repeatedContract } from '../credit-batches/contract-rules.js';
import { requireAssignableContracts } from '../credit-batches/create-credit-batch.js';
import { previewEligibility } from '../eligibility/check-eligibility.js';
import { contractsGiven } from '../eligibility/checked-contracts.js';
import { contractsOf, type SentFile } from './file-format.js';
import { placesIn } from './create-from-file.js';
import { maxFileErrors, type FileCheck } from './file-check.js';
import { FileErrors, placeText, placeTextPt, refuseFile } from './file-errors.js';
import type { FileContract, FileLines } from './file-lines.js';
import { refusalOf } from './refusal-of.js';

/**
 * Checks an assignment file as sending it and processing its batch would, for the calling client, and lists everything that is wrong with it. Writes nothing.
 */
export async function checkAssignmentFile(context: Context, patrimonyId: string, file: SentFile): Promise<FileCheck> {
  const errors = new FileErrors(maxFileErrors);
  const read = await contractsOf(file, errors);
  const today = civilDate(context.clock.now());
  const refusal = await refusalOf(async () => {
    refuseFile(errors);
    const wish = { patrimonyId, contracts: read.lines };
    const placeOf = placesIn(read);
    const others = isUuid(patrimonyId) ? [] : [errorAt('patrimonyId', 'UUID_FORM')];
    await requireForm(wish.contracts, { others, placeOf });
    await requireAssignableContracts(context, wish, today, placeOf);
  });
  const { sound, total } = await addOwnErrors(read, today);
  const found = isUuid(patrimonyId) && sound.length > 0 ? await previewed() : undefined;
  for (const { index, field, rule = '', message, messagePt = '' } of found?.errors ?? []) {
    const place = read.placeAt(sound[index] ?? 0, field);
    errors.add({ ...place, rule: { code: rule, message, messagePt } });
  }
  errors.addCount((found?.errorCount ?? 0) - (found?.errors.length ?? 0));
  const rejection = refusal === undefined ? (found ?? null) : undefined;
  return { ...file, lineCount: read.lines.length, total, refusal, rejection, errors };

  async function previewed(): Promise<Rejection | undefined> {
    const contracts = sound.flatMap((index) => read.lines[index] ?? []);
    return previewEligibility(context, await contractsGiven(context, patrimonyId, contracts, refusal === undefined));
  }
}

/** Adds the errors of single contracts and of repeated ones; returns the positions of those without errors of their own, and the total face value. */
async function addOwnErrors(
  read: FileLines<FileContract>,
  today: string,
): Promise<{ readonly sound: readonly number[]; readonly total: string }> {
  const sound: number[] = [];
  let total = new Decimal(0);
  await eachInTurns(read.lines, (contract, index) => {
    const wrong = valueErrors(contract, today);
    for (const [field, rule] of wrong) read.errors.add({ ...read.placeAt(index, field), rule });
    if (wrong.length === 0) sound.push(index);
    if (isMoney(contract.faceValue)) total = total.plus(contract.faceValue);
  });
  for (const { index, first } of await repeatedContracts(read.lines)) {
    const where = read.placeAt(first);
    const rule = repeatedContract(placeText(where), placeTextPt(where));
    read.errors.add({ ...read.placeAt(index, 'externalId'), rule });
  }
  return { sound, total: total.toFixed(2) };
}
