import { Decimal } from '../../../shared/kernel/decimal.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { isName } from '../../../shared/kernel/identifying-text.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import { isCivilDate } from '../../../shared/graphql/scalars.js';
import { itemsOf, lineErrors, requireLineForm, type Besides, type LineError } from '../batches/check-lines.js';
import { isMoney, isSummed, moneyForm, positive } from '../batches/money.js';
import { beforeAssignment, beforeBaseDate, paymentRules } from './payment-rules.js';

export const settlementKinds = ['PAYMENT', 'ABATEMENT', 'DISCOUNT', 'REPURCHASE', 'SUBSTITUTION'] as const;
/**
 * All lower the balance; a payment and a repurchase are received. A discount is what an early payment or repurchase need not pay, by the contract's rate. A
 * repurchase and a substitution close the receivable.
 */
export type SettlementKind = (typeof settlementKinds)[number];
/** SQL of whether a row of settlements was received. */
export const isReceipt = `kind IN ('PAYMENT', 'REPURCHASE')`;

/** A payment as an originator sends it. Several payments of one receivable pay parts of its balance, in their order. */
export interface NewSettlement {
  readonly contractId: string;
  /** A `SettlementKind`, once it is checked; PAYMENT when it is not given. */
  readonly kind?: string | null | undefined;
  /** Decrease of the balance, in BRL, at most 2 decimals. */
  readonly settledAmount: string;
  /** Late interest and fines received with a payment: they lower no balance. 0 when it is not given. */
  readonly surplus?: string | null | undefined;
  /** `YYYY-MM-DD` */
  readonly settledDate: string;
  /** The originator's name for this payment of the receivable, so that it counts once however often it is sent. */
  readonly paymentReference?: string | null | undefined;
  /** Required but for payments and abatements. */
  readonly reason?: string | null | undefined;
  /** For a substitution: id of the receivable that takes the place. */
  readonly substituteId?: string | null | undefined;
  /** In the file that it was sent in. */
  readonly line?: number;
}

/** A payment without its contract, which a file names in another way. */
export type NamedPayment = Omit<NewSettlement, 'contractId'>;

/** The days on which an assigned contract can have been paid: civil dates in São Paulo. */
export interface SettlementPeriod {
  readonly assignedOn: string;
  /** The base dates before that day, by the ids of their receivables: what is paid from them on belongs to the estate. */
  readonly baseDates: ReadonlyMap<string, string>;
  readonly today: string;
}

/** Sums of the lines of a settlement batch as they were sent, in BRL. */
export interface SettlementTotals {
  /** Total of payments and repurchases, without their surplus. */
  readonly total: string;
  readonly totalSurplus: string;
  /** Total of all other kinds. */
  readonly totalAbated: string;
}

/** Adds up lines; amounts below 0, and those that do not have the documented form, are left out. */
export async function totalsOf(lines: readonly NamedPayment[]): Promise<SettlementTotals> {
  let [total, totalSurplus, totalAbated] = [new Decimal(0), new Decimal(0), new Decimal(0)];
  await eachInTurns(lines, ({ kind, settledAmount, surplus }) => {
    if (surplus != null && isSummed(surplus)) totalSurplus = totalSurplus.plus(surplus);
    if (!isSummed(settledAmount)) return;
    if (isReceived(kind)) total = total.plus(settledAmount);
    else totalAbated = totalAbated.plus(settledAmount);
  });
  return { total: total.toFixed(2), totalSurplus: totalSurplus.toFixed(2), totalAbated: totalAbated.toFixed(2) };
}

function isReceived(kind: string | null | undefined): boolean {
  return kind == null || kind === 'PAYMENT' || kind === 'REPURCHASE';
}

const longestReason = 200;
const referenceForm = /^[A-Za-z0-9._:/-]{1,100}$/;

const list = 'settlements';
/** The names of the places of payments in a JSON body. */
export const paymentsInBody = itemsOf(list);

/** @throws {ApiError} BAD_REQUEST with all errors of the form */
export async function requireForm(settlements: readonly NewSettlement[], besides: Besides = {}): Promise<void> {
  await requireLineForm(list, settlements, formErrors, besides);
}

/** @throws {ApiError} UNPROCESSABLE for payments that nobody can have made */
export async function requireMeaning(
  settlements: readonly NewSettlement[],
  period: SettlementPeriod,
  placeOf = paymentsInBody,
): Promise<void> {
  const errorsOf = (settlement: NewSettlement) => meaningErrors(settlement, period);
  refuse('UNPROCESSABLE', await lineErrors(placeOf, settlements, errorsOf));
}

function formErrors(payment: NewSettlement): LineError<NewSettlement>[] {
  const own = paymentFormErrors(payment);
  return isUuid(payment.contractId) ? own : [['contractId', paymentRules.contractIdForm], ...own];
}

/** The same without its contract. */
export function paymentFormErrors({
  kind,
  settledAmount,
  surplus,
  settledDate,
  paymentReference,
  reason,
  substituteId,
}: NamedPayment): LineError<NamedPayment>[] {
  const errors: LineError<NamedPayment>[] = [];
  if (kind != null && !settlementKinds.some((one) => one === kind)) errors.push(['kind', paymentRules.kindForm]);
  if (!isMoney(settledAmount)) errors.push(['settledAmount', moneyForm]);
  if (surplus != null && !isMoney(surplus)) errors.push(['surplus', moneyForm]);
  if (!isCivilDate(settledDate)) errors.push(['settledDate', paymentRules.dateForm]);
  if (paymentReference != null && !referenceForm.test(paymentReference)) {
    errors.push(['paymentReference', paymentRules.referenceForm]);
  }
  if (reason != null && !isName(reason, longestReason)) errors.push(['reason', paymentRules.reasonForm]);
  if (substituteId != null && !isUuid(substituteId)) errors.push(['substituteId', paymentRules.contractIdForm]);
  return errors;
}

/** Returns the values of a payment that nobody can have made. */
export function meaningErrors(
  { contractId, kind, settledAmount, surplus, settledDate, reason, substituteId }: NewSettlement,
  { assignedOn, baseDates, today }: SettlementPeriod,
): LineError<NewSettlement>[] {
  const errors: LineError<NewSettlement>[] = [];
  // Late charges may be paid without anything of the balance.
  const isCharge = (kind ?? 'PAYMENT') === 'PAYMENT' && new Decimal(surplus ?? 0).greaterThan(0);
  const amount = new Decimal(settledAmount);
  if (amount.isNegative() || (amount.isZero() && !isCharge)) errors.push(['settledAmount', positive]);
  if (surplus != null && new Decimal(surplus).isNegative()) errors.push(['surplus', paymentRules.surplusNegative]);
  if (surplus != null && !isReceived(kind) && !new Decimal(surplus).isZero())
    errors.push(['surplus', paymentRules.surplusOfAbatement]);
  if (reason == null && kind != null && kind !== 'PAYMENT' && kind !== 'ABATEMENT')
    errors.push(['reason', paymentRules.reasonMissing]);
  if ((kind === 'SUBSTITUTION') !== (substituteId != null))
    errors.push(['substituteId', paymentRules.substituteOfKind]);
  if (settledDate > today) errors.push(['settledDate', paymentRules.inFuture]);
  const baseDate = baseDates.get(contractId.toLowerCase());
  if (settledDate < (baseDate ?? assignedOn))
    errors.push(['settledDate', baseDate === undefined ? beforeAssignment(assignedOn) : beforeBaseDate(baseDate)]);
  return errors;
}
