import { Decimal } from '../../../shared/kernel/decimal.js';
import type { ErrorDetail } from '../../../shared/kernel/errors.js';
import { errorAt } from '../../../shared/kernel/rule-error.js';

/** The criteria by which an estate accepts credits. Null means no limit. */
export interface EligibilityCriteria {
  /** In BRL. */
  readonly minFaceValue: string | null;
  readonly maxFaceValue: string | null;
  /** Days from the day of processing to the due date. */
  readonly maxTermDays: number | null;
  /** Percent of the face value of a batch. */
  readonly maxDebtorShare: string | null;
}

/** A hundred years: the longest term that criteria can name. */
export const maxTermDays = 36_525;
const mostFaceValue = '999999999999.99';

/** Returns all errors of the criteria, by field. */
export function criteriaErrors(criteria: EligibilityCriteria): ErrorDetail[] {
  const { minFaceValue, maxFaceValue, maxTermDays: term, maxDebtorShare } = criteria;
  const errors: ErrorDetail[] = [];
  for (const [path, value] of Object.entries({ minFaceValue, maxFaceValue })) {
    if (!isWithin(value, mostFaceValue, 2)) {
      errors.push(errorAt(path, 'AMOUNT_AT_MOST_DECIMALS', { max: mostFaceValue, decimals: 2 }));
    }
  }
  if (term !== null && (term < 1 || term > maxTermDays)) {
    errors.push(errorAt('maxTermDays', 'NUMBER_RANGE', { min: 1, max: maxTermDays }));
  }
  if (!isWithin(maxDebtorShare, '100', 4)) {
    errors.push(errorAt('maxDebtorShare', 'AMOUNT_AT_MOST_DECIMALS', { max: 100, decimals: 4 }));
  }
  const isBackward =
    minFaceValue !== null && maxFaceValue !== null && new Decimal(minFaceValue).greaterThan(maxFaceValue);
  if (errors.length === 0 && isBackward) {
    errors.push(errorAt('maxFaceValue', 'NOT_LESS_THAN_VALUE', { field: 'minFaceValue', value: minFaceValue }));
  }
  return errors;
}

function isWithin(value: string | null, most: string, places: number): boolean {
  if (value === null) return true;
  const number = new Decimal(value);
  return number.greaterThan(0) && number.lessThanOrEqualTo(most) && number.decimalPlaces() <= places;
}
