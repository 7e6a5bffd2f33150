import { Decimal, sum } from '../../../../shared/kernel/decimal.js';
import { type ErrorDetail, ApiError, unless, errorAt } from '../../../../shared/kernel/errors.js';
import { isUuid } from '../../../../shared/kernel/ids.js';
import { reasonIssues } from '../../../../shared/kernel/reason.js';
import { ownerOf, type Posting, type Account } from '../post-journals.js';
import type { Context } from '../../../../shared/kernel/context.js';
import { listWallets } from '../../profiles/profile.store.js';
import type { WalletRef } from '../ledger.store.js';
import { InputType, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../../shared/graphql/describe-enum.js';
import { decimal, fields, flag, id, inputs, nullable, of, text, time } from '../../../../shared/graphql/fields.js';

export const correctionCause = 'operator.correction';

export type CorrectionPosting = Readonly<CorrectionPostingInput>;

export interface Correction {
  /** The idempotency key. */
  readonly key: string;
  readonly synthetic: boolean;
  readonly reason: string;
  readonly postings: readonly CorrectionPosting[];
}

/** The names that the postings of a correction may use. */
export interface Known {
  readonly decimals: ReadonlyMap<string, number>;
  readonly wallets: ReadonlySet<string>;
  readonly venues: ReadonlySet<string>;
}

const maxKeyLength = 200;
const minPostings = 2;
export const maxPostings = 50;
/** Decimals that the ledger stores: fees of venues are finer than the amounts that a client holds. */
const houseDecimals = 18;
const maxAmount = new Decimal('1e24');

/** Converts an operator's posting, which has passed `correctionIssues`, to the journal's form. */
export function toPosting({ account: kind, walletId, venue, currency, amount }: CorrectionPosting): Posting {
  if (kind === 'AVAILABLE') return { account: { kind, walletId: walletId?.toLowerCase() ?? '', currency }, amount };
  if (kind === 'VENUE') return { account: { kind, venue: venue ?? '', currency }, amount };
  return { account: { kind, currency }, amount };
}

export function correctionIssues({ key, reason, postings }: Correction, known: Known): ErrorDetail[] {
  const isKey = key.trim() !== '' && key.length <= maxKeyLength && !key.includes('\0');
  const isCount = postings.length >= minPostings && postings.length <= maxPostings;
  return [
    ...unless(isKey, errorAt('key', 'TEXT_LENGTH', { min: 1, max: maxKeyLength })),
    ...reasonIssues(reason),
    ...unless(isCount, errorAt('postings', 'LIST_LENGTH', { min: minPostings, max: maxPostings })),
    ...postings.flatMap((posting, index) => postingIssues(posting, known, `postings[${index}]`)),
    ...repeatIssues(postings),
    ...sumIssues(postings),
  ];
}

function postingIssues(posting: CorrectionPosting, known: Known, path: string): ErrorDetail[] {
  const decimals = known.decimals.get(posting.currency);
  return [
    ...ownerIssues(posting, known, path),
    ...unless(decimals !== undefined, errorAt(`${path}.currency`, 'NOT_IN_LEDGER')),
    ...amountIssues(posting, decimals, `${path}.amount`),
  ];
}

function ownerIssues({ account, walletId, venue }: CorrectionPosting, known: Known, path: string): ErrorDetail[] {
  const isWallet = isUuid(walletId ?? '') && known.wallets.has(walletId?.toLowerCase() ?? '');
  const isVenue = known.venues.has(venue ?? '');
  return [
    ...(account === 'AVAILABLE'
      ? unless(isWallet, {
          path: `${path}.walletId`,
          message: 'must be the id of a wallet, real or synthetic like the correction',
        })
      : unless(walletId == null, {
          path: `${path}.walletId`,
          message: 'must be omitted: only AVAILABLE has a wallet',
        })),
    ...(account === 'VENUE'
      ? unless(isVenue, {
          path: `${path}.venue`,
          message: 'must be a venue with a ledger account, real or synthetic like the correction',
        })
      : unless(venue == null, { path: `${path}.venue`, message: 'must be omitted: only VENUE has a venue' })),
  ];
}

/** Checks that a client's amount is no finer than the currency; an unknown currency cannot be checked. */
function amountIssues(
  { account, amount }: CorrectionPosting,
  decimals: number | undefined,
  path: string,
): ErrorDetail[] {
  const value = new Decimal(amount);
  const most = account === 'AVAILABLE' ? (decimals ?? houseDecimals) : houseDecimals;
  return [
    ...unless(!value.isZero(), { path, message: 'must not be zero' }),
    ...unless(value.abs().lessThan(maxAmount), { path, message: 'must be less than 10^24 in absolute value' }),
    ...unless(value.decimalPlaces() <= most, errorAt(path, 'DECIMALS', { max: most })),
  ];
}

function repeatIssues(postings: readonly CorrectionPosting[]): ErrorDetail[] {
  const named = new Set<string>();
  return postings.flatMap((posting, index) => {
    const { account } = toPosting(posting);
    const name = JSON.stringify([account.kind, ownerOf(account), account.currency]);
    if (named.has(name)) return [{ path: `postings[${index}]`, message: 'is an account that occurs more than once' }];
    named.add(name);
    return [];
  });
}

function sumIssues(postings: readonly CorrectionPosting[]): ErrorDetail[] {
  const currencies = [...new Set(postings.map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) => {
    const total = sum(postings.filter((one) => one.currency === currency).map(({ amount }) => amount));
    return unless(total.isZero(), {
      path: 'postings',
      message: `must sum to zero in ${currency}, but the sum is ${total.toFixed()}`,
    });
  });
}

/** Returns the real one, then the synthetic one; a `profileId` of null is the company itself. @throws {ApiError} NOT_FOUND */
export async function requireWallets(
  context: Context,
  companyId: string,
  profileId: string | null,
): Promise<WalletRef[]> {
  const isForm = isUuid(companyId) && (profileId === null || isUuid(profileId));
  const wallets = isForm ? await listWallets(context, companyId, profileId) : [];
  if (wallets.length > 0) return wallets;
  throw new ApiError('NOT_FOUND', { message: 'There is no such company or profile' });
}

const LedgerAccountKindEnum = describeEnum<Account['kind']>(
  'LedgerAccountKind',
  'Type of a ledger account that corrections can post to. Credits are positive: assets of the platform are negative.',
  {
    AVAILABLE: 'Available balance of a wallet: positive. Identified by the id of the wallet.',
    VENUE: 'Assets of the platform at an exchange: negative. Identified by the venue.',
    FEES: 'Fees paid by clients: positive.',
    SPREAD: 'Income from quotes: positive.',
    ROUNDING: 'Rounding differences in favor of the platform: positive.',
    VENUE_FEES: 'Fees charged by exchanges: negative.',
    CAPITAL: 'Capital contributed by the operator of the platform: positive.',
    PRINCIPAL: 'Own position of the platform, from quotes and from fills that belong to no client.',
    CUSTODY: 'Assets of the platform in custody: negative.',
    DEPOSITS_IN_TRANSIT: 'Deposits in transit: negative.',
    WITHDRAWALS_IN_TRANSIT: 'Withdrawals in transit: negative.',
  },
);

@InputType({ description: 'Change of one account.' })
export class CorrectionPostingInput extends inputs({
  account: of(() => LedgerAccountKindEnum, 'Type of the account.'),
  walletId: nullable.id(
    'For AVAILABLE: id of the wallet (UUID), real or synthetic like the correction; see `tradingWallets`.',
  ),
  venue: nullable.text('For VENUE: name of the exchange, as in `tradingVenues`.', { maxLength: 40 }),
  currency: text('Code of the currency, such as `BTC`.', { maxLength: 12 }),
  amount: decimal(
    'Amount in the currency by which the account increases (positive) or decreases (negative); not zero. AVAILABLE has at most the decimals of the currency, other accounts at most 18.',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A journal with which an operator corrected the ledger.' })
export class LedgerCorrection extends fields({
  journalId: id('Id of the journal (UUID)'),
  key: id('Key with which it was posted: `causeId` in statements'),
  synthetic: flag('Whether it is synthetic'),
  reason: text('Reason, as it is shown in statements'),
  postedAt: time('Time of the posting'),
  repeated: flag('Whether it had already been posted, so that nothing changed'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A wallet, as operators see it.' })
export class TradingWallet extends fields({
  id: id('Id (UUID)'),
  synthetic: flag('Whether its funds are synthetic'),
}) {}
