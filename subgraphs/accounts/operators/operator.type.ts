import { Field, ID, ObjectType, Int } from 'type-graphql';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { OperatorKeyRow, OperatorRow } from './operator.store.js';
import type { OwnerType } from '../accounts/account.js';
import { OwnerTypeEnum } from '../accounts/account.type.js';

export const rolesText =
  'Roles of the operator: `read` (everything that operators can see, including personal data; part of every other role), `publish` (series, schedules, prices, payments, contracts, credits of debtors, imports and their reversal, exports, reports of months), `originate` (originators, their keys and permits, eligibility criteria of estates, files of credits), `trade` (companies that trade: onboarding and limits; markets and currencies, halts, orders in quarantine, transfers, reconciliation), `administer` (operators and their keys, accounts, limits of keys, the audit log, jobs, the queues of mail and events, exchanges, corrections and findings of the ledger, halted currencies).';

@ObjectType({
  simpleResolvers: true,
  description: 'A key of an operator, without its secret, which is never shown again.',
})
export class OperatorKey {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'The visible part of the key, as `svc_op_<prefix>`.' })
  prefix!: string;

  @Field(() => Date, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'Time at which the key expires.' })
  expiresAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Time of the last use, up to some 5 seconds late; null before the first one.',
  })
  lastUsedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'Time of revocation; null unless the key was revoked.' })
  revokedAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'Until when the owner can fetch the key by the link in the mail; before that nobody has it. Null once it was fetched, and for a key that was shown when it was made.',
  })
  linkExpiresAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A person who operates the platform.' })
export class Operator {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'E-mail, by which the audit log identifies the operator.' })
  email!: string;

  @Field(() => String, { description: 'Name of the person.' })
  name!: string;

  @Field(() => [String], { description: rolesText })
  roles!: readonly string[];

  @Field(() => Date, { description: 'Time at which the operator was added.' })
  createdAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Time at which the operator was revoked, with all keys; null unless revoked.',
  })
  revokedAt!: Date | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A new key of an operator.',
})
export class CreatedOperatorKey {
  @Field(() => ID, { description: 'Id of the key (UUID).' })
  id!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The complete key, to be sent as `X-API-Key`. Store it: it cannot be read again. Null for the key of another operator, who fetches it by a link in mail.',
  })
  key!: string | null;

  @Field(() => Date, { nullable: true, description: 'Until when the link in the mail can be used; null without one.' })
  linkExpiresAt!: Date | null;

  @Field(() => Date, { description: 'Time at which the key expires.' })
  expiresAt!: Date;

  @Field(() => Operator, { description: 'The operator to whom the key belongs.' })
  operator!: OperatorShape;
}

export type OperatorShape = Shape<Operator>;

export function toOperator(row: OperatorRow): OperatorShape {
  return row;
}

export function toOperatorKey(row: OperatorKeyRow): Shape<OperatorKey> {
  return row;
}

@ObjectType({ simpleResolvers: true, description: 'A key of an account, as operators see it.' })
export class ManagedKey {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'The visible part of the key, as `svcpub_<prefix>` or `svc_dev_<prefix>`.' })
  prefix!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => Int, {
    description:
      'Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead.',
  })
  rateLimit!: number;

  @Field(() => Boolean, { description: 'Whether the limit is the configured default, and follows its changes.' })
  followsConfiguration!: boolean;

  @Field(() => Date, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'Time from which it is rejected.' })
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time of revocation; null unless it was revoked.' })
  revokedAt!: Date | null;

  @Field(() => Date, {
    nullable: true,
    description: 'Time of its last use, to about a minute; null if it was never used.',
  })
  lastUsedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'An account, as operators see it.' })
export class ManagedAccount {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'E-mail address as it was registered, or as the portal reported it.' })
  email!: string;

  @Field(() => OwnerTypeEnum, { description: 'Origin of the account.' })
  ownerType!: OwnerType;

  @Field(() => Date, { description: 'Time of registration; for an account of the portal, time of its first login.' })
  createdAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Time of the confirmation of its e-mail; null while it is not confirmed.',
  })
  confirmedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'Time at which it was disabled; null unless it is disabled.' })
  disabledAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Reason for which it is disabled, for operators; it is not shown to its owner.',
  })
  disabledReason!: string | null;
}
