import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { TrancheStatusEnum } from './tranche.enum.js';
import type { TrancheStatus } from './tranche.js';
import { Tranche } from './tranche.type.js';

@InputType({ description: 'Filter of a list of series. A field that is omitted does not restrict the list.' })
export class TrancheFilter {
  @Field(() => TrancheStatusEnum, { nullable: true, description: 'Only items with this status' })
  status?: TrancheStatus | null;

  @Field(() => String, { nullable: true, description: 'Only series of the estate with this ticker, in any case' })
  patrimonyTicker?: string | null;
}

@ArgsType()
export class TrancheListArgs {
  @Field(() => TrancheFilter, { nullable: true, description: 'Restricts the list; all series when omitted' })
  filter?: TrancheFilter | null;

  @Field(() => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`endCursor` of the previous page, which must have been requested with the same filter',
  })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A series with its cursor in a list.' })
export class TrancheEdge {
  @Field(() => Tranche, { description: 'The series' })
  node!: Tranche;

  @Field(() => String, { description: 'Cursor of this item; pass it as `after` to continue behind it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of series.' })
export class TrancheConnection {
  @Field(() => [TrancheEdge], { description: 'The series of this page, each with its cursor' })
  edges!: readonly TrancheEdge[];

  @Field(() => [Tranche], { description: 'The series of this page' })
  nodes!: readonly Tranche[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;
}
