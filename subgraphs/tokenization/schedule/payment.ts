import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { ApiError, refuse, type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import type { PaymentStatus } from '../../securities/payments.js';
import type { ScheduleEntryRow } from './schedule.store.js';

/** Parts of a payment, in BRL with 2 decimals, in the order of the imputation. */
export interface Imputation {
  readonly expenses: string;
  /** Late charges: the fine, the interest for the delay, and the remuneration that went on. */
  readonly fine: string;
  readonly mora: string;
  readonly remuneration: string;
  readonly interest: string;
  readonly principal: string;
  /** The premium of an event, and what was paid beyond what was due. */
  readonly premium: string;
}

/** A payment of an instalment, for all units of the series. */
export interface PaymentRow extends Imputation {
  /** Null for the payment of an instalment that an import marked as paid. */
  readonly id: string | null;
  /** `YYYY-MM-DD` */
  readonly paidOn: string;
  readonly amount: string;
  readonly reference: string | null;
  readonly recordedAt: Date | null;
  readonly reversedAt: Date | null;
  readonly reversalReason: string | null;
}

/** A payment as an operator states it; amounts are in BRL with at most 2 decimals. */
export interface Payment {
  /** `YYYY-MM-DD` */
  readonly paidOn: string;
  /** All that was paid, with what is named below; undefined to pay what is open, or what `values` say, and what is named. */
  readonly amount?: string | undefined;
  readonly values?: { readonly interestValue: string; readonly principalValue: string } | undefined;
  readonly expenses?: string | undefined;
  readonly lateCharges?: string | undefined;
  readonly premium?: string | undefined;
  readonly reference?: string | undefined;
}

/** Charges of a late payment besides interest and principal, in reais with 2 decimals, less the part that was paid. */
export interface LateCharges {
  readonly fine: string;
  readonly mora: string;
  /** Null while a published number is missing, as is `total`. */
  readonly remuneration: string | null;
  readonly total: string | null;
}

/** The status of an instalment as it is shown: what is stored goes by the due day until all is paid. */
export type ScheduleEntryStatus = PaymentStatus | 'PARTIALLY_PAID';

export type DueColumns = Pick<
  ScheduleEntryRow,
  | 'status'
  | 'interestValue'
  | 'principalValue'
  | 'premiumValue'
  | 'totalValue'
  | 'recordedInterest'
  | 'recordedPrincipal'
  | 'recordedPremium'
>;

export function shownStatus(row: DueColumns): ScheduleEntryStatus {
  return row.status !== 'PAID' && new Decimal(paidOf(row).totalValue).gt(0) ? 'PARTIALLY_PAID' : row.status;
}

/** Returns the paid amounts of an instalment, in reais with 2 decimals. */
export function paidOf(
  row: DueColumns,
): Readonly<Record<'interestValue' | 'principalValue' | 'premiumValue' | 'totalValue', string>> {
  const { status, interestValue, principalValue, premiumValue, recordedInterest, recordedPrincipal } = row;
  const [interest, principal, premium] =
    status === 'PAID'
      ? [interestValue ?? '0', principalValue ?? '0', premiumValue]
      : [recordedInterest, recordedPrincipal, Decimal.min(row.recordedPremium, premiumValue)];
  return {
    interestValue: new Decimal(interest).toFixed(2),
    principalValue: new Decimal(principal).toFixed(2),
    premiumValue: new Decimal(premium).toFixed(2),
    totalValue: sum([interest, principal, premium]).toFixed(2),
  };
}

/** Returns reais with 2 decimals; null where what is due is not known. @param totalValue what is due, by a projection if the instalment has no amounts */
export function openOf(row: DueColumns, totalValue = row.totalValue): string | null {
  return totalValue === null ? null : atLeastZero(new Decimal(totalValue).minus(paidOf(row).totalValue)).toFixed(2);
}

const atLeastZero = (value: Decimal) => Decimal.max(value, 0);
const nothing = '0.00';

/** Returns all payments of an instalment: the recorded ones, or the one that an import brought. */
export function paymentsOf(row: ScheduleEntryRow, recorded: readonly PaymentRow[]): readonly PaymentRow[] {
  const { status, paidOn } = row;
  const paid = paidOf(row);
  const isRecorded = sum([row.recordedInterest, row.recordedPrincipal, row.recordedPremium]).gt(0);
  if (status !== 'PAID' || paidOn === null || isRecorded || new Decimal(paid.totalValue).isZero()) return recorded;
  const { interestValue: interest, principalValue: principal, premiumValue: premium, totalValue: amount } = paid;
  const none = { id: null, reference: null, recordedAt: null, reversedAt: null, reversalReason: null };
  const named = { expenses: nothing, fine: nothing, mora: nothing, remuneration: nothing };
  return [...recorded, { ...none, ...named, paidOn, amount, interest, principal, premium }];
}

/** The result of a payment: the instalment after it, and its record; without one, nothing was paid that was not recorded before. */
export interface PaidInstalment {
  readonly instalment: ScheduleEntryRow;
  readonly payment?: Imputation & Pick<PaymentRow, 'paidOn' | 'amount' | 'reference'>;
}

export interface PaymentFacts {
  /** Civil date in São Paulo. */
  readonly today: string;
  readonly payments: readonly PaymentRow[];
  /** The late charges that are open on the day of the payment; undefined for a series whose terms have none. */
  readonly charges: LateCharges | undefined;
}

/**
 * Imputes a payment to an instalment: expenses, late charges, interest, principal, premium, in this order (Código Civil, art. 354: interest before
 * principal). The premium of an event is due as the rest is. What is named goes where its name says; the rest never exceeds what is open. Returns the same instalment if this payment was recorded already.
 * @throws {ApiError} UNPROCESSABLE for an impossible payment or one of more than is due, CONFLICT for an instalment that is paid, or has no amounts
 */
export function pay(instalment: ScheduleEntryRow, given: Payment, facts: PaymentFacts): PaidInstalment {
  refuseImpossible(instalment, given, facts.today);
  if (facts.payments.some((payment) => isSame(instalment, given, payment))) return { instalment };
  if (instalment.status === 'PAID' && !isBeyond(given)) throw alreadyPaid(instalment);
  const due = dueOf(instalment, given);
  const open = {
    interest: leftOf(due.interestValue, instalment, 'interestValue'),
    principal: leftOf(due.principalValue, instalment, 'principalValue'),
    premium: leftOf(instalment.premiumValue, instalment, 'premiumValue'),
  };
  const imputed = imputationOf(given, open, facts.charges);
  const amount = sum(Object.values(imputed));
  if (amount.isZero() && (instalment.totalValue === null || sum(Object.values(open)).gt(0)))
    refuse('UNPROCESSABLE', [errorAt('amount', 'AMOUNT_POSITIVE')]);
  const after = paidBy(instalment, due, imputed, lastOf([given.paidOn, ...paidDays(facts.payments)]));
  if (amount.isZero()) return { instalment: after };
  const { paidOn, reference = null } = given;
  return { instalment: after, payment: { ...imputed, paidOn, amount: amount.toFixed(2), reference } };
}

/** Whether a payment pays nothing of the instalment itself: charges that follow a late one, for example. */
function isBeyond({ amount, values, expenses = '0', lateCharges = '0', premium = '0' }: Payment): boolean {
  const named = sum([expenses, lateCharges, premium]);
  const own = amount === undefined ? sum(Object.values(values ?? {})) : new Decimal(amount).minus(named);
  return named.gt(0) && own.isZero();
}

const paidDays = (payments: readonly PaymentRow[]) =>
  payments.flatMap(({ paidOn, reversedAt }) => (reversedAt === null ? [paidOn] : []));
const lastOf = (days: readonly string[]) => [...days].sort().at(-1) ?? '';

function paidBy(
  instalment: ScheduleEntryRow,
  due: DueValues,
  { interest, principal, premium }: Imputation,
  paidOn: string,
): ScheduleEntryRow {
  const recordedInterest = sum([instalment.recordedInterest, interest]);
  const recordedPrincipal = sum([instalment.recordedPrincipal, principal]);
  const recordedPremium = sum([instalment.recordedPremium, premium]);
  const recorded = {
    recordedInterest: recordedInterest.toFixed(2),
    recordedPrincipal: recordedPrincipal.toFixed(2),
    recordedPremium: recordedPremium.toFixed(2),
  };
  const isWhole =
    recordedInterest.eq(due.interestValue) &&
    recordedPrincipal.eq(due.principalValue) &&
    recordedPremium.gte(instalment.premiumValue);
  const status = isWhole ? scheduleTransitions[instalment.status].PAID_IN_FULL : undefined;
  if (status === undefined) return { ...instalment, ...recorded };
  const total = sum([due.interestValue, due.principalValue, instalment.premiumValue]).toFixed(2);
  const [interestValue, principalValue] = [recorded.recordedInterest, recorded.recordedPrincipal];
  return { ...instalment, ...recorded, status, paidOn, interestValue, principalValue, totalValue: total };
}

function alreadyPaid({ paidOn, totalValue }: ScheduleEntryRow): ApiError {
  return new ApiError('CONFLICT', {
    message: `The instalment was already paid on ${paidOn ?? ''}, R$ ${totalValue ?? ''}`,
  });
}

interface DueValues {
  readonly interestValue: string;
  readonly principalValue: string;
}

/** Returns the amounts due: by the price of its day or else, without a price, as the operator states them. */
function dueOf(instalment: ScheduleEntryRow, { values }: Payment): DueValues {
  const { interestValue, principalValue, calculationDate } = instalment;
  if (interestValue !== null && principalValue !== null) return { interestValue, principalValue };
  if (values !== undefined) return values;
  throw new ApiError('CONFLICT', {
    message: `The instalment has no value yet: have ${calculationDate} priced first, or give the paid interest and principal`,
  });
}

function leftOf(due: string, instalment: ScheduleEntryRow, field: keyof DueValues | 'premiumValue'): Decimal {
  return atLeastZero(new Decimal(due).minus(paidOf(instalment)[field]));
}

interface OpenParts {
  readonly interest: Decimal;
  readonly principal: Decimal;
  readonly premium: Decimal;
}

function imputationOf(given: Payment, open: OpenParts, charges: LateCharges | undefined): Imputation {
  const { amount, values, expenses = '0', lateCharges = '0', premium = '0' } = given;
  const named = sum([expenses, lateCharges, premium]);
  const duePremium = atLeastZero(open.premium.minus(premium));
  const openTotal = sum([open.interest, open.principal, duePremium]);
  const rest = amount === undefined ? openTotal : new Decimal(amount).minus(named);
  const interest = values === undefined ? Decimal.min(rest, open.interest) : new Decimal(values.interestValue);
  const principal =
    values === undefined ? Decimal.min(rest.minus(interest), open.principal) : new Decimal(values.principalValue);
  const paidPremium =
    values === undefined ? atLeastZero(Decimal.min(rest.minus(interest).minus(principal), duePremium)) : new Decimal(0);
  const details: ErrorDetail[] = [];
  if (rest.lt(0)) details.push(errorAt('amount', 'PAYMENT_BELOW_NAMED', { named: named.toFixed(2) }));
  else if (values === undefined && rest.gt(openTotal))
    details.push(errorAt('amount', 'PAYMENT_ABOVE_OPEN', { open: openTotal.toFixed(2) }));
  if (interest.gt(open.interest))
    details.push(errorAt('interestValue', 'PAYMENT_ABOVE_OPEN', { open: open.interest.toFixed(2) }));
  if (principal.gt(open.principal))
    details.push(errorAt('principalValue', 'PAYMENT_ABOVE_OPEN', { open: open.principal.toFixed(2) }));
  // Without a published number the remuneration is not known, and not charged yet.
  const most = charges && (charges.total ?? sum([charges.fine, charges.mora]).toFixed(2));
  if (most !== undefined && new Decimal(lateCharges).gt(most))
    details.push(errorAt('lateCharges', 'PAYMENT_ABOVE_CHARGES', { charges: most }));
  refuse('UNPROCESSABLE', details);
  const text = (value: Decimal | string) => new Decimal(value).toFixed(2);
  return {
    expenses: text(expenses),
    ...splitCharges(new Decimal(lateCharges), charges),
    interest: text(interest),
    principal: text(principal),
    premium: text(paidPremium.plus(premium)),
  };
}

/** Splits paid late charges: the fine first, then the interest for the delay, which takes everything where the series has no terms, then the remuneration. */
function splitCharges(
  paid: Decimal,
  charges: LateCharges | undefined,
): Pick<Imputation, 'fine' | 'mora' | 'remuneration'> {
  if (charges === undefined) return { fine: nothing, mora: paid.toFixed(2), remuneration: nothing };
  const fine = Decimal.min(paid, charges.fine);
  const mora = Decimal.min(paid.minus(fine), charges.mora);
  return { fine: fine.toFixed(2), mora: mora.toFixed(2), remuneration: paid.minus(fine).minus(mora).toFixed(2) };
}

function refuseImpossible({ calculationDate }: ScheduleEntryRow, given: Payment, today: string): void {
  const { paidOn, values, reference, amount, expenses, lateCharges, premium } = given;
  const [form, details]: [ErrorDetail[], ErrorDetail[]] = [[], []];
  if (paidOn > today) details.push({ path: 'paidOn', message: 'must not be in the future' });
  if (paidOn < calculationDate)
    details.push({
      path: 'paidOn',
      message: `must not be before ${calculationDate}, until which the instalment accrues`,
    });
  for (const [path, value] of Object.entries({ amount, ...values, expenses, lateCharges, premium })) {
    if (value === undefined) continue;
    const decimal = new Decimal(value);
    if (decimal.dp() > 2 || decimal.gte('1e17'))
      form.push({ path, message: 'must be an amount in BRL with at most 2 decimals' });
    else if (decimal.lt(0)) details.push({ path, message: 'must not be negative' });
  }
  refuse('BAD_REQUEST', form);
  if (amount !== undefined && values !== undefined)
    details.push(errorAt('amount', 'EITHER', { first: 'amount', second: 'interestValue and principalValue' }));
  if (reference !== undefined && !referenceForm.test(reference))
    details.push(errorAt('reference', 'PAYMENT_REFERENCE'));
  refuse('UNPROCESSABLE', details);
}

const referenceForm = /^[A-Za-z0-9._:/-]{1,100}$/;

/** Whether a payment that stands is the stated one: of the same day and reference, the same amounts, and what is named. */
export function isSame(instalment: ScheduleEntryRow, given: Payment, payment: PaymentRow): boolean {
  const { paidOn, amount, values, expenses = '0', lateCharges = '0', premium = '0', reference = null } = given;
  const equal = (stated: string | undefined, was: Decimal | string) =>
    stated === undefined || new Decimal(stated).eq(was);
  return (
    payment.reversedAt === null &&
    payment.paidOn === paidOn &&
    payment.reference === reference &&
    // Without amounts the payment covers all that is open, so it was this one only if nothing is open now.
    (amount !== undefined || values !== undefined || instalment.status === 'PAID') &&
    equal(amount, payment.amount) &&
    equal(values?.interestValue, payment.interest) &&
    equal(values?.principalValue, payment.principal) &&
    equal(expenses, payment.expenses) &&
    equal(lateCharges, sum([payment.fine, payment.mora, payment.remuneration])) &&
    // The due premium of an event may be left out, or be part of a larger stated premium.
    ((instalment.installmentNumber < 0 && given.premium === undefined) ||
      equal(premium, payment.premium) ||
      equal(premium, new Decimal(payment.premium).minus(instalment.premiumValue)))
  );
}

/** State machine of an instalment as it is stored: its due day passes while something is open, or all of it is paid. Only a reversal leaves PAID; it restores the previous state. */
const scheduleTransitions: Readonly<
  Record<PaymentStatus, Readonly<Partial<Record<'DUE_DAY_PASSED' | 'PAID_IN_FULL', PaymentStatus>>>>
> = {
  PENDING: { DUE_DAY_PASSED: 'OVERDUE', PAID_IN_FULL: 'PAID' },
  OVERDUE: { PAID_IN_FULL: 'PAID' },
  PAID: {},
};
