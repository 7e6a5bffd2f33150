import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { RepriceRequestRow } from './price-run.store.js';

@ObjectType({ simpleResolvers: true, description: 'A published number that prices wait for.' })
export class MissingIndexValue {
  @Field(() => String, { description: 'Index and day or month: `DI 2026-03-05`, `IPCA 2026-03`' })
  input!: string;

  @Field(() => Int, { description: 'Number of series that wait for it' })
  series!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A request to calculate unit prices; stored for 30 days.' })
export class RepriceRequest {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => Int, { description: 'Number of series with days to be priced' })
  series!: number;

  @Field(() => DateTimeScalar, { description: 'Time of the request' })
  requestedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time of completion; null until then' })
  finishedAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of stored prices, including new versions of earlier ones; null until completion, and when some series could not be priced',
  })
  prices!: number | null;

  @Directive('@listSize(assumedSize: 100)')
  @Field(() => [MissingIndexValue], { description: 'Numbers that were missing; at most 100' })
  missing!: readonly MissingIndexValue[];

  @Field(() => String, {
    nullable: true,
    description: 'Reason for which some series could not be priced, after the others were',
  })
  fault!: string | null;
}

export function toRepriceRequest(row: RepriceRequestRow): Shape<RepriceRequest> {
  const { id, series, requestedAt, finishedAt, prices, missing, fault } = row;
  return { id, series, requestedAt, finishedAt, prices, missing, fault };
}
