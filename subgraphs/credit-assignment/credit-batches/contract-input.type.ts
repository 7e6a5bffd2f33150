import { Field, InputType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';

@InputType({ description: 'A contract to assign.' })
export class ContractInput {
  @Field(() => String, {
    description:
      "Its name in the originator's system, 1 to 100 characters without a blank at an end; each once in a batch",
  })
  externalId!: string;

  @Field(() => String, { description: 'CPF (11 digits) or CNPJ (14 characters) of the debtor, without punctuation' })
  debtorDocument!: string;

  @Field(() => DecimalScalar, { description: 'Face value, in BRL with at most 2 decimals' })
  faceValue!: string;

  @Field(() => DateScalar, { description: 'When it is due: a day in the future' })
  dueDate!: string;
}
