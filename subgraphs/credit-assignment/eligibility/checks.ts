import { Decimal } from '../../../shared/kernel/decimal.js';
import { eachInTurns } from '../../../shared/kernel/turns.js';
import type { LineError } from '../batches/check-lines.js';
import { meaningErrors, type NewContract } from '../credit-batches/check-contracts.js';
import { aboveMaximum, belowMinimum, debtorTooLarge, termTooLong } from '../credit-batches/contract-rules.js';
import type { EligibilityCriteria } from '../criteria/criteria.js';
import { Findings, type Placed } from './findings.js';

/** The day and the criteria against which a batch is checked. */
export interface Measures {
  /** Day of processing: civil date in São Paulo. */
  readonly today: string;
  readonly criteria: EligibilityCriteria;
  /** The debtors whose share of the batch exceeds the criteria, with that share in percent. */
  readonly concentrated: ReadonlyMap<string, string>;
}

/** A contract and its place in the batch, from 0. */
export type PlacedContract = NewContract & Placed;

const dayMs = 86_400_000;

/**
 * Returns the most that one debtor may owe in a batch, in BRL; undefined when the criteria set no limit.
 * @param totalFaceValue of the batch, in BRL
 */
export function mostOfOneDebtor({ maxDebtorShare }: EligibilityCriteria, totalFaceValue: string): string | undefined {
  if (maxDebtorShare === null) return undefined;
  return new Decimal(totalFaceValue).times(maxDebtorShare).dividedBy(100).toString();
}

/** Returns the share of an amount in a batch, in percent with the four decimals of a limit. It is rounded up, so that a share above a limit also reads so. */
export function shareOf(amount: string, totalFaceValue: string): string {
  return new Decimal(amount).times(100).dividedBy(totalFaceValue).toFixed(4, Decimal.ROUND_UP);
}

/** Checks contracts of a batch, and adds their errors to the findings. */
export function checkContracts(
  contracts: readonly PlacedContract[],
  measures: Measures,
  findings: Findings,
): Promise<void> {
  return eachInTurns(contracts, (contract) => {
    findings.add('DATA', contract, meaningErrors(contract, measures.today));
    findings.add('CRITERIA', contract, criteriaErrors(contract, measures));
  });
}

/** Returns the criteria of the estate that a contract does not meet. */
function criteriaErrors(contract: NewContract, { criteria, today, concentrated }: Measures): LineError<NewContract>[] {
  const { minFaceValue, maxFaceValue, maxTermDays, maxDebtorShare } = criteria;
  const errors: LineError<NewContract>[] = [];
  const faceValue = new Decimal(contract.faceValue);
  if (minFaceValue !== null && faceValue.lessThan(minFaceValue)) {
    errors.push(['faceValue', belowMinimum(contract.faceValue, minFaceValue)]);
  }
  if (maxFaceValue !== null && faceValue.greaterThan(maxFaceValue)) {
    errors.push(['faceValue', aboveMaximum(contract.faceValue, maxFaceValue)]);
  }
  const term = (Date.parse(contract.dueDate) - Date.parse(today)) / dayMs;
  if (maxTermDays !== null && term > maxTermDays) errors.push(['dueDate', termTooLong(term, maxTermDays)]);
  const share = concentrated.get(contract.debtorDocument);
  if (share !== undefined) errors.push(['debtorDocument', debtorTooLarge(share, maxDebtorShare ?? '')]);
  return errors;
}
