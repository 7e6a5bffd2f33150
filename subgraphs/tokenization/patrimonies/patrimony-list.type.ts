import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import { CursorPageArgs } from '../../../shared/subgraph/page-args.js';
import { Patrimony } from './patrimony.type.js';

export const PatrimonyConnection = connectionType(Patrimony, {
  name: 'Patrimony',
  nodes: 'estates',
  order: 'sorted by ticker',
});

@ArgsType()
export class PatrimoniesArgs extends CursorPageArgs {
  @Field(() => String, {
    nullable: true,
    description:
      'Up to 10 words, 100 characters in total. Each must be part of the ticker, the slug or the name, without regard to case and accents',
  })
  search?: string | null;
}

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
