import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { personIssues, type PersonInput } from './profile.js';
import { findListed, lockProfile, savePerson, type ListedProfile } from './profile.store.js';

/** What a company corrects of a profile; what is null or undefined stays. */
export type ProfileChange = { readonly [Name in keyof PersonInput]?: PersonInput[Name] | null | undefined };

/**
 * Corrects name and e-mail of a profile of the company that is calling. Whose profile it is, its tax id, never changes. A company or a
 * profile that is suspended can be corrected as well: nothing new is opened.
 * @param synthetic of which wallet the result tells
 * @throws {ApiError} BAD_REQUEST, also where nothing is to be changed; NOT_FOUND for a profile that is none of the company
 */
export async function updateProfile(
  context: Context,
  id: string,
  change: ProfileChange,
  synthetic: boolean,
): Promise<ListedProfile> {
  const { name = null, email = null } = change;
  refuse('BAD_REQUEST', [
    ...(name === null && email === null ? [{ path: '', message: 'name or email must be given' }] : []),
    ...personIssues({ ...(name === null ? {} : { name }), ...(email === null ? {} : { email }) }),
  ]);
  return inTransaction(context, async (tx) => {
    const before = await lockProfile(tx, id, tx.principal.ownerId);
    const person = { name: name?.trim() ?? before.name, email: email ?? before.email };
    await savePerson(tx, before.id, person);
    // Who it is stands in the profile: the log, which nobody can erase, says what was changed alone.
    const changed = (['name', 'email'] as const).filter((field) => person[field] !== before[field]);
    const after = { companyId: before.companyId, changed };
    await recordAudit(tx, { action: 'updateProfile', subject: { type: 'tradingProfile', id: before.id }, after });
    return findListed(tx, before.id, synthetic);
  });
}
