import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { statusOf, type ApiKeyStatus } from '../api-keys/api-key.js';
import { ApiKeyStatusEnum } from '../api-keys/api-key.type.js';
import type { ListedKey } from './developer-key.store.js';
import type { CreatedDeveloperKey as Created } from './mint-developer-key.js';

const scopesText =
  'Scopes of the key: `contracts:read`, `credit:read`, `webhooks:read`, `webhooks:write`. `webhooks:write` lets its holder receive all events of the account by a webhook, those of credits and of trading too, and `webhooks:read` read those that were sent.';

@ObjectType({
  simpleResolvers: true,
  description: 'A developer key of an account, without its secret, which is never shown again.',
})
export class DeveloperKey {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'The visible part of the key, as `svc_dev_<prefix>`.' })
  prefix!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => [String], { description: scopesText })
  scopes!: readonly string[];

  @Field(() => ApiKeyStatusEnum, {
    description: 'ACTIVE or REVOKED. An expired key is ACTIVE with an `expiresAt` in the past.',
  })
  status!: ApiKeyStatus;

  @Field(() => Int, {
    description:
      'Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead.',
  })
  rateLimit!: number;

  @Field(() => Date, { description: 'Time at which the key expires: 365 days after its creation.' })
  expiresAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Time of the last request with the key, up to some 5 seconds late; null before the first one.',
  })
  lastUsedAt!: Date | null;

  @Field(() => Float, { description: 'Number of requests with the key, up to some 5 seconds late.' })
  requestCount!: number;

  @Field(() => Date, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time of revocation; null unless the key was revoked.' })
  revokedAt!: Date | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the key that a rotation created in its place; null unless it was rotated. Both work until `expiresAt` of this one, which the rotation moved forward.',
  })
  replacedBy!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A new developer key. No other response contains the complete key.',
})
export class CreatedDeveloperKey {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'The part that stays visible, as `svc_dev_<prefix>`.' })
  prefix!: string;

  @Field(() => String, {
    description: 'The complete key, as `svc_dev_<random>`. Store it: it cannot be read again.',
  })
  key!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => [String], { description: scopesText })
  scopes!: readonly string[];

  @Field(() => Date, { description: 'Time at which the key expires: 365 days after its creation.' })
  expiresAt!: Date;

  @Field(() => Int, {
    description:
      'Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead.',
  })
  rateLimit!: number;
}

/**
 * Converts a key's row to the GraphQL type.
 * @param configuredLimit requests per minute of keys without their own limit
 */
export function toDeveloperKey(row: ListedKey, configuredLimit: number): Readonly<DeveloperKey> {
  return { ...row, rateLimit: row.rateLimit ?? configuredLimit, status: statusOf(row) };
}

/** Converts a new key to the GraphQL type; `configuredLimit` as above. */
export function toCreatedDeveloperKey(created: Created, configuredLimit: number): Readonly<CreatedDeveloperKey> {
  return { ...created, rateLimit: created.rateLimit ?? configuredLimit };
}

@ObjectType({ simpleResolvers: true, description: 'A developer key that was rotated, and the key that replaces it.' })
export class RotatedDeveloperKey {
  @Field(() => CreatedDeveloperKey, { description: 'The new key. No other response contains the complete key.' })
  newKey!: CreatedDeveloperKey;

  @Field(() => DeveloperKey, { description: 'The replaced key: revoked, or valid until the end of its grace period.' })
  oldKey!: DeveloperKey;
}
