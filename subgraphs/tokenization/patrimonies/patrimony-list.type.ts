import { Field, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import { Patrimony } from './patrimony.type.js';

export const PatrimonyConnection = connectionType(Patrimony, {
  name: 'Patrimony',
  nodes: 'estates',
  order: 'sorted by ticker',
});

@ObjectType({ simpleResolvers: true, description: 'A page of estates.' })
export class PatrimonyList {
  @Field(() => [Patrimony], { description: 'The estates of this page, sorted by ticker' })
  items!: readonly Patrimony[];

  @Field(() => Int, { description: 'Number of estates on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}
