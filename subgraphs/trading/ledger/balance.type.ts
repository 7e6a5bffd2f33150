import { Field, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';

const text = 'in its currency and with its decimals';

// GET /v1/wallet/fetchBalance (docs/contract/trading.md §2.3).
@ObjectType({ simpleResolvers: true, description: 'What a wallet holds of one currency.' })
export class Balance {
  @Field(() => String, { description: 'The currency, as exchanges write it: `BRL`, `BTC`' })
  currency!: string;

  @Field(() => DecimalScalar, { description: `What can be used, ${text}` })
  available!: string;

  @Field(() => DecimalScalar, { description: `What is set aside for open orders and withdrawals, ${text}` })
  locked!: string;

  @Field(() => DecimalScalar, { description: `Both together, ${text}` })
  total!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The balances of a wallet, as the documented interface answers them.',
})
export class WalletBalances {
  @Field(() => [Balance], { description: 'One for every currency, by code; those with nothing are zero' })
  wallets!: readonly Balance[];
}
