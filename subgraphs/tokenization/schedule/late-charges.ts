import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import { Decimal, round, sum } from '../../../shared/kernel/decimal.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { loadMarket, marketOf } from '../indices/load-market.js';
import { policyOf } from '../price-runs/policy-of.js';
import { tranchesById, type TrancheRow } from '../tranches/tranche.store.js';
import { isMissing } from '../unit-price/missing.js';
import { power } from '../unit-price/power.js';
import { unitPrice, type UnitPriceInputs } from '../unit-price/unit-price.js';
import { waivedShares } from '../events/entry-values.js';
import { paymentsOf, type LateCharges, type PaymentRow } from './payment.js';
import { standingEvents, type TrancheEventRow } from '../events/event.store.js';
import { recordedPayments } from './schedule-writes.store.js';
import type { ScheduleEntryRow } from './schedule.store.js';

export const noCharges: LateCharges = { fine: '0.00', mora: '0.00', remuneration: '0.00', total: '0.00' };

export function hasLateTerms({ lateFinePercent, lateInterestPercent }: TrancheRow): boolean {
  return lateFinePercent !== null || lateInterestPercent !== null;
}

/**
 * Computes the late charges of an instalment on a day, by the terms of its series (Código Civil, arts. 395 and 406 to 409):
 * a fine on what was unpaid after the due day; interest for the delay on each part, by its calendar days from the due day to its payment or to that day, over
 * 30 or compounded; and the remuneration that goes on over each part, by the factors of the series. Each is rounded half up to cents, once. A series without
 * terms charges nothing; null for a day that is not after the due day, and for an instalment without amounts. What holders waived (`WAIVER`) is in neither fine nor interest.
 * @throws {RangeError} for a day that the calendar does not cover
 */
export function lateCharges(
  series: TrancheRow,
  instalment: ScheduleEntryRow,
  payments: readonly PaymentRow[],
  { on, events }: { readonly on: string; readonly events: readonly TrancheEventRow[] },
  inputs: UnitPriceInputs,
): LateCharges | null {
  // An instalment that falls due on a day without banks may be paid on the next business day.
  const due = inputs.calendar.following(instalment.dueDate);
  if (on <= due || instalment.totalValue === null) return null;
  if (!hasLateTerms(series)) return noCharges;
  const standing = payments.filter(({ reversedAt }) => reversedAt === null);
  const late = latePartsOf(instalment, standing, due, on);
  const paid = (part: 'fine' | 'mora' | 'remuneration') =>
    sum(standing.flatMap((payment) => (payment.paidOn <= on ? [payment[part]] : [])));
  const left = (accrued: Decimal, part: 'fine' | 'mora' | 'remuneration') =>
    Decimal.max(round(accrued, 2).minus(paid(part)), 0).toFixed(2);
  const charged = new Decimal(100).minus(sum(waivedShares(instalment, events))).div(100);
  const fine = left(
    sum(late.map(({ value }) => value))
      .times(series.lateFinePercent ?? 0)
      .div(100)
      .times(charged),
    'fine',
  );
  const mora = left(
    sum(late.map(({ value, until }) => value.times(moraFactor(series, daysBetween(due, until))))).times(charged),
    'mora',
  );
  const accrued = late.map((part) => remunerationOf(series, part, due, inputs));
  const known = accrued.filter((value) => value !== undefined);
  if (known.length < accrued.length) return { fine, mora, remuneration: null, total: null };
  const remuneration = left(sum(known), 'remuneration');
  return { fine, mora, remuneration, total: sum([fine, mora, remuneration]).toFixed(2) };
}

/** A part of an instalment that was unpaid after the due day, until a day. */
interface LatePart {
  readonly value: Decimal;
  readonly until: string;
}

function latePartsOf(
  { totalValue, premiumValue }: ScheduleEntryRow,
  payments: readonly PaymentRow[],
  due: string,
  on: string,
): LatePart[] {
  // A premium beyond what is due pays nothing of it.
  let ofPremium = new Decimal(premiumValue);
  const paid = payments.map(({ interest, principal, premium, paidOn }) => {
    const own = Decimal.min(premium, ofPremium);
    ofPremium = ofPremium.minus(own);
    return { value: sum([interest, principal, own]), until: paidOn };
  });
  const open = new Decimal(totalValue ?? 0).minus(sum(paid.map(({ value }) => value)));
  return [...paid, { value: open, until: on }]
    .filter(({ value, until }) => value.gt(0) && until > due)
    .map(({ value, until }) => ({ value, until: until < on ? until : on }));
}

function moraFactor({ lateInterestPercent, lateInterestMode }: TrancheRow, days: number): Decimal {
  const rate = new Decimal(lateInterestPercent ?? 0).div(100);
  const months = new Decimal(days).div(30);
  return lateInterestMode === 'COMPOUND' ? power(rate.plus(1), months).minus(1) : rate.times(months);
}

/** Returns the remuneration of a part since the due day: of a unit that is worth it on that day. Undefined while a number is missing. */
function remunerationOf(
  series: TrancheRow,
  { value, until }: LatePart,
  startDate: string,
  inputs: UnitPriceInputs,
): Decimal | undefined {
  const policy = { ...policyOf(series, []), startDate, issueValue: value };
  const price = unitPrice(policy, until, inputs);
  return isMissing(price) ? undefined : Decimal.max(price.unitPrice.minus(value), 0);
}

export interface LateKey {
  readonly instalment: ScheduleEntryRow;
  readonly on: string;
}

export type LoadLateCharges = (context: Context, keys: readonly LateKey[]) => Promise<(LateCharges | null)[]>;

/** Payments and market values are read once for all instalments. @throws {ApiError} BAD_REQUEST for a day beyond the calendar */
export function createLateCharges(calendar: () => Promise<Calendar>): LoadLateCharges {
  return async (context, keys) => {
    const days = await calendar();
    const series = await tranchesById(
      context,
      keys.map(({ instalment }) => instalment.trancheId),
    );
    const declared = await standingEvents(
      context,
      keys.map(({ instalment }) => instalment.trancheId),
    );
    const payments = await loaderOf(context, recordedPayments).loadMany(keys.map(({ instalment }) => instalment));
    const isCharged = series.some((row) => row !== undefined && hasLateTerms(row));
    const inputs = isCharged ? await loadMarket(context, days) : marketOf([], days).inputs;
    return keys.map(({ instalment, on }, index) => {
      const [row, recorded] = [series[index], payments[index]];
      if (row === undefined || recorded === undefined) return null;
      if (recorded instanceof Error) throw recorded;
      return chargesOn(
        row,
        instalment,
        paymentsOf(instalment, recorded),
        { on, events: declared[index] ?? [] },
        inputs,
      );
    });
  };
}

/** @throws {ApiError} BAD_REQUEST for a day beyond the calendar */
function chargesOn(...given: Parameters<typeof lateCharges>): LateCharges | null {
  try {
    return lateCharges(...given);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError('BAD_REQUEST', { details: [{ path: 'on', message: error.message }] });
  }
}
