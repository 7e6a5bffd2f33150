import { identifyingText, isName } from '../../../shared/kernel/identifying-text.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { isInvoiceKey, invoiceKeyForm } from './invoice-key.js';
import { isCnpj, isCpf, taxIdForm } from '../../../shared/kernel/tax-id.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { isCivilDate } from '../../../shared/graphql/scalars.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import { itemsOf, lineErrors, requireLineForm, type Besides, type LineError } from '../batches/check-lines.js';
import { isMoney, isSummed, moneyForm, positive } from '../batches/money.js';
import { assetTypes } from '../../securities/asset-type.js';
import { dayCounts } from '../../securities/day-count.js';
import { states } from '../../securities/state.js';
import type { BrokenRule } from '../batches/broken-rule.js';
import { contractRules, principalDiffers, repeatedContract } from './contract-rules.js';

export interface NewContract {
  /** Id in the originator's system: 1 to 100 characters, as `identifyingText` returns it. */
  readonly externalId: string;
  /** CPF or CNPJ without punctuation. */
  readonly debtorDocument: string;
  /** In BRL, at most 2 decimals. */
  readonly faceValue: string;
  /** `YYYY-MM-DD`: of the last instalment. */
  readonly dueDate: string;
  readonly debtorName?: string | null;
  /** The debtor's state, two letters. */
  readonly debtorUf?: string | null;
  /** The price that the estate pays for the contract, in BRL. */
  readonly purchasePrice?: string | null;
  /** The day of which the price is; the day on which the batch was created when it is not given. */
  readonly baseDate?: string | null;
  /** Percent a year, by the day count. */
  readonly interestRate?: string | null;
  /** A `DayCount`, once it is checked. */
  readonly dayCount?: string | null;
  /** Instalments by number; if absent, one instalment of the face value. */
  readonly installments?: readonly Installment[] | null;
  /** Whether the assignor is liable for the debtor; a text is a cell that says neither yes nor no. */
  readonly coobligation?: boolean | string | null;
  /** CPF or CNPJ of the assignor, where it is not the originator itself. */
  readonly assignorDocument?: string | null;
  /** Access key of the invoice (NF-e). */
  readonly invoiceKey?: string | null;
  /** In the file that it was sent in. */
  readonly line?: number;
  /** An `AssetType`, once it is checked; CCB when it is not given. */
  readonly type?: string | null;
}

/** An instalment of a contract. Money in BRL, at most 2 decimals. */
export interface Installment {
  /** From 1, without gaps. */
  readonly number: number;
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
  readonly principal: string;
  readonly interest: string;
}

const longestExternalId = 100;
const longestDebtorName = 200;
/** Forty years of months. */
export const mostInstallments = 480;
const rateForm = /^\d{1,6}(\.\d{1,8})?$/;

/** Returns the amount that a debtor owes by a contract: the face value, and the interest of its instalments. */
export function amountDue({ faceValue, installments }: Pick<NewContract, 'faceValue' | 'installments'>): string {
  return installments == null
    ? faceValue
    : sum(installments.flatMap(({ principal, interest }) => [principal, interest])).toFixed(2);
}

export function totalPrice(contracts: readonly Pick<NewContract, 'purchasePrice'>[]): string | null {
  const prices = contracts.flatMap(({ purchasePrice }) => purchasePrice ?? []).filter(isSummed);
  return prices.length === 0 ? null : sum(prices).toFixed(2);
}

const list = 'contracts';
const inBody = itemsOf(list);

export function identified<Contract extends Pick<NewContract, 'externalId' | 'debtorName'>>(
  contract: Contract,
): Contract {
  const { externalId, debtorName } = contract;
  const name = debtorName == null ? {} : { debtorName: identifyingText(debtorName) };
  return { ...contract, ...name, externalId: identifyingText(externalId) };
}

/** @throws {ApiError} BAD_REQUEST with all errors of the form */
export async function requireForm(contracts: readonly NewContract[], besides: Besides = {}): Promise<void> {
  await requireLineForm(list, contracts, formErrors, besides);
}

/** ALL_OR_NOTHING: one contract with an error rejects the batch. ELIGIBLE_ONLY: it is refused, and the others are assigned. */
export type BatchMode = 'ALL_OR_NOTHING' | 'ELIGIBLE_ONLY';

/** Reports all errors; by ELIGIBLE_ONLY processing refuses only these contracts. @param today civil date in São Paulo @throws {ApiError} UNPROCESSABLE */
export async function requireMeaning(
  { mode, contracts }: { readonly mode: BatchMode; readonly contracts: readonly NewContract[] },
  today: string,
  { others = [], placeOf = inBody }: Besides = {},
): Promise<void> {
  const judged = mode === 'ELIGIBLE_ONLY' ? [] : contracts;
  const errors = await lineErrors(placeOf, judged, (contract) => meaningErrors(contract, today));
  refuse('UNPROCESSABLE', [...others, ...errors]);
}

/** @throws {ApiError} DUPLICATE_CONTRACT if two contracts share an external id */
export async function requireDistinct(contracts: readonly NewContract[], placeOf = inBody): Promise<void> {
  const details = (await repeatedContracts(contracts)).map(({ index, first }) => ({
    path: placeOf(index, 'externalId'),
    message: repeatedContract(placeOf(first)).message,
  }));
  refuse('DUPLICATE_CONTRACT', details);
}

/** Returns the contracts that have the external id of an earlier one, and the first that has it. */
export async function repeatedContracts(
  contracts: readonly Pick<NewContract, 'externalId'>[],
): Promise<{ readonly index: number; readonly first: number }[]> {
  const places = new Map<string, number>();
  const repeated: { index: number; first: number }[] = [];
  await eachInTurns(contracts, ({ externalId }, index) => {
    const first = places.get(externalId);
    if (first === undefined) places.set(externalId, index);
    else repeated.push({ index, first });
  });
  return repeated;
}

/** @throws {ApiError} DUPLICATE_CONTRACT for external ids that are already in the batch */
export function requireNew(contracts: readonly NewContract[], known: ReadonlySet<string>): void {
  refuse(
    'DUPLICATE_CONTRACT',
    contracts.flatMap(({ externalId }, index) =>
      known.has(externalId) ? [{ path: inBody(index, 'externalId'), message: contractRules.inBatch.message }] : [],
    ),
  );
}

/** Checks check digits, amounts, days, and instalments that do not make up the contract. @param misshapen fields without the right form, of which nothing can be said */
export function meaningErrors(
  contract: NewContract,
  today: string,
  misshapen: ReadonlySet<string> = new Set(),
): LineError<NewContract>[] {
  const errors: LineError<NewContract>[] = [];
  const { debtorDocument, faceValue, dueDate, purchasePrice, baseDate, assignorDocument, invoiceKey } = contract;
  const add = (field: keyof NewContract, rule: BrokenRule, isBroken: () => boolean) => {
    if (!misshapen.has(field) && isBroken()) errors.push([field, rule]);
  };
  add('debtorDocument', contractRules.checkDigits, () => !isTaxId(debtorDocument));
  add('faceValue', positive, () => !new Decimal(faceValue).greaterThan(0));
  add('dueDate', contractRules.dueDatePast, () => dueDate <= today);
  if (purchasePrice != null) add('purchasePrice', positive, () => !new Decimal(purchasePrice).greaterThan(0));
  if (baseDate != null) {
    add('baseDate', contractRules.baseDateFuture, () => baseDate > today);
    if (!misshapen.has('dueDate') && dueDate > today)
      add('baseDate', contractRules.baseDateLate, () => baseDate >= dueDate);
  }
  if (contract.interestRate != null) add('dayCount', contractRules.dayCountMissing, () => contract.dayCount == null);
  if (assignorDocument != null) add('assignorDocument', contractRules.checkDigits, () => !isTaxId(assignorDocument));
  if (invoiceKey != null) add('invoiceKey', contractRules.invoiceCheckDigit, () => !isInvoiceKey(invoiceKey));
  if (misshapen.has('installments')) return errors;
  return [...errors, ...installmentErrors(contract, today, misshapen)];
}

function isTaxId(text: string): boolean {
  return isCpf(text) || isCnpj(text);
}

/** Returns how the instalments of a contract do not make it up: their days rise from the base date to the due date, and their principal is the face value. */
function installmentErrors(
  { installments, faceValue, dueDate, baseDate }: NewContract,
  today: string,
  misshapen: ReadonlySet<string>,
): LineError<NewContract>[] {
  const last = installments?.at(-1);
  if (installments == null || last === undefined) return [];
  const errors: LineError<NewContract>[] = [];
  let before = baseDate ?? today;
  for (const [index, one] of installments.entries()) {
    if (one.number !== index + 1) errors.push([`installments[${index}].number`, contractRules.installmentNumber]);
    if (!misshapen.has('baseDate') && one.dueDate <= before)
      errors.push([`installments[${index}].dueDate`, contractRules.installmentOrder]);
    if (new Decimal(one.principal).plus(one.interest).isZero())
      errors.push([`installments[${index}].principal`, contractRules.installmentEmpty]);
    before = one.dueDate;
  }
  const principal = sum(installments.map((one) => one.principal));
  if (!misshapen.has('faceValue') && !principal.equals(faceValue))
    errors.push(['installments', principalDiffers(principal.toFixed(2), new Decimal(faceValue).toFixed(2))]);
  if (!misshapen.has('dueDate') && last.dueDate !== dueDate) errors.push(['dueDate', contractRules.dueDateDiffers]);
  return errors;
}

/** Returns everything that is wrong with the values of a contract: the form of some, the meaning of those that have the right form. */
export function valueErrors(contract: NewContract, today: string): LineError<NewContract>[] {
  const ofForm = formErrors(contract);
  const misshapen = new Set(ofForm.map(([field]) => field.replace(/\[.*/, '')));
  return [...ofForm, ...meaningErrors(contract, today, misshapen)];
}

function formErrors(contract: NewContract): LineError<NewContract>[] {
  const { externalId, debtorDocument, faceValue, dueDate, debtorName, debtorUf, purchasePrice, baseDate } = contract;
  const { interestRate, dayCount, installments, coobligation, assignorDocument, invoiceKey, type } = contract;
  const errors: LineError<NewContract>[] = [];
  if (!isName(externalId, longestExternalId)) errors.push(['externalId', contractRules.externalIdForm]);
  if (!taxIdForm.test(debtorDocument)) errors.push(['debtorDocument', contractRules.taxIdForm]);
  if (!isMoney(faceValue)) errors.push(['faceValue', moneyForm]);
  if (!isCivilDate(dueDate)) errors.push(['dueDate', contractRules.dateForm]);
  if (debtorName != null && !isName(debtorName, longestDebtorName))
    errors.push(['debtorName', contractRules.debtorNameForm]);
  if (debtorUf != null && !states.includes(debtorUf)) errors.push(['debtorUf', contractRules.state]);
  if (purchasePrice != null && !isMoney(purchasePrice)) errors.push(['purchasePrice', moneyForm]);
  if (baseDate != null && !isCivilDate(baseDate)) errors.push(['baseDate', contractRules.dateForm]);
  if (interestRate != null && !rateForm.test(interestRate)) errors.push(['interestRate', contractRules.rateForm]);
  if (dayCount != null && !Object.hasOwn(dayCounts, dayCount)) errors.push(['dayCount', contractRules.dayCount]);
  if (coobligation != null && typeof coobligation !== 'boolean') errors.push(['coobligation', contractRules.yesOrNo]);
  if (assignorDocument != null && !taxIdForm.test(assignorDocument))
    errors.push(['assignorDocument', contractRules.taxIdForm]);
  if (invoiceKey != null && !invoiceKeyForm.test(invoiceKey)) errors.push(['invoiceKey', contractRules.invoiceKeyForm]);
  if (type != null && !assetTypes.some((each) => each === type)) errors.push(['type', contractRules.type]);
  return installments == null ? errors : [...errors, ...installmentFormErrors(installments)];
}

function installmentFormErrors(installments: readonly Installment[]): LineError<NewContract>[] {
  if (installments.length === 0 || installments.length > mostInstallments)
    return [['installments', contractRules.installmentCount]];
  return installments.flatMap(({ dueDate, principal, interest }, index) => {
    const errors: LineError<NewContract>[] = [];
    if (!isCivilDate(dueDate)) errors.push([`installments[${index}].dueDate`, contractRules.dateForm]);
    for (const [field, amount] of Object.entries({ principal, interest }))
      if (!isSummed(amount)) errors.push([`installments[${index}].${field}`, moneyForm]);
    return errors;
  });
}
