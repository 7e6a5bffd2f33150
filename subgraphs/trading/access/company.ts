import { isName } from '../../../shared/kernel/identifying-text.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { type ErrorDetail, unless, errorAt } from '../../../shared/kernel/errors.js';
import { isDecimal } from '../format-amount.js';

export type CompanyStatus = 'ACTIVE' | 'SUSPENDED';

/** The terms agreed with a company. Amounts are decimal text in BRL, fees in percent; null means no limit. */
export interface Terms {
  readonly makerFee: string;
  readonly takerFee: string;
  readonly maxOrderValue: string | null;
  /** For the company with all its profiles. */
  readonly maxOpenOrders: number | null;
  readonly maxDailyVolume: string | null;
  /** For each profile, and for the company's own trading. */
  readonly profileMaxOpenOrders: number | null;
  readonly profileMaxDailyVolume: string | null;
  /** For the company's open quotes in one market. */
  readonly maxQuotedValue: string;
  /** Spreads of quotes, lowest threshold first; null for the default tiers. */
  readonly spreadTiers: readonly AgreedTier[] | null;
}

export const usualTerms: Terms = {
  makerFee: '0.2',
  takerFee: '0.3',
  maxOrderValue: null,
  maxOpenOrders: null,
  maxDailyVolume: null,
  profileMaxOpenOrders: null,
  profileMaxDailyVolume: null,
  maxQuotedValue: '5000000.00',
  spreadTiers: null,
};

/** An operator's input for terms; undefined fields stay as they are. */
export type TermsInput = { readonly [Name in keyof Terms]?: Terms[Name] | null | undefined };

/** An operator's input for a company; undefined fields stay as they are. */
export interface CompanyInput {
  readonly name?: string | null | undefined;
  /** Requests per minute; null for the configured default. */
  readonly rateLimit?: number | null | undefined;
  /** The account whose webhooks receive events about its orders and funds; null for none. */
  readonly accountId?: string | null | undefined;
  readonly status?: CompanyStatus | null | undefined;
  readonly terms?: TermsInput | null | undefined;
}

const maxRateLimit = 10_000_000;
const maxOrders = 1_000_000;
const maxNameLength = 200;
const amountLimit = '1000000000000000';

export function changedTerms(terms: Terms, input: TermsInput): Terms {
  // A limit that is null is taken away, one that is absent stays.
  const {
    maxOrderValue = terms.maxOrderValue,
    maxOpenOrders = terms.maxOpenOrders,
    maxDailyVolume = terms.maxDailyVolume,
    profileMaxOpenOrders = terms.profileMaxOpenOrders,
    profileMaxDailyVolume = terms.profileMaxDailyVolume,
    spreadTiers = terms.spreadTiers,
  } = input;
  return {
    makerFee: input.makerFee ?? terms.makerFee,
    takerFee: input.takerFee ?? terms.takerFee,
    maxOrderValue,
    maxOpenOrders,
    maxDailyVolume,
    profileMaxOpenOrders,
    profileMaxDailyVolume,
    maxQuotedValue: input.maxQuotedValue ?? terms.maxQuotedValue,
    spreadTiers,
  };
}

export function companyIssues({ name, rateLimit, accountId, status, terms }: CompanyInput): ErrorDetail[] {
  return [
    ...nameIssues(name),
    ...countIssue('rateLimit', rateLimit, maxRateLimit),
    ...unless(accountId == null || isName(accountId, maxNameLength), errorAt('accountId', 'ACCOUNT_ID')),
    ...unless(status !== null, errorAt('status', 'ONE_OF', { known: 'ACTIVE, SUSPENDED' })),
    ...termsIssues(terms ?? {}),
  ];
}

function termsIssues(terms: TermsInput): ErrorDetail[] {
  return [
    ...feeIssue('terms.makerFee', terms.makerFee),
    ...feeIssue('terms.takerFee', terms.takerFee),
    ...amountIssue('terms.maxOrderValue', terms.maxOrderValue),
    ...countIssue('terms.maxOpenOrders', terms.maxOpenOrders, maxOrders),
    ...amountIssue('terms.maxDailyVolume', terms.maxDailyVolume),
    ...countIssue('terms.profileMaxOpenOrders', terms.profileMaxOpenOrders, maxOrders),
    ...amountIssue('terms.profileMaxDailyVolume', terms.profileMaxDailyVolume),
    ...unless(terms.maxQuotedValue !== null, errorAt('terms.maxQuotedValue', 'NOT_NULL')),
    ...amountIssue('terms.maxQuotedValue', terms.maxQuotedValue),
    ...(terms.spreadTiers == null ? [] : spreadTierIssues('terms.spreadTiers', terms.spreadTiers)),
  ];
}

export function nameIssues(name: string | null | undefined): ErrorDetail[] {
  const isRight = name === undefined || (name !== null && isName(name, maxNameLength));
  return unless(isRight, errorAt('name', 'PRINTABLE_LENGTH', { min: 1, max: maxNameLength }));
}

function countIssue(path: string, count: number | null | undefined, most: number): ErrorDetail[] {
  const isRight = count == null || (Number.isSafeInteger(count) && count >= 1 && count <= most);
  return unless(isRight, errorAt(path, 'WHOLE_NUMBER_RANGE', { min: 1, max: most }));
}

function feeIssue(path: string, fee: string | null | undefined): ErrorDetail[] {
  if (fee === undefined) return [];
  const isRight = fee !== null && isDecimal(fee, 6) && new Decimal(fee).lte(10);
  return unless(isRight, errorAt(path, 'PERCENT_DECIMALS', { min: 0, max: 10, decimals: 6 }));
}

function amountIssue(path: string, amount: string | null | undefined): ErrorDetail[] {
  if (amount == null) return [];
  const isRight = isDecimal(amount, 2) && new Decimal(amount).gt(0) && new Decimal(amount).lt(amountLimit);
  return unless(isRight, errorAt(path, 'AMOUNT_BELOW_DECIMALS', { limit: amountLimit, decimals: 2 }));
}

/** A tier agreed with a company: the spread on the part of a quote's value from this threshold to the next tier's. */
export interface AgreedTier {
  readonly aboveBrl: string;
  /** Percent of that part, decimal text. */
  readonly percent: string;
}

const maxTiers = 20;
const maxThreshold = new Decimal('1e15');
const maxPercent = 10;

/** There is at least one tier, the first begins at 0, thresholds increase, and the percent does not, so that a larger volume never has a higher rate. */
export function spreadTierIssues(path: string, tiers: readonly AgreedTier[]): ErrorDetail[] {
  if (tiers.length === 0 || tiers.length > maxTiers) return [errorAt(path, 'LIST_OR_NULL', { min: 1, max: maxTiers })];
  const unreadable = tiers.flatMap((tier, index) => tierIssues(`${path}[${index}]`, tier));
  return unreadable.length > 0 ? unreadable : orderIssues(path, tiers);
}

function tierIssues(path: string, { aboveBrl, percent }: AgreedTier): ErrorDetail[] {
  const isThreshold = isDecimal(aboveBrl, 2) && maxThreshold.greaterThan(aboveBrl);
  const isPercent = isDecimal(percent, 6) && new Decimal(percent).lessThanOrEqualTo(maxPercent);
  return [
    ...unless(
      isThreshold,
      errorAt(`${path}.aboveBrl`, 'NUMBER_BELOW_DECIMALS', { min: 0, limit: maxThreshold.toFixed(), decimals: 2 }),
    ),
    ...unless(isPercent, errorAt(`${path}.percent`, 'NUMBER_DECIMALS', { min: 0, max: maxPercent, decimals: 6 })),
  ];
}

function orderIssues(path: string, tiers: readonly AgreedTier[]): ErrorDetail[] {
  return tiers.flatMap(({ aboveBrl, percent }, index) => {
    const before = tiers[index - 1];
    if (before === undefined)
      return unless(new Decimal(aboveBrl).isZero(), errorAt(`${path}[0].aboveBrl`, 'FIRST_TIER'));
    const grows = new Decimal(aboveBrl).greaterThan(before.aboveBrl);
    const falls = new Decimal(percent).lessThanOrEqualTo(before.percent);
    return [
      ...unless(grows, errorAt(`${path}[${index}].aboveBrl`, 'TIER_GROWS')),
      ...unless(falls, errorAt(`${path}[${index}].percent`, 'TIER_FALLS')),
    ];
  });
}
