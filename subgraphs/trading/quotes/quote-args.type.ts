import { ArgsType, Field, ID } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { OrderSideEnum } from '../orders/order.type.js';
import { WalletArgs } from '../profiles/wallet-args.js';
import type { Side } from '../venues/venue.js';

@ArgsType()
export class CreateQuoteArgs extends WalletArgs {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: 'Symbol of the market, such as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL, with respect to the base currency.' })
  side!: Side;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Amount in the base currency, with at most `amountDecimals` of the market; fees come on top. Give either this or `quoteAmount`.',
  })
  amount?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'What a BUY pays at most and a SELL gets at least in all, in the quote currency, the fee taken into account: a BUY gets the largest amount that does not cost more, a SELL the smallest that yields as much. Give either this or `amount`.',
  })
  quoteAmount?: string | null;
}

@ArgsType()
export class QuoteArgs extends WalletArgs {
  @Field(() => ID, { description: 'Id of the quote (UUID).' })
  quoteId!: string;
}
