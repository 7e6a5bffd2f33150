import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { findCriteria } from '../criteria/criteria.store.js';
import { checkContracts, mostOfOneDebtor, shareOf, type Measures } from './checks.js';
import {
  assignedElsewhere,
  claimContracts,
  contractsAt,
  debtorsAbove,
  releaseContracts,
} from './credit-processing.store.js';
import { Findings, maxFindings } from './findings.js';

/** Contracts that are read and checked at once: few enough not to hold up other work. */
const pageSize = 1000;

/** Checks a batch. If it has no errors, its contracts are claimed for it; otherwise none of them. */
export async function checkBatch(tx: Context, batch: CreditBatchRow): Promise<Findings> {
  const findings = await ownFindings(tx, batch);
  if (findings.count === 0 && (await claimContracts(tx, batch)) === batch.receivableCount) return findings;
  await addAssigned(tx, batch, findings);
  if (findings.count === 0)
    throw new Error(`Contracts of ${batch.id} could not be claimed, although no other batch has them`);
  await releaseContracts(tx, batch.id);
  return findings;
}

/** Checks a batch against the present data, and claims nothing. */
export async function findingsOf(context: Context, batch: CreditBatchRow): Promise<Findings> {
  const findings = await ownFindings(context, batch);
  await addAssigned(context, batch, findings);
  return findings;
}

/** Checks the contracts of a batch by themselves, and against the criteria of their estate. */
async function ownFindings(context: Context, batch: CreditBatchRow): Promise<Findings> {
  const findings = new Findings();
  const measures = await measuresFor(context, batch);
  for (let from = 0; from < batch.receivableCount; from += pageSize) {
    checkContracts(await contractsAt(context, batch.id, from, pageSize), measures, findings);
  }
  return findings;
}

async function addAssigned(context: Context, batch: CreditBatchRow, findings: Findings): Promise<void> {
  const { contracts, total } = await assignedElsewhere(context, batch, maxFindings);
  for (const contract of contracts) {
    findings.add('ASSIGNED', contract, [['externalId', 'is already assigned in another batch']]);
  }
  findings.addCount('ASSIGNED', total - contracts.length);
}

async function measuresFor(tx: Context, { id, patrimonyId, totalFaceValue }: CreditBatchRow): Promise<Measures> {
  const criteria = await findCriteria(tx, patrimonyId);
  // The caller has locked them.
  if (criteria === undefined) throw new Error(`There are no criteria for ${patrimonyId} while ${id} is decided`);
  const most = mostOfOneDebtor(criteria, totalFaceValue);
  const debtors = most === undefined ? [] : await debtorsAbove(tx, id, most);
  return {
    today: civilDate(tx.clock.now()),
    criteria,
    concentrated: new Map(debtors.map(({ debtorDocument, owed }) => [debtorDocument, shareOf(owed, totalFaceValue)])),
  };
}
