import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { AtMost } from '../../../../shared/graphql/constraint.js';
import { describeEnum } from '../../../../shared/graphql/describe-enum.js';
import { DecimalScalar } from '../../../../shared/graphql/scalars.js';
import type { Account } from '../post-journals.js';
import { fields, flag, id, text, time } from '../../../../shared/graphql/fields.js';

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
export class CorrectionPostingInput {
  @Field(() => LedgerAccountKindEnum, { description: 'Type of the account.' })
  account!: Account['kind'];

  @Field(() => ID, {
    nullable: true,
    description: 'For AVAILABLE: id of the wallet (UUID), real or synthetic like the correction; see `tradingWallets`.',
  })
  walletId?: string | null;

  @AtMost({ maxLength: 40 })
  @Field(() => String, { nullable: true, description: 'For VENUE: name of the exchange, as in `tradingVenues`.' })
  venue?: string | null;

  @AtMost({ maxLength: 12 })
  @Field(() => String, { description: 'Code of the currency, such as `BTC`.' })
  currency!: string;

  @Field(() => DecimalScalar, {
    description:
      'Amount in the currency by which the account increases (positive) or decreases (negative); not zero. AVAILABLE has at most the decimals of the currency, other accounts at most 18.',
  })
  amount!: string;
}

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
