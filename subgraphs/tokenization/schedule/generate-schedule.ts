import type { Calendar } from '../../../shared/kernel/calendar/calendar.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { policyOf } from '../price-runs/policy-of.js';
import { lockTranche, raisePolicyVersion, type LockedTranche, type TrancheRow } from '../tranches/tranche.store.js';
import { requirePolicy } from '../unit-price/policy.js';
import { schedule, type Instalment } from '../unit-price/schedule.js';
import type { SchedulePolicy } from '../unit-price/schedule-policy.js';
import { replaceSchedule } from './schedule-writes.store.js';

/**
 * Generates the schedule of a series that is being set up and replaces its current schedule, if any; its prices are computed
 * again.
 * @throws {ApiError} NOT_FOUND for an unknown ticker, CONFLICT for a series that is not a DRAFT, UNPROCESSABLE for a schedule
 *   that is invalid in itself or for this series
 */
export async function generateSchedule(
  context: Context,
  calendar: Calendar,
  ticker: string,
  policy: SchedulePolicy,
): Promise<TrancheRow> {
  return inTransaction(context, async (tx) => {
    const tranche = await lockTranche(tx, ticker);
    if (tranche.status !== 'DRAFT')
      throw new ApiError('CONFLICT', {
        message: `The series is ${tranche.status}: its schedule can no longer be replaced`,
      });
    await replaceSchedule(tx, tranche.id, instalmentsOf(tranche, policy, calendar));
    await raisePolicyVersion(tx, tranche.id);
    return tranche;
  });
}

function instalmentsOf(tranche: LockedTranche, policy: SchedulePolicy, calendar: Calendar): Instalment[] {
  try {
    const instalments = schedule(policy, calendar, tranche.amortizationOf);
    requirePolicy({ ...policyOf(tranche, []), events: instalments });
    return instalments;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApiError('UNPROCESSABLE', {
      message: error.message,
      details: [{ path: 'schedule', message: error.message }],
    });
  }
}
