import { Field, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { TrancheClassEnum, TrancheStatusEnum } from './tranche.enum.js';
import type { TrancheClass, TrancheStatus } from './tranche.js';

/** The fields that every view of a series shows. */
@ObjectType({ simpleResolvers: true })
export abstract class TrancheFields {
  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => TrancheStatusEnum, { description: 'Status of the asset' })
  status!: TrancheStatus;

  @Field(() => TrancheClassEnum, { description: 'Risk class' })
  className!: TrancheClass;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Current price of a token with its accrued interest (dirty PU), 8 decimals. Until the day on which remuneration begins it is the issue price; 0.00000000 once the series is repaid or CLOSED; null when remuneration has begun and no price was calculated yet',
  })
  unitPrice!: string | null;

  @Field(() => String, { description: 'Number of tokens, an integer' })
  tokenQuantity!: string;

  @Field(() => DateScalar, { description: 'First day of remuneration' })
  remunerationStartDate!: string;

  @Field(() => DecimalScalar, {
    description: 'Annual rate in percent, 2 to 8 decimals; the spread when the series follows an index',
  })
  remunerationPercentagePerYear!: string;
}
