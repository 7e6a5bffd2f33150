import { ArgsType, Field, ID } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { OrderSideEnum } from '../orders/order.type.js';
import { WalletArgs } from '../profiles/wallet-args.js';
import type { Side } from '../venues/venue.js';

@ArgsType()
export class CreateQuoteArgs extends WalletArgs {
  @AtMost({ maxLength: 30 })
  @Field(() => String, { description: 'The market, as `BTC/BRL`.' })
  symbol!: string;

  @Field(() => OrderSideEnum, { description: 'BUY or SELL the base currency.' })
  side!: Side;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'In the base currency, with no more decimals than `amountDecimals` of the market. This or `quoteAmount`.',
  })
  amount?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'In the quote currency, the fee not included: a BUY gets the most that does not cost more, a SELL the least that brings as much. This or `amount`.',
  })
  quoteAmount?: string | null;
}

@ArgsType()
export class QuoteArgs extends WalletArgs {
  @Field(() => ID, { description: 'Id of the quote (UUID).' })
  quoteId!: string;
}
