import { Directive, Field, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';

const text = 'in its currency and with its decimals';

// GET /v1/wallet/fetchBalance (docs/contract/trading.md §2.3).
@ObjectType({ simpleResolvers: true, description: 'Balance of a wallet in one currency.' })
export class Balance {
  @Field(() => String, { description: 'Code of the currency: `BRL`, `BTC`' })
  currency!: string;

  @Field(() => DecimalScalar, { description: `Amount that can be used, ${text}` })
  available!: string;

  @Field(() => DecimalScalar, { description: `Amount that is held for open orders and withdrawals, ${text}` })
  locked!: string;

  @Field(() => DecimalScalar, { description: `Sum of available and locked, ${text}` })
  total!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Balances of a wallet as the REST API returns them.',
})
export class WalletBalances {
  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [Balance], {
    description: 'One balance for every currency, sorted by code; zero for currencies without funds',
  })
  wallets!: readonly Balance[];
}
