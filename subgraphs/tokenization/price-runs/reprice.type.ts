import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { RepriceRequestRow } from './reprice-request.store.js';

@ObjectType({ simpleResolvers: true, description: 'A number that prices wait for.' })
export class MissingIndexValue {
  @Field(() => String, { description: 'Which: `DI 2026-03-05`, `IPCA 2026-03`' })
  input!: string;

  @Field(() => Int, { description: 'How many series wait for it' })
  series!: number;
}

@ObjectType({ simpleResolvers: true, description: 'That unit prices are made now, as was asked; kept for 30 days.' })
export class RepriceRequest {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => Int, { description: 'Series that were marked: those that had days to price' })
  series!: number;

  @Field(() => DateTimeScalar, { description: 'When it was asked' })
  requestedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When all was done; null while it is not' })
  finishedAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Prices that were written, new days and new versions of old ones; null until all was done, and where some series could not be priced',
  })
  prices!: number | null;

  @Field(() => [MissingIndexValue], { description: 'What was not there; at most 100 of them' })
  missing!: readonly MissingIndexValue[];

  @Field(() => String, { nullable: true, description: 'Why some series could not be priced, after the others were' })
  fault!: string | null;
}

export function toRepriceRequest(row: RepriceRequestRow): Shape<RepriceRequest> {
  const { id, series, requestedAt, finishedAt, prices, missing, fault } = row;
  return { id, series, requestedAt, finishedAt, prices, missing, fault };
}
