import { Decimal } from '../../../shared/decimal.js';
import { isCnpj, isCpf, taxIdForm } from '../../../shared/tax-id.js';
import { refuse, type ErrorDetail } from '../../../shared/errors.js';
import { isCivilDate } from '../../../shared/subgraph/scalars.js';
import { eachInTurns } from '../../../shared/turns.js';
import { lineErrors, requireLineForm, type LineError } from '../batches/check-lines.js';
import { isMoney, moneyRule } from '../batches/money.js';

/** A contract as an originator sends it. */
export interface NewContract {
  /** Id in the originator's system: 1 to 100 characters, no blank at either end. */
  readonly externalId: string;
  /** CPF or CNPJ without punctuation. */
  readonly debtorDocument: string;
  /** In BRL, at most 2 decimals. */
  readonly faceValue: string;
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
}

/** No control characters and no lone surrogates; nothing invisible at either end, since two ids that look alike would be two contracts. */
const externalIdForm = /^(?![\p{Z}\p{Cf}])[^\p{Cc}\p{Cs}]{1,100}(?<![\p{Z}\p{Cf}])$/u;

/**
 * Rejects contracts that do not have the documented form, with all their errors.
 * @param others errors in the rest of the input
 * @throws {ApiError} BAD_REQUEST
 */
export async function requireForm(
  contracts: readonly NewContract[],
  others: readonly ErrorDetail[] = [],
): Promise<void> {
  await requireLineForm('contracts', contracts, formErrors, others);
}

/**
 * Rejects contracts whose values cannot be true, with all their errors.
 * @param today civil date in São Paulo
 * @param others errors in the rest of the input
 * @throws {ApiError} UNPROCESSABLE
 */
export async function requireMeaning(
  contracts: readonly NewContract[],
  today: string,
  others: readonly ErrorDetail[] = [],
): Promise<void> {
  const errors = await lineErrors('contracts', contracts, (contract) => meaningErrors(contract, today));
  refuse('UNPROCESSABLE', [...others, ...errors]);
}

/**
 * Rejects contracts if two of them share an external id.
 * @throws {ApiError} DUPLICATE_CONTRACT
 */
export async function requireDistinct(contracts: readonly NewContract[]): Promise<void> {
  const places = new Map<string, number>();
  const details: ErrorDetail[] = [];
  await eachInTurns(contracts, ({ externalId }, index) => {
    const first = places.get(externalId);
    if (first === undefined) places.set(externalId, index);
    else
      details.push({
        path: `contracts[${index}].externalId`,
        message: `is the same as that of contracts[${first}]: each contract may occur once in a batch`,
      });
  });
  refuse('DUPLICATE_CONTRACT', details);
}

/**
 * Rejects contracts whose external ids are already in the batch.
 * @throws {ApiError} DUPLICATE_CONTRACT
 */
export function requireNew(contracts: readonly NewContract[], known: ReadonlySet<string>): void {
  refuse(
    'DUPLICATE_CONTRACT',
    contracts.flatMap(({ externalId }, index) =>
      known.has(externalId) ? [{ path: `contracts[${index}].externalId`, message: 'is already in the batch' }] : [],
    ),
  );
}

/** Returns the values of a contract that cannot be true: check digits, amount, due date. */
export function meaningErrors(
  { debtorDocument, faceValue, dueDate }: NewContract,
  today: string,
): LineError<NewContract>[] {
  const errors: LineError<NewContract>[] = [];
  if (!isCpf(debtorDocument) && !isCnpj(debtorDocument)) {
    errors.push(['debtorDocument', 'has wrong check digits']);
  }
  if (!new Decimal(faceValue).greaterThan(0)) errors.push(['faceValue', 'must be greater than 0']);
  if (dueDate <= today) errors.push(['dueDate', 'must be in the future']);
  return errors;
}

function formErrors({ externalId, debtorDocument, faceValue, dueDate }: NewContract): LineError<NewContract>[] {
  const errors: LineError<NewContract>[] = [];
  if (!externalIdForm.test(externalId)) {
    errors.push(['externalId', 'must have from 1 to 100 characters, no blank at an end and no control character']);
  }
  if (!taxIdForm.test(debtorDocument)) {
    errors.push(['debtorDocument', 'must be a CPF of 11 digits or a CNPJ of 14 characters, without punctuation']);
  }
  if (!isMoney(faceValue)) {
    errors.push(['faceValue', moneyRule]);
  }
  if (!isCivilDate(dueDate)) errors.push(['dueDate', 'must be a date that exists, as YYYY-MM-DD']);
  return errors;
}
