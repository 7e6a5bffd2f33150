import 'reflect-metadata';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A currency in which funds are held: fiat or a crypto-asset.' })
export class Currency {
  @Field(() => String, { description: 'Code as exchanges use it: `BRL`, `BTC`.' })
  code!: string;

  @Field(() => Int, { description: 'Number of decimals of its amounts. Amounts with more decimals are rejected.' })
  decimals!: number;

  @Field(() => Boolean, { description: 'Whether it is a fiat currency.' })
  fiat!: boolean;
}
