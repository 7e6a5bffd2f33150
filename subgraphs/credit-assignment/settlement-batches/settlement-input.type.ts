import { Field, ID, InputType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';

@InputType({ description: 'A payment that was received for a receivable.' })
export class SettlementInput {
  @Field(() => ID, { description: 'Id of the receivable, which is that of the contract in its credit batch' })
  contractId!: string;

  @Field(() => DecimalScalar, {
    description:
      'Amount received, in BRL with at most 2 decimals; at most the open balance. A smaller amount is a partial payment',
  })
  settledAmount!: string;

  @Field(() => DateScalar, {
    description: 'Day on which it was received, in São Paulo: from the day of the assignment to today',
  })
  settledDate!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Reference of the originator for this payment of the receivable: 1 to 100 letters, digits and any of `.-_:/`. A payment with a reference that was recorded before, with the same amount and day, counts only once; with another amount or day, or when the recorded payment was reversed, it is rejected',
  })
  paymentReference?: string | null;
}
