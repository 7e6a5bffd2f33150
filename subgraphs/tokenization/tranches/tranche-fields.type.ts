import { Field, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { TrancheClassEnum, TrancheStatusEnum } from './tranche.enum.js';
import type { TrancheClass, TrancheStatus } from './tranche.js';

/** The fields that every view of a series shows. */
@ObjectType({ simpleResolvers: true })
export abstract class TrancheFields {
  @Field(() => String, { description: 'Ticker, unique whatever its case' })
  ticker!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => TrancheStatusEnum, { description: 'Where it stands' })
  status!: TrancheStatus;

  @Field(() => TrancheClassEnum, { description: 'Risk class' })
  className!: TrancheClass;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Current price of a token with its accrued interest (dirty PU), 8 decimals. Up to the day on which the series begins to remunerate it is the price of the issue; 0.00000000 once it is repaid or CLOSED; null when it has begun and no price has been made yet',
  })
  unitPrice!: string | null;

  @Field(() => String, { description: 'Tokens: a whole number' })
  tokenQuantity!: string;

  @Field(() => DateScalar, { description: 'First day that remunerates' })
  remunerationStartDate!: string;

  @Field(() => DecimalScalar, {
    description: 'Annual rate in percent, 2 to 8 decimals; the spread where the series follows an index',
  })
  remunerationPercentagePerYear!: string;
}
