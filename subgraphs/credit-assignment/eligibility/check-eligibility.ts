import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { byRule } from '../../../shared/kernel/errors.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import type { Refused, Rejection } from '../batches/batch-kind.js';
import type { LineError } from '../batches/check-lines.js';
import { meaningErrors, type NewContract } from '../credit-batches/check-contracts.js';
import { aboveMaximum, belowMinimum, contractRules, termTooLong } from '../credit-batches/contract-rules.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import { limitsOf, type EligibilityCriteria } from '../criteria/criteria.js';
import { findCriteria } from '../criteria/criteria.store.js';
import { lockTerms, readTerms, whyClosed, type AssignmentTerms } from '../estates/assignment.js';
import { contractsOfBatch, type CheckedContracts } from './checked-contracts.js';
import { claimContracts, lockInvoices, markRefused, refuseContracts, releaseContracts } from './eligibility.store.js';
import { Findings, type Verdict } from './findings.js';
import { applyLimits, measure, type LimitedBatch, type Measured } from './limits.js';

const pageSize = 1000;
const assignedRules = { externalId: contractRules.assigned, invoiceKey: contractRules.invoiceAssigned };

/** Compares with the terms of its estate, which are locked: they can change after the submission. Each contract keeps its errors; by ELIGIBLE_ONLY those without errors are claimed, else all or none. */
export async function checkEligibility(tx: Context, batch: CreditBatchRow): Promise<Rejection | Refused | undefined> {
  const refusal = refusalBy(await lockTerms(tx, batch.originatorId, batch.patrimonyId), batch);
  if (refusal !== undefined) return refusal;
  const contracts = contractsOfBatch(tx, batch);
  const findings = new Findings((fresh) => refuseContracts(tx, batch.id, fresh));
  const limited = await limitedBatch(tx, contracts);
  const measured = await addOwn(contracts, limited, findings);
  const { isPartial } = limited;
  const mayClaim = isPartial || findings.refusedCount === 0;
  const hasInvoices = await lockInvoices(tx, batch.id);
  const claimed = mayClaim ? await claimContracts(tx, batch) : 0;
  if (claimed < batch.lineCount || hasInvoices) await addAssigned(contracts, findings);
  if (mayClaim && claimed + findings.refusedCount < batch.lineCount)
    throw new Error(`Contracts of ${batch.id} could not be claimed, although no other batch has them`);
  await addLimits(tx, limited, measured, findings);
  const verdict = findings.verdict(batch);
  if (verdict === undefined) return undefined;
  if (isPartial) await markRefused(tx, batch.id);
  await releaseContracts(tx, batch.id, verdict.isRejected);
  const { isRejected, errorCount, errors, reason, rules } = verdict;
  return isRejected ? { reason, rules, errorCount, errors } : { errorCount, errors };
}

/** Returns the verdict of processing on contracts by the present data, with at most `most` errors; undefined where nothing is wrong with them. Locks and claims nothing. */
export async function previewEligibility(
  context: Context,
  contracts: CheckedContracts,
  most?: number,
): Promise<Verdict | undefined> {
  const refusal = refusalBy(await readTerms(context, contracts.originatorId, contracts.patrimonyId), contracts);
  if (refusal !== undefined) return refusal;
  const findings = new Findings(undefined, most);
  const limited = await limitedBatch(context, contracts);
  const measured = await addOwn(contracts, limited, findings);
  await addAssigned(contracts, findings);
  if (contracts.areAll) await addLimits(context, limited, measured, findings);
  return findings.verdict(contracts);
}

/** Rejects a batch whose estate accepts nothing from its originator by the given terms. */
function refusalBy(terms: AssignmentTerms, batch: Pick<CheckedContracts, 'patrimonyId'>): Verdict | undefined {
  const broken = terms.estate?.isPermitted === true ? whyClosed(terms) : 'REJECTED_BY_PERMIT';
  if (broken === undefined) return undefined;
  const { message, rule, values } = byRule(broken, { estate: terms.estate?.ticker ?? batch.patrimonyId });
  return { isRejected: true, reason: message, rules: [{ rule, values }], refusedCount: 0, errorCount: 0, errors: [] };
}

async function limitedBatch(context: Context, { patrimonyId, mode }: CheckedContracts): Promise<LimitedBatch> {
  const criteria = await findCriteria(context, patrimonyId);
  // The terms say that there are criteria.
  if (criteria === undefined)
    throw new Error(`There are no criteria for ${patrimonyId} while contracts for it are checked`);
  return { patrimonyId, today: civilDate(context.clock.now()), criteria, isPartial: mode === 'ELIGIBLE_ONLY' };
}

/** Adds the errors that contracts have by themselves; returns the data for limits, if the criteria have any. */
async function addOwn(
  contracts: CheckedContracts,
  { criteria, today }: LimitedBatch,
  findings: Findings,
): Promise<readonly Measured[]> {
  const hasLimits = limitsOf(criteria).length > 0;
  const measured: Measured[] = [];
  const invoices = new Set<string>();
  for (let from = 0; from < contracts.lineCount; from += pageSize) {
    await eachInTurns(await contracts.at(from, pageSize), (contract) => {
      findings.add('DATA', contract, meaningErrors(contract, today));
      findings.add('CRITERIA', contract, criteriaErrors(contract, criteria, today));
      const { invoiceKey, dueDate } = contract;
      const [invoice, before] = [`${String(invoiceKey)} ${dueDate}`, invoices.size];
      if (invoiceKey != null && invoices.add(invoice).size === before)
        findings.add('ASSIGNED', contract, [['invoiceKey', contractRules.invoiceAssigned]]);
      if (hasLimits) measured.push(measure(contract, contracts.originatorId, today));
    });
    await findings.flush();
  }
  return measured;
}

async function addAssigned(contracts: CheckedContracts, findings: Findings): Promise<void> {
  for (let from = 0; from < contracts.lineCount; from += pageSize) {
    for (const contract of await contracts.assignedElsewhere(from, pageSize))
      findings.add('ASSIGNED', contract, [[contract.field, assignedRules[contract.field]]]);
    await findings.flush();
  }
}

/** Adds the errors of limits: of a batch that is assigned in part, on the contracts that have no others. */
function addLimits(
  context: Context,
  batch: LimitedBatch,
  measured: readonly Measured[],
  findings: Findings,
): Promise<void> {
  const counted = batch.isPartial ? measured.filter((contract) => !findings.has(contract)) : measured;
  return applyLimits(context, batch, counted, findings);
}

/** Returns the errors of criteria that a contract fails by itself. @param today day of processing: civil date in São Paulo */
function criteriaErrors(
  contract: NewContract,
  { minFaceValue, maxFaceValue, maxTermDays }: EligibilityCriteria,
  today: string,
): LineError<NewContract>[] {
  const errors: LineError<NewContract>[] = [];
  const faceValue = new Decimal(contract.faceValue);
  if (minFaceValue !== null && faceValue.lessThan(minFaceValue)) {
    errors.push(['faceValue', belowMinimum(contract.faceValue, minFaceValue)]);
  }
  if (maxFaceValue !== null && faceValue.greaterThan(maxFaceValue)) {
    errors.push(['faceValue', aboveMaximum(contract.faceValue, maxFaceValue)]);
  }
  const term = daysBetween(today, contract.dueDate);
  if (maxTermDays !== null && term > maxTermDays) errors.push(['dueDate', termTooLong(term, maxTermDays)]);
  return errors;
}
