import type { Context } from '../../../shared/context.js';
import type { EligibilityCriteria } from '../criteria/criteria.js';
import { findCriteria } from '../criteria/criteria.store.js';
import { setCriteria } from '../criteria/change-criteria.js';
import { activeEstates, findEstateNamed } from '../estates/estate.store.js';
import { permitOriginator } from '../originators/change-permits.js';
import { permitsOf } from '../originators/permit.store.js';

/** The estate of the demo whose criteria are narrow enough to reject a batch. It is still a DRAFT. */
export const narrowEstate = 'PAT-RECEBIVEIS';

const narrow = { minFaceValue: '500.00', maxFaceValue: '20000.00', maxTermDays: 720, maxDebtorShare: '25' };
const wide = { minFaceValue: '0.01', maxFaceValue: '99999999.99', maxTermDays: 10_950, maxDebtorShare: null };

/**
 * Gives every active estate without criteria some, and permits the demo's originator all of them but the last, so that a
 * rejection can be tried; also the narrow one. Does nothing once the originator has a permit.
 * @param relay delivers the announced events, among them those of the estates
 */
export async function permitDemoOriginator(
  context: Context,
  originatorId: string,
  relay: () => Promise<unknown>,
): Promise<void> {
  const [permits = []] = await permitsOf(context, [originatorId]);
  if (permits.length > 0) return;
  await relay();
  const active = await activeEstates(context);
  for (const { id } of active) await setWhereNone(context, id, wide);
  for (const { id } of active.slice(0, -1)) await permitOriginator(context, originatorId, id);
  const other = await findEstateNamed(context, narrowEstate);
  if (other === undefined) return;
  await setWhereNone(context, other.id, narrow);
  await permitOriginator(context, originatorId, other.id);
}

async function setWhereNone(context: Context, patrimonyId: string, criteria: EligibilityCriteria): Promise<void> {
  if ((await findCriteria(context, patrimonyId)) === undefined) await setCriteria(context, patrimonyId, criteria);
}
