import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import { isMoney } from '../batches/money.js';
import { repeatedContracts, requireForm, valueErrors, type BatchMode } from '../credit-batches/check-contracts.js';
import { repeatedContract } from '../credit-batches/contract-rules.js';
import { requireAssignableContracts } from '../credit-batches/create-credit-batch.js';
import { previewEligibility } from '../eligibility/check-eligibility.js';
import { contractsGiven } from '../eligibility/checked-contracts.js';
import type { Verdict } from '../eligibility/findings.js';
import { contractsOf, type SentFile, paymentsOf, type FileFormat } from './file-format.js';
import { placesIn, identified, onceOf, requireKnown } from './create-from-file.js';
import { FileErrors, placeText, placeTextPt, refuseFile, type FileError } from './file-errors.js';
import type { FileContract, FileLines, FilePayment } from './file-lines.js';
import { refuse, ApiError, errorAt } from '../../../shared/kernel/errors.js';
import { maxErrors } from '../batches/batch.store.js';
import { lineErrors } from '../batches/check-lines.js';
import { findBatch, requireBatch } from '../batches/require-batch.js';
import { creditBatches } from '../credit-batches/credit-batch.kind.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { meaningErrors, paymentFormErrors, totalsOf } from '../settlement-batches/check-settlements.js';
import { periodOf, requirePayable } from '../settlement-batches/create-settlement-batch.js';
import { paymentRules } from '../settlement-batches/payment-rules.js';
import { refusalOf, refusedBy } from '../settlement-batches/refused-payment.js';
import { newEntries } from '../settlement-batches/settlement.store.js';
import { splitCells } from '../../../shared/import/read/csv-records.js';
import { delimiterOf, isColumn, namesSeparator } from './csv-file.js';
import { decode, inSlices, linesAtOnce, linesOf } from './lines.js';
import type { Rejection } from '../batches/batch-kind.js';

/** Checks an assignment file as sending it and processing its batch would, for the calling client, and lists everything that is wrong with it. Writes nothing. */
export async function checkAssignmentFile(
  context: Context,
  patrimonyId: string,
  file: SentFile,
  mode: BatchMode,
): Promise<FileCheck> {
  const errors = new FileErrors(maxFileErrors);
  const read = await contractsOf(file, errors);
  const today = civilDate(context.clock.now());
  const refusal = await refusalBy(async () => {
    refuseFile(errors);
    const wish = { patrimonyId, contracts: read.lines, mode };
    const placeOf = placesIn(read);
    const others = isUuid(patrimonyId) ? [] : [errorAt('patrimonyId', 'UUID_FORM')];
    await requireForm(wish.contracts, { others, placeOf });
    await requireAssignableContracts(context, wish, today, placeOf);
  });
  const areAll = refusal === undefined;
  const { sound, total } = await addOwnErrors(read, areAll ? () => [] : (contract) => valueErrors(contract, today));
  const found = isUuid(patrimonyId) && sound.length > 0 ? await previewed() : undefined;
  for (const { index, field, rule = '', message, messagePt = '' } of found?.errors ?? []) {
    const place = read.placeAt(sound[index] ?? 0, field);
    errors.add({ ...place, rule: { code: rule, message, messagePt } });
  }
  errors.addCount((found?.errorCount ?? 0) - (found?.errors.length ?? 0));
  const rejection = refusal !== undefined ? undefined : found?.isRejected === true ? found : null;
  return { ...file, lineCount: read.lines.length, total, totalAbated: null, refusal, rejection, errors };

  function previewed(): Promise<Verdict | undefined> {
    const contracts = sound.flatMap((index) => read.lines[index] ?? []);
    return previewEligibility(
      context,
      contractsGiven(context, { patrimonyId, mode, areAll }, contracts),
      maxFileErrors,
    );
  }
}

/** Returns the positions of those without errors of their own, and the total face value. @param errorsOf returns the errors for which processing would not see a contract */
async function addOwnErrors(
  read: FileLines<FileContract>,
  errorsOf: (contract: FileContract) => ReturnType<typeof valueErrors>,
): Promise<{ readonly sound: readonly number[]; readonly total: string }> {
  const sound: number[] = [];
  let total = new Decimal(0);
  await eachInTurns(read.lines, (contract, index) => {
    const wrong = errorsOf(contract);
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

/** Checks as sending it would, for the calling client, and reports everything that is wrong. Writes nothing; processing checks the same balances once more. */
export async function checkSettlementFile(context: Context, creditBatchId: string, file: SentFile): Promise<FileCheck> {
  const errors = new FileErrors(maxFileErrors);
  const read = await paymentsOf(file, errors);
  const today = civilDate(context.clock.now());
  const placeOf = placesIn(read);
  const refusal = await refusalBy(async () => {
    refuseFile(errors);
    refuse('BAD_REQUEST', await lineErrors(placeOf, read.lines, paymentFormErrors));
    const { id } = await requireBatch(context, creditBatches, creditBatchId);
    const settlements = await requireKnown(context, id, read);
    const wish = { creditBatchId: id, settlements, ...(await onceOf(file, read)) };
    await requirePayable(context, wish, today, placeOf);
  });
  const credit = await findBatch(context, creditBatches, creditBatchId);
  const { sound, total, totalAbated } = await addFormErrors(read);
  if (credit?.status === 'PROCESSED') await addBalanceErrors(context, credit, { read, sound }, today);
  const rejection = refusal === undefined ? null : undefined;
  return { ...file, lineCount: read.lines.length, total, totalAbated, refusal, rejection, errors };
}

async function addFormErrors(
  read: FileLines<FilePayment>,
): Promise<{ readonly sound: readonly number[]; readonly total: string; readonly totalAbated: string }> {
  const sound: number[] = [];
  await eachInTurns(read.lines, (payment, index) => {
    const wrong = paymentFormErrors(payment);
    for (const [field, rule] of wrong) read.errors.add({ ...read.placeAt(index, field), rule });
    if (wrong.length === 0) sound.push(index);
  });
  const { total, totalSurplus, totalAbated } = await totalsOf(read.lines);
  return { sound, total: sum([total, totalSurplus]).toFixed(2), totalAbated };
}

/** Adds the errors of payments of the right form: unknown contracts, amounts and days that cannot be, and balances that are too low. */
async function addBalanceErrors(
  context: Context,
  credit: CreditBatchRow,
  { read, sound }: { readonly read: FileLines<FilePayment>; readonly sound: readonly number[] },
  today: string,
): Promise<void> {
  const payments = sound.flatMap((index) => read.lines[index] ?? []);
  const placeAt = (index: number, field: string) => read.placeAt(sound[index] ?? 0, field);
  const { known, unknown } = await identified(context, credit.id, payments);
  const period = await periodOf(context, credit, known, today);
  for (const index of unknown) read.errors.add({ ...placeAt(index, 'contractId'), rule: paymentRules.unknownContract });
  const possible: typeof known = [];
  await eachInTurns(known, (payment) => {
    const wrong = meaningErrors(payment, period);
    for (const [field, rule] of wrong) read.errors.add({ ...placeAt(payment.index, field), rule });
    if (wrong.length === 0) possible.push(payment);
  });
  // Closings and early payments are judged together with the other lines of the contract, some of which may have errors.
  const areAll = read.errors.count === 0;
  const { refused, total } = await refusalOf(context, credit.id, await newEntries(possible), maxErrors);
  for (const one of refused) {
    if (!areAll && (one.kind === 'UNCLOSED' || one.kind === 'DISCOUNT')) continue;
    const [field, rule] = refusedBy(one);
    read.errors.add({ ...placeAt(possible[one.position]?.index ?? 0, field), rule });
  }
  read.errors.addCount(total - refused.length);
}

/** Longest value that an error repeats, in characters. */
const maxValue = 80;

/** An error with the value that the file has at its place, cut after 80 characters; null for an error of a whole line. */
export interface FoundError extends FileError {
  readonly value: string | null;
}

export function withFoundValues(file: SentFile, errors: readonly FileError[]): Promise<FoundError[]> {
  return inSlices(findValues(file, inOrder(errors)));
}

function inOrder(errors: readonly FileError[]): FileError[] {
  return errors.toSorted(
    (one, other) => one.line - other.line || (one.columns?.from ?? 0) - (other.columns?.from ?? 0),
  );
}

function* findValues({ format, text }: SentFile, errors: readonly FileError[]): Generator<undefined, FoundError[]> {
  const found: FoundError[] = [];
  let [number, header] = [0, ''];
  for (const { line } of linesOf(decode(text))) {
    number += 1;
    if (number % linesAtOnce === 0) yield;
    if (header === '' && line.trim() !== '' && !namesSeparator(line)) header = line;
    for (let error = errors[found.length]; error?.line === number; error = errors[found.length]) {
      const value = format === 'CSV' ? cellAt(line, header, error) : columnsAt(line, error);
      found.push({ ...error, value: value?.slice(0, maxValue) ?? null });
    }
    if (found.length === errors.length) break;
  }
  // An error about missing lines at the end of a file has no line.
  for (const error of errors.slice(found.length)) found.push({ ...error, value: null });
  return found;
}

function columnsAt(line: string, { columns }: FileError): string | undefined {
  return columns && line.slice(columns.from - 1, columns.to).trim();
}

function cellAt(line: string, header: string, { field }: FileError): string | undefined {
  if (field === undefined) return undefined;
  const delimiter = delimiterOf(header);
  const at = splitCells(header, delimiter)?.findIndex((cell) => isColumn(cell, field)) ?? -1;
  return at === -1 ? undefined : splitCells(line, delimiter)?.[at];
}

/** Returns the error with which an act refuses its input; undefined when it does not. Errors that are not the caller's are thrown. */
async function refusalBy(act: () => Promise<unknown>): Promise<ApiError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error;
    throw error;
  }
}

/** The errors of one file that are kept: enough to give the file back with them. */
const maxFileErrors = 10_000;

/** Result of sending a file now, without sending it. */
export interface FileCheck {
  readonly format: FileFormat;
  readonly text: string;
  /** Number of contracts or payments that could be read. */
  readonly lineCount: number;
  /** Their total face value, or what was received with its surplus and without abatements, as far as the amounts have the right form; in BRL, two decimals. */
  readonly total: string;
  /** For payments, the total that is no receipt; null for contracts. */
  readonly totalAbated: string | null;
  /** Error with which sending the file would be refused; undefined if it would create a batch. */
  readonly refusal: ApiError | undefined;
  /** Why processing the batch would reject it; null when it would not, undefined when sending is refused already. */
  readonly rejection: Pick<Rejection, 'reason' | 'rules'> | null | undefined;
  /** Everything that is wrong, in the order of the lines. */
  readonly errors: FileErrors;
}
