import { daysBetween } from '../../../shared/kernel/calendar/days.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import type { LineError } from '../batches/check-lines.js';
import type { NewContract } from '../credit-batches/check-contracts.js';
import { aboveMaximum, belowMinimum, termTooLong } from '../credit-batches/contract-rules.js';
import type { EligibilityCriteria } from '../criteria/criteria.js';

/**
 * Returns the criteria of the estate that a contract by itself does not meet.
 * @param today day of processing: civil date in São Paulo
 */
export function criteriaErrors(
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
