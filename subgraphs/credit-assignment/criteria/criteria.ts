import { Decimal } from '../../../shared/kernel/decimal.js';
import { type ErrorDetail, errorAt } from '../../../shared/kernel/errors.js';
import type { AssetType } from '../../securities/asset-type.js';

/** What a limit compares. AVERAGE_TERM: the mean of days to the due date, weighted by amounts; the others: the share of each one. */
export type LimitKind = 'DEBTOR' | 'DEBTOR_GROUP' | 'ASSIGNOR' | 'TYPE' | 'UF' | 'AVERAGE_TERM';

/** What a limit is measured on: the face value of the batch, the estate's open balance after the purchase, or the estate's net worth. */
export type LimitBase = 'BATCH' | 'PORTFOLIO' | 'NET_WORTH';

/** The most that one debtor, group, assignor, type or state may have of a base, or its longest average term. */
export interface Limit {
  readonly kind: LimitKind;
  readonly base: LimitBase;
  /** Of TYPE: the only one that is limited; null limits each. */
  readonly type: AssetType | null;
  /** Percent; null for AVERAGE_TERM. */
  readonly maxShare: string | null;
  /** Days of AVERAGE_TERM; null for the others. */
  readonly maxDays: number | null;
}

/** The criteria by which an estate accepts credits. Null means no limit. */
export interface EligibilityCriteria {
  /** In BRL. */
  readonly minFaceValue: string | null;
  readonly maxFaceValue: string | null;
  /** Days from the day of processing to the due date. */
  readonly maxTermDays: number | null;
  /** Percent of the face value of a batch: a limit on DEBTOR and BATCH. */
  readonly maxDebtorShare: string | null;
  readonly limits: readonly Limit[];
  /** In BRL, of a day; both null where no limit is measured on it. */
  readonly netWorth: string | null;
  readonly netWorthDate: string | null;
}

/** Returns all limits of criteria, those of their own fields first. */
export function limitsOf({ maxDebtorShare, limits }: EligibilityCriteria): readonly Limit[] {
  if (maxDebtorShare === null) return limits;
  return [{ kind: 'DEBTOR', base: 'BATCH', type: null, maxShare: maxDebtorShare, maxDays: null }, ...limits];
}

/** A hundred years: the longest term that criteria can name. */
export const maxTermDays = 36_525;
export const mostLimits = 50;
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
