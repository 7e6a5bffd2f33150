import type { ActName } from '../../../shared/audit/acts.js';
import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { byRule } from '../../../shared/rule-error.js';
import { transition, type SuspensionEvent } from './profile.js';
import { lockProfile, saveSuspension, type ProfileRow } from './profile.store.js';

/** The names of the mutations, for the audit log. */
const actions: Readonly<Record<SuspensionEvent, ActName>> = {
  companySuspends: 'suspendProfile',
  companyActivates: 'activateProfile',
  operatorSuspends: 'suspendTradingProfile',
  operatorActivates: 'activateTradingProfile',
};

/**
 * Suspends or activates a profile: one of the calling company's, or any for an operator. A repetition changes nothing.
 * @throws {ApiError} NOT_FOUND; FORBIDDEN for the company if the operator suspended it
 */
export async function changeSuspension(context: Context, id: string, event: SuspensionEvent): Promise<ProfileRow> {
  const byCompany = event === 'companySuspends' || event === 'companyActivates';
  return inTransaction(context, async (tx) => {
    const before = await lockProfile(tx, id, byCompany ? tx.principal.ownerId : undefined);
    const next = transition(before.suspendedBy, event);
    if (next === 'REFUSED') throw new ApiError('FORBIDDEN', byRule('PROFILE_SUSPENDED_BY_OPERATOR'));
    const after = next === before.suspendedBy ? before : await saveSuspension(tx, id, next);
    await recordAudit(tx, {
      action: actions[event],
      subject: { type: 'tradingProfile', id: before.id },
      before: { suspendedBy: before.suspendedBy },
      after: { suspendedBy: after.suspendedBy },
    });
    return after;
  });
}
