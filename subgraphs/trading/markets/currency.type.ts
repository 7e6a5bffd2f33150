import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A currency in which funds are held: fiat or a crypto-asset.' })
export class Currency {
  @Field(() => String, { description: 'As exchanges write it: `BRL`, `BTC`.' })
  code!: string;

  @Field(() => Int, { description: 'Decimals of an amount of it. Amounts with more are refused.' })
  decimals!: number;

  @Field(() => Boolean, { description: 'Whether it is a fiat currency.' })
  fiat!: boolean;
}
