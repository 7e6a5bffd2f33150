import { identifyingText } from '../../../shared/identifying-text.js';
import { recordAudit } from '../../../shared/audit/record.js';
import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { refuse } from '../../../shared/errors.js';
import { errorAt } from '../../../shared/rule-error.js';
import { unless } from '../../../shared/unless.js';
import { personIssues, type PersonInput } from './profile.js';
import { findListed, lockProfile, savePerson, type ListedProfile } from './profile.store.js';

/** A company's corrections to a profile; null or undefined fields stay as they are. */
export type ProfileChange = { readonly [Name in keyof PersonInput]?: PersonInput[Name] | null | undefined };

/**
 * Corrects the name and e-mail of a profile of the calling company. The tax id never changes. A suspended company or
 * profile can be corrected as well, since nothing new is opened.
 * @param synthetic whether the result names the synthetic wallet
 * @throws {ApiError} BAD_REQUEST, also where nothing is to be changed; NOT_FOUND for a profile that the company does not have
 */
export async function updateProfile(
  context: Context,
  id: string,
  change: ProfileChange,
  synthetic: boolean,
): Promise<ListedProfile> {
  const name = change.name == null ? null : identifyingText(change.name);
  const email = change.email == null ? null : identifyingText(change.email);
  refuse('BAD_REQUEST', [
    ...unless(name !== null || email !== null, errorAt('', 'NAME_OR_EMAIL')),
    ...personIssues({ ...(name === null ? {} : { name }), ...(email === null ? {} : { email }) }),
  ]);
  return inTransaction(context, async (tx) => {
    const before = await lockProfile(tx, id, tx.principal.ownerId);
    const person = { name: name ?? before.name, email: email ?? before.email };
    await savePerson(tx, before.id, person);
    // The profile holds the person's data: the audit log, which cannot be erased, names only the changed fields.
    const changed = (['name', 'email'] as const).filter((field) => person[field] !== before[field]);
    const after = { companyId: before.companyId, changed };
    await recordAudit(tx, { action: 'updateProfile', subject: { type: 'tradingProfile', id: before.id }, after });
    return findListed(tx, before.id, synthetic);
  });
}
