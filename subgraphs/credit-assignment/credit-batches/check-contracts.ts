import { identifyingText, isName } from '../../../shared/kernel/identifying-text.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { isCnpj, isCpf, taxIdForm } from '../../../shared/kernel/tax-id.js';
import { refuse, type ErrorDetail } from '../../../shared/kernel/errors.js';
import { isCivilDate } from '../../../shared/graphql/scalars.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import { itemsOf, lineErrors, requireLineForm, type LineError, type PlaceOf } from '../batches/check-lines.js';
import { isMoney, moneyForm, positive } from '../batches/money.js';
import { contractRules, repeatedContract } from './contract-rules.js';

/** A contract as an originator sends it. */
export interface NewContract {
  /** Id in the originator's system: 1 to 100 characters, as `identifyingText` returns it. */
  readonly externalId: string;
  /** CPF or CNPJ without punctuation. */
  readonly debtorDocument: string;
  /** In BRL, at most 2 decimals. */
  readonly faceValue: string;
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
}

const longestExternalId = 100;

const list = 'contracts';
const inBody = itemsOf(list);

/** What a check of contracts may be given besides. */
interface Besides {
  /** Errors in the rest of the input. */
  readonly others?: readonly ErrorDetail[];
  /** The names of the places of the contracts; those of a JSON body when omitted. */
  readonly placeOf?: PlaceOf;
}

/** Returns a contract whose id has its identifying form. */
export function identified<Contract extends Pick<NewContract, 'externalId'>>(contract: Contract): Contract {
  return { ...contract, externalId: identifyingText(contract.externalId) };
}

/**
 * Rejects contracts that do not have the documented form, with all their errors.
 * @throws {ApiError} BAD_REQUEST
 */
export async function requireForm(contracts: readonly NewContract[], besides: Besides = {}): Promise<void> {
  await requireLineForm(list, contracts, formErrors, besides);
}

/**
 * Rejects contracts whose values cannot be true, with all their errors.
 * @param today civil date in São Paulo
 * @throws {ApiError} UNPROCESSABLE
 */
export async function requireMeaning(
  contracts: readonly NewContract[],
  today: string,
  { others = [], placeOf = inBody }: Besides = {},
): Promise<void> {
  const errors = await lineErrors(placeOf, contracts, (contract) => meaningErrors(contract, today));
  refuse('UNPROCESSABLE', [...others, ...errors]);
}

/**
 * Rejects contracts if two of them share an external id.
 * @throws {ApiError} DUPLICATE_CONTRACT
 */
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

/**
 * Rejects contracts whose external ids are already in the batch.
 * @throws {ApiError} DUPLICATE_CONTRACT
 */
export function requireNew(contracts: readonly NewContract[], known: ReadonlySet<string>): void {
  refuse(
    'DUPLICATE_CONTRACT',
    contracts.flatMap(({ externalId }, index) =>
      known.has(externalId) ? [{ path: inBody(index, 'externalId'), message: contractRules.inBatch.message }] : [],
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
    errors.push(['debtorDocument', contractRules.checkDigits]);
  }
  if (!new Decimal(faceValue).greaterThan(0)) errors.push(['faceValue', positive]);
  if (dueDate <= today) errors.push(['dueDate', contractRules.dueDatePast]);
  return errors;
}

/** Returns everything that is wrong with the values of a contract: the form of some, the meaning of those that have the right form. */
export function valueErrors(contract: NewContract, today: string): LineError<NewContract>[] {
  const ofForm = formErrors(contract);
  const misshapen = new Set(ofForm.map(([field]) => field));
  const legible = {
    ...contract,
    ...(misshapen.has('faceValue') ? { faceValue: '1' } : {}),
    ...(misshapen.has('dueDate') ? { dueDate: today } : {}),
  };
  return [...ofForm, ...meaningErrors(legible, today).filter(([field]) => !misshapen.has(field))];
}

/** Returns the values of a contract that do not have the documented form. */
function formErrors({ externalId, debtorDocument, faceValue, dueDate }: NewContract): LineError<NewContract>[] {
  const errors: LineError<NewContract>[] = [];
  if (!isName(externalId, longestExternalId)) errors.push(['externalId', contractRules.externalIdForm]);
  if (!taxIdForm.test(debtorDocument)) errors.push(['debtorDocument', contractRules.taxIdForm]);
  if (!isMoney(faceValue)) errors.push(['faceValue', moneyForm]);
  if (!isCivilDate(dueDate)) errors.push(['dueDate', contractRules.dateForm]);
  return errors;
}
