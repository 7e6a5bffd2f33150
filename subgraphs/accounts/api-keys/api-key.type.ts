import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import { statusOf, type ApiKeyStatus } from './api-key.js';
import type { ApiKeyRow } from './api-key.entity.js';
import type { CreatedKey } from './create-api-key.js';

export const ApiKeyStatusEnum = describeEnum<ApiKeyStatus>(
  'ApiKeyStatus',
  'Whether a key was revoked. Expiry is not part of the status: see `expiresAt`.',
  {
    ACTIVE: 'Not revoked; valid until `expiresAt`.',
    REVOKED: 'Revoked permanently: requests with it are rejected with 401.',
  },
  { ACTIVE: ['Ativa', 'Active'], REVOKED: ['Revogada', 'Revoked'] },
);

@ObjectType({
  simpleResolvers: true,
  description: 'An API key of an account, without its secret, which is never shown again.',
})
export class ApiKey {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'The visible part of the key, as `svcpub_<prefix>`.' })
  prefix!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

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
  description: 'A new API key. No other response contains the complete key.',
})
export class CreatedApiKey {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'The part that stays visible, as `svcpub_<prefix>`.' })
  prefix!: string;

  @Field(() => String, {
    description: 'The complete key, as `svcpub_<prefix>.<secret>`. Store it: it cannot be read again.',
  })
  key!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => Date, { description: 'Time at which the key expires: 365 days after its creation.' })
  expiresAt!: Date;

  @Field(() => Int, {
    description:
      'Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead.',
  })
  rateLimit!: number;
}

/** The fields of a key that a list shows. */
type ListedApiKey = Omit<ApiKeyRow, 'accountId' | 'secretHash' | 'requestCount'> & {
  readonly requestCount: string | number;
};

/**
 * Converts a key's row to the GraphQL type.
 * @param configuredLimit requests per minute of keys without their own limit
 */
export function toApiKey(row: ListedApiKey, configuredLimit: number): Readonly<ApiKey> {
  const { id, prefix, name, expiresAt, lastUsedAt, createdAt, revokedAt, replacedBy } = row;
  return {
    id,
    prefix,
    name,
    status: statusOf(row),
    rateLimit: row.rateLimit ?? configuredLimit,
    expiresAt,
    lastUsedAt,
    requestCount: Number(row.requestCount),
    createdAt,
    revokedAt,
    replacedBy,
  };
}

/** Converts a new key to the GraphQL type; `configuredLimit` as above. */
export function toCreatedApiKey(created: CreatedKey, configuredLimit: number): Readonly<CreatedApiKey> {
  return { ...created, rateLimit: created.rateLimit ?? configuredLimit };
}

@ObjectType({ simpleResolvers: true, description: 'An API key that was rotated, and the key that replaces it.' })
export class RotatedApiKey {
  @Field(() => CreatedApiKey, { description: 'The new key. No other response contains the complete key.' })
  newKey!: CreatedApiKey;

  @Field(() => ApiKey, { description: 'The replaced key: revoked, or valid until the end of its grace period.' })
  oldKey!: ApiKey;
}
