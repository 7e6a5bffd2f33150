import { Field, InputType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';

@InputType({ description: 'A contract to be assigned.' })
export class ContractInput {
  @Field(() => String, {
    description:
      "Identifier of the contract in the originator's system: 1 to 100 characters that can be seen, in the form NFC and without the blanks at its ends; unique in a batch",
  })
  externalId!: string;

  @Field(() => String, { description: 'CPF (11 digits) or CNPJ (14 characters) of the debtor, without punctuation' })
  debtorDocument!: string;

  @Field(() => DecimalScalar, { description: 'Face value, in BRL with at most 2 decimals' })
  faceValue!: string;

  @Field(() => DateScalar, { description: 'Due date, which must be in the future in São Paulo' })
  dueDate!: string;
}
