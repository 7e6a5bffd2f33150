import { Decimal } from '../../../shared/kernel/decimal.js';
import { refuse, type ErrorDetail } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { isCivilDate } from '../../../shared/graphql/scalars.js';
import { itemsOf, lineErrors, requireLineForm, type LineError, type PlaceOf } from '../batches/check-lines.js';
import { isMoney, moneyForm, positive } from '../batches/money.js';
import { beforeAssignment, paymentRules } from './payment-rules.js';

/** A payment as an originator sends it. Several payments of one receivable pay parts of its balance, in their order. */
export interface NewSettlement {
  /** Id of the receivable. */
  readonly contractId: string;
  /** In BRL, at most 2 decimals. */
  readonly settledAmount: string;
  /** `YYYY-MM-DD` */
  readonly settledDate: string;
  /** The originator's name for this payment of the receivable, so that it counts once however often it is sent. */
  readonly paymentReference?: string | null | undefined;
}

/** A payment without its contract, which a file names in another way. */
export type NamedPayment = Omit<NewSettlement, 'contractId'>;

/** The days on which an assigned contract can have been paid: civil dates in São Paulo. */
export interface SettlementPeriod {
  /** The day on which the credit batch was assigned. */
  readonly assignedOn: string;
  readonly today: string;
}

const referenceForm = /^[A-Za-z0-9._:/-]{1,100}$/;

const list = 'settlements';
/** The names of the places of payments in a JSON body. */
export const paymentsInBody = itemsOf(list);

/** What a check of payments may be given besides. */
interface Besides {
  /** Errors in the rest of the input. */
  readonly others?: readonly ErrorDetail[];
  /** The names of the places of the payments; those of a JSON body when omitted. */
  readonly placeOf?: PlaceOf;
}

/**
 * Rejects payments that do not have the documented form, with all their errors.
 * @throws {ApiError} BAD_REQUEST
 */
export async function requireForm(settlements: readonly NewSettlement[], besides: Besides = {}): Promise<void> {
  await requireLineForm(list, settlements, formErrors, besides);
}

/**
 * Rejects payments that nobody can have made, with all their errors.
 * @throws {ApiError} UNPROCESSABLE
 */
export async function requireMeaning(
  settlements: readonly NewSettlement[],
  period: SettlementPeriod,
  placeOf = paymentsInBody,
): Promise<void> {
  const errorsOf = (settlement: NewSettlement) => meaningErrors(settlement, period);
  refuse('UNPROCESSABLE', await lineErrors(placeOf, settlements, errorsOf));
}

/** Returns the values of a payment that do not have the documented form. */
function formErrors(payment: NewSettlement): LineError<NewSettlement>[] {
  const own = paymentFormErrors(payment);
  return isUuid(payment.contractId) ? own : [['contractId', paymentRules.contractIdForm], ...own];
}

/** The same without its contract. */
export function paymentFormErrors({
  settledAmount,
  settledDate,
  paymentReference,
}: NamedPayment): LineError<NamedPayment>[] {
  const errors: LineError<NamedPayment>[] = [];
  if (!isMoney(settledAmount)) errors.push(['settledAmount', moneyForm]);
  if (!isCivilDate(settledDate)) errors.push(['settledDate', paymentRules.dateForm]);
  if (paymentReference != null && !referenceForm.test(paymentReference)) {
    errors.push(['paymentReference', paymentRules.referenceForm]);
  }
  return errors;
}

/** Returns the values of a payment that nobody can have made. */
export function meaningErrors(
  { settledAmount, settledDate }: NewSettlement,
  { assignedOn, today }: SettlementPeriod,
): LineError<NewSettlement>[] {
  const errors: LineError<NewSettlement>[] = [];
  if (!new Decimal(settledAmount).greaterThan(0)) errors.push(['settledAmount', positive]);
  if (settledDate > today) errors.push(['settledDate', paymentRules.inFuture]);
  if (settledDate < assignedOn) errors.push(['settledDate', beforeAssignment(assignedOn)]);
  return errors;
}
