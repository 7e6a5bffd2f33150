import { Field, ID, ObjectType } from 'type-graphql';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { Movement, Statement } from './read-statement.js';

const text = "in the statement's currency and with its decimals";

@ObjectType({ simpleResolvers: true, description: 'What a wallet held of a currency at one moment.' })
export class HeldBalance {
  @Field(() => DecimalScalar, { description: `What could be used, ${text}` })
  available!: string;

  @Field(() => DecimalScalar, { description: `What was set aside, ${text}` })
  locked!: string;

  @Field(() => DecimalScalar, { description: `Both together, ${text}` })
  total!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What one journal of the ledger did to a wallet.' })
export class WalletMovement {
  @Field(() => ID, {
    description:
      'Id of the journal (UUID); of a correction (cause `operator.correction`) an id of this wallet alone, since it may be of two clients',
  })
  journalId!: string;

  @Field(() => DateTimeScalar, { description: 'When it was posted' })
  postedAt!: Date;

  @Field(() => DecimalScalar, { description: `What it added to the available balance (below zero: took), ${text}` })
  available!: string;

  @Field(() => DecimalScalar, { description: `What it added to the locked balance (below zero: took), ${text}` })
  locked!: string;

  @Field(() => String, { description: 'What kind of thing it was posted for, such as `order.fill`' })
  cause!: string;

  @Field(() => String, { description: 'The id of that; of a correction the same as `journalId`' })
  causeId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Why an operator posted it to correct the ledger (cause `operator.correction`); null for all others',
  })
  reason!: string | null;

  @Field(() => HeldBalance, { description: 'What the wallet held after it' })
  balance!: HeldBalance;
}

@ObjectType({ simpleResolvers: true, description: 'The account of a wallet in one currency, for a period.' })
export class WalletStatement {
  @Field(() => String, { description: 'The currency' })
  currency!: string;

  @Field(() => DateTimeScalar, { description: 'The period begins with this moment' })
  from!: string;

  @Field(() => DateTimeScalar, { description: 'It ends before this one' })
  to!: string;

  @Field(() => HeldBalance, { description: 'What the wallet held when the period began' })
  opening!: HeldBalance;

  @Field(() => HeldBalance, { description: 'What it held when the period ended' })
  closing!: HeldBalance;

  @Field(() => [WalletMovement], { description: 'The movements of this page, the oldest first' })
  movements!: readonly WalletMovement[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;
}

export function toWalletStatement(statement: Statement): Shape<WalletStatement> {
  return { ...statement, movements: statement.movements.map(toWalletMovement) };
}

function toWalletMovement({ postedAt, ...movement }: Movement): Shape<WalletMovement> {
  return { ...movement, postedAt: new Date(postedAt) };
}
