import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'A batch in DRAFT that was created from a CNAB 444 file.' })
export class CnabBatch {
  @Field(() => ID, { description: 'Id (UUID) of the credit batch or the settlement batch' })
  id!: string;

  @Field(() => Int, { description: 'Number of details in the file: contracts or payments' })
  count!: number;

  @Field(() => DecimalScalar, { description: 'Total face value or total amount paid, in BRL with 2 decimals' })
  total!: string;
}
