import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { byRule } from '../../../shared/kernel/rule-error.js';
import type { Refused, Rejection } from '../batches/batch-kind.js';
import { contractRules } from '../credit-batches/contract-rules.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { findCriteria } from '../criteria/criteria.store.js';
import { lockTerms, readTerms, whyClosed, type AssignmentTerms } from '../estates/assignment.js';
import { checkContracts, mostOfOneDebtor, shareOf, type Measures } from './checks.js';
import { contractsOfBatch, type CheckedContracts } from './checked-contracts.js';
import { claimContracts, markRefused, refuseContracts, releaseContracts } from './eligibility.store.js';
import { Findings, type CreditRejection } from './findings.js';

/** Contracts that are read at once. */
const pageSize = 1000;

/**
 * Checks a batch against the terms of its estate, which are locked: permits, criteria and status can change after the submission. Each contract keeps its
 * errors. The contracts are claimed for the batch: all of them where nothing is wrong; by ELIGIBLE_ONLY those without errors, where there are any.
 */
export async function checkEligibility(tx: Context, batch: CreditBatchRow): Promise<Rejection | Refused | undefined> {
  const refusal = refusalBy(await lockTerms(tx, batch.originatorId, batch.patrimonyId), batch);
  if (refusal !== undefined) return refusal;
  const contracts = contractsOfBatch(tx, batch);
  const keep = (fresh: ReturnType<Findings['takeFresh']>) => refuseContracts(tx, batch.id, fresh);
  const findings = await ownFindings(tx, contracts, keep);
  const isPartial = batch.mode === 'ELIGIBLE_ONLY';
  const claimed = isPartial || findings.count === 0 ? await claimContracts(tx, batch) : 0;
  if (claimed === batch.lineCount) return undefined;
  await addAssigned(contracts, findings, keep);
  const { refusedCount, ...rejection } = findings.rejection(batch.lineCount);
  if (isPartial ? claimed + refusedCount < batch.lineCount : refusedCount === 0)
    throw new Error(`Contracts of ${batch.id} could not be claimed, although no other batch has them`);
  if (isPartial) await markRefused(tx, batch.id);
  else await releaseContracts(tx, batch.id);
  return isPartial && claimed > 0 ? { errorCount: rejection.errorCount, errors: rejection.errors } : rejection;
}

/** Checks contracts against the present data, as the processing of a batch of them would; locks and claims nothing. */
export async function previewEligibility(
  context: Context,
  contracts: CheckedContracts,
): Promise<CreditRejection | undefined> {
  const refusal = refusalBy(await readTerms(context, contracts.originatorId, contracts.patrimonyId), contracts);
  if (refusal !== undefined) return refusal;
  const forget = () => Promise.resolve();
  const findings = await ownFindings(context, contracts, forget);
  await addAssigned(contracts, findings, forget);
  return findings.count === 0 ? undefined : findings.rejection(contracts.lineCount);
}

/** Rejects a batch whose estate accepts nothing from its originator by the given terms. */
function refusalBy(
  terms: AssignmentTerms,
  { patrimonyId }: Pick<CheckedContracts, 'patrimonyId'>,
): CreditRejection | undefined {
  const broken = terms.estate?.isPermitted === true ? whyClosed(terms) : 'REJECTED_BY_PERMIT';
  if (broken === undefined) return undefined;
  const { message, rule, values } = byRule(broken, { estate: terms.estate?.ticker ?? patrimonyId });
  return { reason: message, rules: [{ rule, values }], refusedCount: 0, errorCount: 0, errors: [] };
}

/** Keeps the errors of contracts, by their positions. */
type Keep = (fresh: ReturnType<Findings['takeFresh']>) => Promise<void>;

/** Checks contracts by themselves, and against the criteria of their estate. */
async function ownFindings(context: Context, contracts: CheckedContracts, keep: Keep): Promise<Findings> {
  const findings = new Findings();
  const measures = await measuresFor(context, contracts);
  for (let from = 0; from < contracts.lineCount; from += pageSize) {
    await checkContracts(await contracts.at(from, pageSize), measures, findings);
    await keep(findings.takeFresh());
  }
  return findings;
}

async function addAssigned(contracts: CheckedContracts, findings: Findings, keep: Keep): Promise<void> {
  for (const contract of await contracts.assignedElsewhere())
    findings.add('ASSIGNED', contract, [['externalId', contractRules.assigned]]);
  await keep(findings.takeFresh());
}

async function measuresFor(context: Context, contracts: CheckedContracts): Promise<Measures> {
  const { patrimonyId, total } = contracts;
  const criteria = await findCriteria(context, patrimonyId);
  // The terms say that there are criteria.
  if (criteria === undefined)
    throw new Error(`There are no criteria for ${patrimonyId} while contracts for it are checked`);
  const most = mostOfOneDebtor(criteria, total);
  const debtors = most === undefined ? [] : await contracts.debtorsAbove(most);
  return {
    today: civilDate(context.clock.now()),
    criteria,
    concentrated: new Map(debtors.map(({ debtorDocument, owed }) => [debtorDocument, shareOf(owed, total)])),
  };
}
