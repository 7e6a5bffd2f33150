import { Field, ID, InputType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';

@InputType({ description: 'A payment that was received for a receivable.' })
export class SettlementInput {
  @Field(() => ID, { description: 'Id of the receivable: that of the contract in its credit batch' })
  contractId!: string;

  @Field(() => DecimalScalar, {
    description: 'What was received, in BRL with at most 2 decimals; at most what is open. Less is a partial payment',
  })
  settledAmount!: string;

  @Field(() => DateScalar, { description: 'When it was received: not in the future' })
  settledDate!: string;
}
