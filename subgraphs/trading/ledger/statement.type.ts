import { Field, ID, ObjectType } from 'type-graphql';
import { nextTokenText } from '../profiles/require-wallet.js';
import { PageInfo } from '../../../shared/graphql/page-info.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Movement, Statement } from './read-statement.js';

const text = 'in the currency of the statement and with its decimals';

@ObjectType({ simpleResolvers: true, description: 'Balance of a wallet in a currency at one time.' })
export class HeldBalance {
  @Field(() => DecimalScalar, { description: `Amount that could be used, ${text}` })
  available!: string;

  @Field(() => DecimalScalar, { description: `Amount that was held, ${text}` })
  locked!: string;

  @Field(() => DecimalScalar, { description: `Sum of available and locked, ${text}` })
  total!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Effect of one journal of the ledger on a wallet.' })
export class WalletMovement {
  @Field(() => ID, {
    description:
      'Id of the journal (UUID); for a correction (cause `operator.correction`) an id for this wallet only, because the journal may affect two clients',
  })
  journalId!: string;

  @Field(() => DateTimeScalar, { description: 'Time of the posting' })
  postedAt!: Date;

  @Field(() => DecimalScalar, { description: `Change of the available balance, ${text}` })
  available!: string;

  @Field(() => DecimalScalar, { description: `Change of the locked balance, ${text}` })
  locked!: string;

  @Field(() => String, { description: 'Kind of the cause, such as `order.fill`' })
  cause!: string;

  @Field(() => String, { description: 'Id of the cause; for a correction the same as `journalId`' })
  causeId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the order that it belongs to, also where a quote was executed; null for everything else',
  })
  orderId!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Reason of the operator who corrected the ledger (cause `operator.correction`); null for all other causes',
  })
  reason!: string | null;

  @Field(() => HeldBalance, { description: 'Balance after the movement' })
  balance!: HeldBalance;
}

@ObjectType({ simpleResolvers: true, description: 'The statement of a wallet in one currency for a period.' })
export class WalletStatement {
  @Field(() => String, { description: 'Code of the currency' })
  currency!: string;

  @Field(() => DateTimeScalar, { description: 'Start of the period, included' })
  from!: string;

  @Field(() => DateTimeScalar, { description: 'End of the period, excluded' })
  to!: string;

  @Field(() => HeldBalance, { description: 'Balance at the start of the period' })
  opening!: HeldBalance;

  @Field(() => HeldBalance, { description: 'Balance at the end of the period' })
  closing!: HeldBalance;

  @Field(() => [WalletMovement], { description: 'The movements of this page, oldest first' })
  movements!: readonly WalletMovement[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;

  @Field(() => String, { nullable: true, description: nextTokenText })
  nextToken!: string | null;
}

export function toWalletStatement(statement: Statement): Shape<WalletStatement> {
  const { hasNextPage, endCursor } = statement.pageInfo;
  const movements = statement.movements.map(toWalletMovement);
  return { ...statement, movements, nextToken: hasNextPage ? (endCursor ?? null) : null };
}

function toWalletMovement({ postedAt, ...movement }: Movement): Shape<WalletMovement> {
  return { ...movement, postedAt: new Date(postedAt) };
}
