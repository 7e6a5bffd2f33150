import { Decimal } from '../../../shared/kernel/decimal.js';
import { type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { mostLimits, type EligibilityCriteria as StoredCriteria, type EligibilityLimit } from './criteria.type.js';

/** The most that one debtor, group, assignor, type or state may have of a base, or its longest average term. */
export type Limit = Shape<EligibilityLimit>;

/** The criteria by which an estate accepts credits. Null means no limit. */
export type EligibilityCriteria = Omit<Shape<StoredCriteria>, 'patrimonyId' | 'updatedAt'>;

/** Returns all limits of criteria, beginning with the limits in their own fields. */
export function limitsOf({ maxDebtorShare, limits }: EligibilityCriteria): readonly Limit[] {
  if (maxDebtorShare === null) return limits;
  return [{ kind: 'DEBTOR', base: 'BATCH', type: null, maxShare: maxDebtorShare, maxDays: null }, ...limits];
}

/** A hundred years: the longest term that criteria can name. */
export const maxTermDays = 36_525;
const mostFaceValue = '999999999999.99';

/** @param today civil date in São Paulo */
export function criteriaErrors(criteria: EligibilityCriteria, today: string): ErrorDetail[] {
  const { minFaceValue, maxFaceValue, maxTermDays: term, maxDebtorShare, limits, netWorth, netWorthDate } = criteria;
  const errors: ErrorDetail[] = [];
  for (const [path, value] of Object.entries({ minFaceValue, maxFaceValue, netWorth })) {
    if (!isWithin(value, mostFaceValue, 2)) {
      errors.push(errorAt(path, 'AMOUNT_AT_MOST_DECIMALS', { max: mostFaceValue, decimals: 2 }));
    }
  }
  if (!isTerm(term)) errors.push(errorAt('maxTermDays', 'NUMBER_RANGE', { min: 1, max: maxTermDays }));
  if (!isWithin(maxDebtorShare, '100', 4)) {
    errors.push(errorAt('maxDebtorShare', 'AMOUNT_AT_MOST_DECIMALS', { max: 100, decimals: 4 }));
  }
  const isBackward =
    minFaceValue !== null && maxFaceValue !== null && new Decimal(minFaceValue).greaterThan(maxFaceValue);
  if (errors.length === 0 && isBackward) {
    errors.push(errorAt('maxFaceValue', 'NOT_LESS_THAN_VALUE', { field: 'minFaceValue', value: minFaceValue }));
  }
  const isMeasured = limits.some(({ base }) => base === 'NET_WORTH');
  if (netWorth === null && (isMeasured || netWorthDate !== null)) errors.push(errorAt('netWorth', 'NET_WORTH_MISSING'));
  if (netWorth !== null && netWorthDate === null) errors.push(errorAt('netWorthDate', 'NET_WORTH_UNDATED'));
  if (netWorthDate !== null && netWorthDate > today) errors.push(errorAt('netWorthDate', 'NOT_IN_FUTURE'));
  if (limits.length > mostLimits) return [...errors, errorAt('limits', 'LIST_TOO_LONG', { max: mostLimits })];
  const all = limitsOf(criteria);
  return [...errors, ...limits.flatMap((limit, index) => limitErrors(limit, index, all))];
}

function limitErrors(limit: Limit, index: number, all: readonly Limit[]) {
  const { kind, base, type, maxShare, maxDays } = limit;
  const errors: ErrorDetail[] = [];
  const at = (field: keyof Limit) => `limits[${index}].${field}`;
  const isTermLimit = kind === 'AVERAGE_TERM';
  if (maxShare === null ? !isTermLimit : isTermLimit || !isWithin(maxShare, '100', 4))
    errors.push(errorAt(at('maxShare'), isTermLimit ? 'LIMIT_WITHOUT' : 'LIMIT_SHARE'));
  if (maxDays === null ? isTermLimit : !isTermLimit || !isTerm(maxDays))
    errors.push(
      isTermLimit
        ? errorAt(at('maxDays'), 'LIMIT_DAYS', { max: maxTermDays })
        : errorAt(at('maxDays'), 'LIMIT_WITHOUT'),
    );
  if (type !== null && kind !== 'TYPE') errors.push(errorAt(at('type'), 'LIMIT_WITHOUT'));
  if (isTermLimit && base === 'NET_WORTH') errors.push(errorAt(at('base'), 'LIMIT_BASE'));
  const first = all.find((one) => one.kind === kind && one.base === base && one.type === type);
  if (first !== limit) errors.push(errorAt(at('kind'), 'LIMIT_TWICE'));
  return errors;
}

function isTerm(days: number | null): boolean {
  return days === null || (days >= 1 && days <= maxTermDays);
}

function isWithin(value: string | null, most: string, places: number): boolean {
  if (value === null) return true;
  const number = new Decimal(value);
  return number.greaterThan(0) && number.lessThanOrEqualTo(most) && number.decimalPlaces() <= places;
}
