import { Field, ID, ObjectType } from 'type-graphql';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { OperatorKeyRow, OperatorRow } from './operator.store.js';

export const rolesText =
  'What the operator may do: any of `read` (what operators see, personal data among it; whoever has another role has this one), `publish` (series, schedules, prices, payments, contracts, credits of debtors), `originate` (originators, their keys and permits, what estates take in, files of credits), `trade` (companies that trade: onboarding, limits, markets, transfers), `administer` (operators and their keys, accounts, the audit log).';

@ObjectType({
  simpleResolvers: true,
  description: 'A key of an operator, without its secret, which is never shown again.',
})
export class OperatorKey {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'The only visible part of the key, as `svc_op_<prefix>`.' })
  prefix!: string;

  @Field(() => Date, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'When it stops working.' })
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Last use, some 5 seconds late; null before the first.' })
  lastUsedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was revoked; null while it is not.' })
  revokedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A person who runs the platform.' })
export class Operator {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'E-mail, which the audit log names the operator by.' })
  email!: string;

  @Field(() => String, { description: 'Name of the person.' })
  name!: string;

  @Field(() => [String], { description: rolesText })
  roles!: readonly string[];

  @Field(() => Date, { description: 'When the operator was added.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When the operator was revoked, with all keys; null while not.' })
  revokedAt!: Date | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A new key of an operator. No other response shows the whole of it.',
})
export class CreatedOperatorKey {
  @Field(() => ID, { description: 'UUID of the key.' })
  id!: string;

  @Field(() => String, { description: 'The whole key, to be sent as `X-API-Key`. Keep it: it cannot be read again.' })
  key!: string;

  @Field(() => Date, { description: 'When it stops working.' })
  expiresAt!: Date;

  @Field(() => Operator, { description: 'Whose it is.' })
  operator!: OperatorShape;
}

export type OperatorShape = Shape<Operator>;

export function toOperator(row: OperatorRow): OperatorShape {
  return row;
}

export function toOperatorKey(row: OperatorKeyRow): Shape<OperatorKey> {
  return row;
}
