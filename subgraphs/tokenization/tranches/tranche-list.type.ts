import { ArgsType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import { TrancheStatusEnum } from './tranche.enum.js';
import type { TrancheStatus } from './tranche.js';
import { Tranche } from './tranche.type.js';

@ArgsType()
@InputType({ description: 'Filter of a list of series. A field that is omitted does not restrict the list.' })
export class TrancheFilter {
  @Field(() => TrancheStatusEnum, { nullable: true, description: 'Only series with this status' })
  status?: TrancheStatus | null;

  @Field(() => String, { nullable: true, description: 'Only series of the estate with this ticker, in any case' })
  patrimonyTicker?: string | null;
}

export const TrancheConnection = connectionType(Tranche, { name: 'Tranche', nodes: 'series' });

@ObjectType({ simpleResolvers: true, description: 'A page of series.' })
export class TrancheList {
  @Field(() => [Tranche], { description: 'The series of this page, sorted by ticker' })
  items!: readonly Tranche[];

  @Field(() => Int, { description: 'Number of matching series on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}
