import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { AtMost } from '../../../../shared/subgraph/constraint.js';
import { describeEnum } from '../../../../shared/subgraph/describe-enum.js';
import { DateTimeScalar, DecimalScalar } from '../../../../shared/subgraph/scalars.js';
import type { Account } from '../account.js';

const LedgerAccountKindEnum = describeEnum<Account['kind']>(
  'LedgerAccountKind',
  'An account of the ledger that can be posted to. Credits are positive: what the house holds elsewhere is negative.',
  {
    AVAILABLE: 'What a wallet can use: positive. It is named by the id of the wallet.',
    VENUE: 'What the house holds at an exchange: negative. It is named by the venue.',
    FEES: 'Fees that clients paid: positive.',
    SPREAD: 'What quotes earned: positive.',
    ROUNDING: 'What roundings left to the house: positive.',
    VENUE_FEES: 'What exchanges charged the house: negative.',
    CAPITAL: 'What the house put in: positive.',
    PRINCIPAL: 'The own position of the house, from quotes and from fills that are no client’s.',
    CUSTODY: 'What the house holds in custody: negative.',
    DEPOSITS_IN_TRANSIT: 'Deposits that are on their way: negative.',
    WITHDRAWALS_IN_TRANSIT: 'Withdrawals that are on their way: negative.',
  },
);

@InputType({ description: 'What one account gains or loses.' })
export class CorrectionPostingInput {
  @Field(() => LedgerAccountKindEnum, { description: 'Which kind of account.' })
  account!: Account['kind'];

  @Field(() => ID, {
    nullable: true,
    description: 'Of AVAILABLE the wallet (UUID), of the same world: see `tradingWallets`.',
  })
  walletId?: string | null;

  @AtMost({ maxLength: 40 })
  @Field(() => String, { nullable: true, description: 'Of VENUE the exchange, as `tradingVenues` calls it.' })
  venue?: string | null;

  @AtMost({ maxLength: 12 })
  @Field(() => String, { description: 'The currency, as `BTC`.' })
  currency!: string;

  @Field(() => DecimalScalar, {
    description:
      'What the account gains (above zero) or loses, in the currency and not zero: of AVAILABLE with its decimals at most, of the others with 18 at most.',
  })
  amount!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A journal by which an operator corrected the ledger.' })
export class LedgerCorrection {
  @Field(() => ID, { description: 'Id of the journal (UUID)' })
  journalId!: string;

  @Field(() => ID, { description: 'The key under which it was posted: `causeId` in statements' })
  key!: string;

  @Field(() => Boolean, { description: 'Whether in the synthetic world' })
  synthetic!: boolean;

  @Field(() => String, { description: 'Why: the statements of the wallets show it' })
  reason!: string;

  @Field(() => DateTimeScalar, { description: 'When it was posted' })
  postedAt!: Date;

  @Field(() => Boolean, { description: 'Whether it had been posted before, so that nothing was changed' })
  repeated!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'A wallet, as operators name it.' })
export class TradingWallet {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => Boolean, { description: 'Whether its funds are synthetic' })
  synthetic!: boolean;
}
