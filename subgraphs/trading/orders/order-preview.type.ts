import { Field, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'An amount that would be set aside for an order.' })
export class PreviewedHold {
  @Field(() => String, { description: 'Code of the currency.' })
  currency!: string;

  @Field(() => DecimalScalar, { description: 'Amount, in that currency.' })
  amount!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'What an order would do by the present order books. Books move: what is executed can differ.',
})
export class OrderPreview {
  @Field(() => String, {
    nullable: true,
    description: 'Reason for which the order would end at once, in English; null when it would be placed.',
  })
  refused!: string | null;

  @Field(() => DecimalScalar, { description: 'Amount that is expected to be executed at once, in the base currency.' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Value of that amount, in the quote currency, without the fee.' })
  notional!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Average price of that amount, in the quote currency, with at least `priceDecimals` of the market, rounded half up to 8 decimals; null when nothing would be executed at once.',
  })
  averagePrice!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Worst price that any part of the order can have, also when it is sent again because books have moved, in the quote currency; null when it would end at once.',
  })
  worstPrice!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Average price relative to the mid price, in percent, rounded half up to 4 decimals: a positive value is worse. Null without a mid price.',
  })
  slippagePercent!: string | null;

  @Field(() => DecimalScalar, {
    description:
      'Fee of the company on what is expected to be executed at once, by its rate for orders that remove liquidity, rounded down.',
  })
  fee!: string;

  @Field(() => String, { description: 'Currency of the fee.' })
  feeCurrency!: string;

  @Field(() => PreviewedHold, {
    nullable: true,
    description:
      'What would be set aside: the most that the order can cost with its fee, or the amount of a SELL; null when it would end at once.',
  })
  hold!: PreviewedHold | null;
}
