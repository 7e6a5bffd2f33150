import { Field, Int, ObjectType } from 'type-graphql';
import { TrancheUnitPrice } from './tranche-unit-price.type.js';

@ObjectType({ simpleResolvers: true, description: 'A page of the unit prices of a series.' })
export class UnitPriceList {
  @Field(() => [TrancheUnitPrice], { description: 'The prices of this page, oldest first' })
  items!: readonly TrancheUnitPrice[];

  @Field(() => Int, { description: 'Number of days with a price in the period, on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}
