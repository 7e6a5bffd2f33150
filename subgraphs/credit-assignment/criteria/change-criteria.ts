import { recordAudit } from '../../../shared/security/audit/record.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { requireReason } from '../../../shared/kernel/reason.js';
import { requireEstate } from '../estates/estate.store.js';
import { criteriaErrors, type EligibilityCriteria } from './criteria.js';
import { deleteCriteria, findCriteria, saveCriteria, type CriteriaRow } from './criteria.store.js';

/** Sets the criteria for batches that are processed from now on. @param reason is published with the correction @throws {ApiError} BAD_REQUEST with every error, NOT_FOUND */
export async function setCriteria(
  context: Context,
  patrimonyId: string,
  criteria: EligibilityCriteria,
  reason?: string,
): Promise<CriteriaRow> {
  const why = reason === undefined ? undefined : requireReason(reason);
  refuse('BAD_REQUEST', criteriaErrors(criteria, civilDate(context.clock.now())));
  return inTransaction(context, async (tx) => {
    const { id } = await requireEstate(tx, patrimonyId);
    const before = await findCriteria(tx, id);
    const row = await saveCriteria(tx, { ...criteria, patrimonyId: id, updatedAt: tx.clock.now() });
    const subject = { type: 'patrimony', id };
    await recordAudit(tx, { action: 'setEligibilityCriteria', subject, before, after: row, reason: why });
    return row;
  });
}

/** The estate then accepts no credits. Returns whether there were criteria; a repetition is no error. @param reason is published @throws {ApiError} BAD_REQUEST for the reason, NOT_FOUND */
export async function removeCriteria(context: Context, patrimonyId: string, reason?: string): Promise<boolean> {
  const why = reason === undefined ? undefined : requireReason(reason);
  return inTransaction(context, async (tx) => {
    const { id } = await requireEstate(tx, patrimonyId);
    const before = await findCriteria(tx, id);
    const subject = { type: 'patrimony', id };
    await recordAudit(tx, { action: 'removeEligibilityCriteria', subject, before, reason: why });
    return deleteCriteria(tx, id);
  });
}
