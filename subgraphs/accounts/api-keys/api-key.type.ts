import { Field, Float, ID, Int, ObjectType, Directive } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { statusOf, type ApiKeyStatus } from './api-key.js';
import type { ApiKeyRow } from './api-key.entity.js';
import type { CreatedKey } from './create-api-key.js';
import { DateScalar } from '../../../shared/graphql/scalars.js';

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

@ObjectType({ simpleResolvers: true, description: 'State of the limit of a key in the present window of a minute.' })
export class KeyWindow {
  @Field(() => Int, {
    description:
      'Requests used in the window, those of other sizes by their points; at most `limit`. Requests of the graph count in points of their own, and are not in it.',
  })
  used!: number;

  @Field(() => Int, { description: 'Requests that the window permits.' })
  limit!: number;

  @Field(() => Date, { description: 'End of the window; a minute from now where none has begun.' })
  resetsAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'Use of a key on one day, of all interfaces.' })
export class KeyDay {
  @Field(() => DateScalar, { description: 'Civil day in São Paulo.' })
  day!: string;

  @Field(() => Float, { description: 'Requests that the limit admitted, up to some 5 seconds late.' })
  requests!: number;

  @Field(() => Float, {
    description:
      'Refusals by the limit (429), up to some 5 seconds late. A request whose cost is known only after it was admitted counts in both.',
  })
  refused!: number;
}

@ObjectType({ simpleResolvers: true, description: 'Use of an API key or a developer key against its limit.' })
export class KeyUsage {
  @Field(() => ID, { description: 'Id of the key.' })
  keyId!: string;

  @Field(() => KeyWindow, {
    nullable: true,
    description: 'The present window; null where another process than the one that answers counts requests.',
  })
  window!: KeyWindow | null;

  @Directive('@listSize(assumedSize: 30)')
  @Field(() => [KeyDay], {
    description:
      'Each of the last 30 days, the oldest first, also those without requests. What an instance counted in its last 5 seconds is lost when it is killed.',
  })
  days!: readonly KeyDay[];
}
