import { Decimal } from '../../../shared/kernel/decimal.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { ScheduleEntryRow } from './schedule.store.js';
import type { PaymentStatus } from '../../securities/payments.js';

/** A payment of an instalment, for all units of the series. */
export interface Payment {
  /** `YYYY-MM-DD` */
  readonly paidOn: string;
  /** Amounts paid, in BRL with at most 2 decimals; undefined to use the amounts from the price of its day. */
  readonly values?: { readonly interestValue: string; readonly principalValue: string } | undefined;
}

/**
 * Returns the instalment after a payment; the same one if this payment was recorded already.
 * @param today civil date in São Paulo
 * @throws {ApiError} UNPROCESSABLE for an impossible payment, CONFLICT for an instalment with another payment, or with unknown
 *   amounts
 */
export function pay(instalment: ScheduleEntryRow, { paidOn, values }: Payment, today: string): ScheduleEntryRow {
  refuseImpossible(instalment, { paidOn, values }, today);
  const { interestValue, principalValue } = values ?? instalment;
  const next = scheduleTransitions[instalment.status].PAYMENT;
  if (next === undefined) {
    const same = paidOn === instalment.paidOn && (values === undefined || sameValues(instalment, values));
    if (same) return instalment;
    throw new ApiError('CONFLICT', {
      message: `The instalment was already paid on ${instalment.paidOn ?? ''}, R$ ${instalment.totalValue ?? ''}`,
    });
  }
  if (interestValue === null || principalValue === null)
    throw new ApiError('CONFLICT', {
      message: `The instalment has no value yet: have ${instalment.calculationDate} priced first, or give the paid amounts`,
    });
  const [interest, principal] = [new Decimal(interestValue), new Decimal(principalValue)];
  return {
    ...instalment,
    status: next,
    paidOn,
    interestValue: interest.toFixed(2),
    principalValue: principal.toFixed(2),
    totalValue: interest.plus(principal).toFixed(2),
  };
}

function refuseImpossible({ calculationDate }: ScheduleEntryRow, { paidOn, values }: Payment, today: string): void {
  const details = [];
  if (paidOn > today) details.push({ path: 'paidOn', message: 'must not be in the future' });
  if (paidOn < calculationDate)
    details.push({
      path: 'paidOn',
      message: `must not be before ${calculationDate}, until which the instalment accrues`,
    });
  for (const [path, value] of Object.entries(values ?? {})) {
    const amount = new Decimal(value);
    if (amount.lt(0) || amount.dp() > 2 || amount.gte('1e17'))
      details.push({ path, message: 'must be an amount in BRL with at most 2 decimals, not negative' });
  }
  if (details.length > 0) throw new ApiError('UNPROCESSABLE', { details });
}

function sameValues(instalment: ScheduleEntryRow, values: NonNullable<Payment['values']>): boolean {
  const { interestValue, principalValue } = instalment;
  return (
    new Decimal(values.interestValue).eq(interestValue ?? 0) &&
    new Decimal(values.principalValue).eq(principalValue ?? 0)
  );
}

/** State machine of an instalment: its due day passes unpaid, or it is paid. Only a reversal leaves PAID; it restores the previous state. */
const scheduleTransitions: Readonly<
  Record<PaymentStatus, Readonly<Partial<Record<'DUE_DAY_PASSED' | 'PAYMENT', PaymentStatus>>>>
> = {
  PENDING: { DUE_DAY_PASSED: 'OVERDUE', PAYMENT: 'PAID' },
  OVERDUE: { PAYMENT: 'PAID' },
  PAID: {},
};
