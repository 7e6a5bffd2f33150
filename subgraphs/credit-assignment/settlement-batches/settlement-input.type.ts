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

  @Field(() => DateScalar, {
    description: 'When it was received: from the day of the assignment to today, in São Paulo',
  })
  settledDate!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'What the originator calls this payment of the receivable: 1 to 100 letters, digits and any of `.-_:/`. A payment that comes again with its reference, amount and day is the one that is recorded, and is not taken off again; with another amount or day, or once that payment was reversed, it is refused',
  })
  paymentReference?: string | null;
}
