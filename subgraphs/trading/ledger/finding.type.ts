import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';
import { InvariantEnum, type Invariant } from './invariant.enum.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'A finding of the reconciliation: a violated invariant of the ledger, a balance at a venue or in custody that differs from the ledger, or a deposit that cannot be applied.',
})
export class ReconciliationFinding {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => InvariantEnum, { description: 'The invariant that does not hold' })
  invariant!: Invariant;

  @Field(() => String, {
    nullable: true,
    description:
      'Code of the currency, which is halted unless it is a `VENUE_BALANCE` or a `CUSTODY_BALANCE`; null for the whole ledger, and for a `DEPOSIT_SET_ASIDE`',
  })
  currency!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it is synthetic; null for real and synthetic together',
  })
  synthetic!: boolean | null;

  @Field(() => String, {
    description:
      'The account, wallet, month, venue or deposit (network, transaction and output) concerned; empty for the whole ledger',
  })
  subject!: string;

  @Field(() => String, { description: 'Expected value' })
  expected!: string;

  @Field(() => String, { description: 'Actual value' })
  actual!: string;

  @Field(() => DateTimeScalar, { description: 'Time at which it was found' })
  foundAt!: Date;

  @Field(() => DateTimeScalar, { description: 'Time at which it was last found' })
  lastSeenAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which an operator resolved it; null while it is open',
  })
  resolvedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Explanation by the operator' })
  resolution!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A currency in which trading is halted.' })
export class CurrencyHalt {
  @Field(() => String, { description: 'Code of the currency' })
  currency!: string;

  @Field(() => Boolean, { description: 'Whether it is synthetic' })
  synthetic!: boolean;

  @Field(() => String, { description: 'Why' })
  reason!: string;

  @Field(() => DateTimeScalar, { description: 'Time since which it is halted' })
  haltedAt!: Date;
}
