import { Decimal } from '../../../shared/decimal.js';
import { refuse, type ErrorDetail } from '../../../shared/errors.js';
import { isUuid } from '../../../shared/ids.js';
import { isCivilDate } from '../../../shared/subgraph/scalars.js';
import { lineErrors, requireLineForm, type LineError } from '../batches/check-lines.js';
import { isMoney, moneyRule } from '../batches/money.js';

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

/** The days on which an assigned contract can have been paid: civil dates in São Paulo. */
export interface SettlementPeriod {
  /** The day on which the credit batch was assigned. */
  readonly assignedOn: string;
  readonly today: string;
}

const referenceForm = /^[A-Za-z0-9._:/-]{1,100}$/;
/** The rule for payment references, as the end of a sentence. */
export const referenceRule = 'must have from 1 to 100 letters, digits, dots, hyphens, underscores, colons and slashes';

/**
 * Rejects payments that do not have the documented form, with all their errors.
 * @param others errors in the rest of the input
 * @throws {ApiError} BAD_REQUEST
 */
export async function requireForm(
  settlements: readonly NewSettlement[],
  others: readonly ErrorDetail[] = [],
): Promise<void> {
  await requireLineForm('settlements', settlements, formErrors, others);
}

/**
 * Rejects payments that nobody can have made, with all their errors.
 * @throws {ApiError} UNPROCESSABLE
 */
export async function requireMeaning(settlements: readonly NewSettlement[], period: SettlementPeriod): Promise<void> {
  const errorsOf = (settlement: NewSettlement) => meaningErrors(settlement, period);
  refuse('UNPROCESSABLE', await lineErrors('settlements', settlements, errorsOf));
}

function formErrors({
  contractId,
  settledAmount,
  settledDate,
  paymentReference,
}: NewSettlement): LineError<NewSettlement>[] {
  const errors: LineError<NewSettlement>[] = [];
  if (!isUuid(contractId)) errors.push(['contractId', 'must be a UUID']);
  if (!isMoney(settledAmount)) {
    errors.push(['settledAmount', moneyRule]);
  }
  if (!isCivilDate(settledDate)) errors.push(['settledDate', 'must be a date that exists, as YYYY-MM-DD']);
  if (paymentReference != null && !referenceForm.test(paymentReference)) {
    errors.push(['paymentReference', referenceRule]);
  }
  return errors;
}

function meaningErrors(
  { settledAmount, settledDate }: NewSettlement,
  { assignedOn, today }: SettlementPeriod,
): LineError<NewSettlement>[] {
  const errors: LineError<NewSettlement>[] = [];
  if (!new Decimal(settledAmount).greaterThan(0)) errors.push(['settledAmount', 'must be greater than 0']);
  if (settledDate > today) errors.push(['settledDate', 'must not be in the future']);
  if (settledDate < assignedOn) {
    errors.push(['settledDate', `must not be before ${assignedOn}, the day on which the credit batch was assigned`]);
  }
  return errors;
}
