import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { TrancheStatusEnum } from './tranche.enum.js';
import type { TrancheStatus } from './tranche.js';
import { Tranche } from './tranche.type.js';

@InputType({ description: 'Which series to list. What is left out does not narrow the list.' })
export class TrancheFilter {
  @Field(() => TrancheStatusEnum, { nullable: true, description: 'That stand here' })
  status?: TrancheStatus | null;

  @Field(() => String, { nullable: true, description: 'Of the estate with this ticker, whatever its case' })
  patrimonyTicker?: string | null;
}

@ArgsType()
export class TrancheListArgs {
  @Field(() => TrancheFilter, { nullable: true, description: 'Which series; all when omitted' })
  filter?: TrancheFilter | null;

  @Field(() => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`endCursor` of the page before, got with the same filter' })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A series in a list.' })
export class TrancheEdge {
  @Field(() => Tranche, { description: 'The series' })
  node!: Tranche;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of series.' })
export class TrancheConnection {
  @Field(() => [TrancheEdge], { description: 'The series of this page, each with its place' })
  edges!: readonly TrancheEdge[];

  @Field(() => [Tranche], { description: 'The series of this page' })
  nodes!: readonly Tranche[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;
}
