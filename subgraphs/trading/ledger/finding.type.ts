import { Field, ID, ObjectType } from 'type-graphql';
import { DateTimeScalar } from '../../../shared/subgraph/scalars.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'What was found wrong: a promise of the ledger that is broken, a venue that holds something else than it says, or a deposit that cannot be taken in.',
})
export class ReconciliationFinding {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, {
    description: 'Which promise: `ZERO_SUM`, `LOCKED_IS_HELD`, `VENUE_BALANCE`, `DEPOSIT_SET_ASIDE`',
  })
  invariant!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'In which currency, which is halted unless it is a `VENUE_BALANCE`; null for the whole ledger, and for a `DEPOSIT_SET_ASIDE`',
  })
  currency!: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether in the synthetic world; null for both' })
  synthetic!: boolean | null;

  @Field(() => String, {
    description:
      'Of which account, wallet, month, venue or deposit (network, transaction and output); empty for the whole',
  })
  subject!: string;

  @Field(() => String, { description: 'What there should be' })
  expected!: string;

  @Field(() => String, { description: 'What there is' })
  actual!: string;

  @Field(() => DateTimeScalar, { description: 'When it was found' })
  foundAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When it was last seen' })
  lastSeenAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When an operator resolved it; null while it is open' })
  resolvedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'What the operator says that it was' })
  resolution!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A currency in which nothing new is traded for the time being.' })
export class CurrencyHalt {
  @Field(() => String, { description: 'The currency' })
  currency!: string;

  @Field(() => Boolean, { description: 'Whether in the synthetic world' })
  synthetic!: boolean;

  @Field(() => String, { description: 'Why' })
  reason!: string;

  @Field(() => DateTimeScalar, { description: 'Since when' })
  haltedAt!: Date;
}
