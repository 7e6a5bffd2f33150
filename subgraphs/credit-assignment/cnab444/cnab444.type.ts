import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DecimalScalar } from '../../../shared/subgraph/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'A batch that was made of a CNAB 444 file, in DRAFT.' })
export class CnabBatch {
  @Field(() => ID, { description: 'Id (UUID) of the credit batch or the settlement batch' })
  id!: string;

  @Field(() => Int, { description: 'Details of the file: contracts, or payments' })
  count!: number;

  @Field(() => DecimalScalar, { description: 'Their face value, or what was paid, in BRL with 2 decimals' })
  total!: string;
}
