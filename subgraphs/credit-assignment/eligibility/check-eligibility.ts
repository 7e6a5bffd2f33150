import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import type { Rejection } from '../batches/batch-kind.js';
import { maxErrors } from '../batches/batch.store.js';
import { contractRules } from '../credit-batches/contract-rules.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { findCriteria } from '../criteria/criteria.store.js';
import { lockTerms, readTerms, whyClosed, type AssignmentTerms } from '../estates/assignment.js';
import { checkContracts, mostOfOneDebtor, shareOf, type Measures } from './checks.js';
import { assignedElsewhere, claimContracts, contractsAt, debtorsAbove, releaseContracts } from './eligibility.store.js';
import { Findings } from './findings.js';

/** Contracts that are read and checked at once: few enough not to hold up other work. */
const pageSize = 1000;

/**
 * Checks a batch against the terms of its estate, which are locked: permits, criteria and status can change after the submission. If nothing is
 * wrong, its contracts are claimed for it; otherwise none of them.
 */
export async function checkEligibility(tx: Context, batch: CreditBatchRow): Promise<Rejection | undefined> {
  const refusal = refusalBy(await lockTerms(tx, batch.originatorId, batch.patrimonyId), batch);
  if (refusal !== undefined) return refusal;
  const findings = await ownFindings(tx, batch);
  if (findings.count === 0 && (await claimContracts(tx, batch)) === batch.lineCount) return undefined;
  await addAssigned(tx, batch, findings);
  if (findings.count === 0)
    throw new Error(`Contracts of ${batch.id} could not be claimed, although no other batch has them`);
  await releaseContracts(tx, batch.id);
  return findings.rejection(batch.lineCount);
}

/** Checks a batch against the present data; locks and claims nothing. */
export async function previewEligibility(context: Context, batch: CreditBatchRow): Promise<Rejection | undefined> {
  const refusal = refusalBy(await readTerms(context, batch.originatorId, batch.patrimonyId), batch);
  if (refusal !== undefined) return refusal;
  const findings = await ownFindings(context, batch);
  await addAssigned(context, batch, findings);
  return findings.count === 0 ? undefined : findings.rejection(batch.lineCount);
}

/** Rejects a batch whose estate accepts nothing from its originator by the given terms. */
function refusalBy(terms: AssignmentTerms, { patrimonyId }: CreditBatchRow): Rejection | undefined {
  const why = terms.estate?.isPermitted === true ? whyClosed(terms) : 'is not permitted for the originator';
  if (why === undefined) return undefined;
  return { reason: `The estate ${terms.estate?.ticker ?? patrimonyId} ${why}`, errorCount: 0, errors: [] };
}

/** Checks the contracts of a batch by themselves, and against the criteria of their estate. */
async function ownFindings(context: Context, batch: CreditBatchRow): Promise<Findings> {
  const findings = new Findings();
  const measures = await measuresFor(context, batch);
  for (let from = 0; from < batch.lineCount; from += pageSize) {
    checkContracts(await contractsAt(context, batch.id, from, pageSize), measures, findings);
  }
  return findings;
}

async function addAssigned(context: Context, batch: CreditBatchRow, findings: Findings): Promise<void> {
  const { contracts, total } = await assignedElsewhere(context, batch, maxErrors);
  for (const contract of contracts) {
    findings.add('ASSIGNED', contract, [['externalId', contractRules.assigned]]);
  }
  findings.addCount('ASSIGNED', total - contracts.length);
}

async function measuresFor(context: Context, { id, patrimonyId, total }: CreditBatchRow): Promise<Measures> {
  const criteria = await findCriteria(context, patrimonyId);
  // The terms say that there are criteria.
  if (criteria === undefined) throw new Error(`There are no criteria for ${patrimonyId} while ${id} is checked`);
  const most = mostOfOneDebtor(criteria, total);
  const debtors = most === undefined ? [] : await debtorsAbove(context, id, most);
  return {
    today: civilDate(context.clock.now()),
    criteria,
    concentrated: new Map(debtors.map(({ debtorDocument, owed }) => [debtorDocument, shareOf(owed, total)])),
  };
}
