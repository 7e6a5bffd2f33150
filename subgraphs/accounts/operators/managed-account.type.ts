import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { OwnerType } from '../accounts/account.js';
import { OwnerTypeEnum } from '../accounts/account.type.js';

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
