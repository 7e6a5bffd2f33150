import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { apiKeyStatuses, statusOf, type ApiKeyStatus } from './api-key.js';
import type { ApiKeyRow } from './api-key.entity.js';
import type { CreatedKey } from './create-api-key.js';

export const ApiKeyStatusEnum = Object.fromEntries(apiKeyStatuses.map((name) => [name, name])) as {
  [K in ApiKeyStatus]: K;
};

registerEnumType(ApiKeyStatusEnum, {
  name: 'ApiKeyStatus',
  description: 'Whether a key was revoked. Expiry does not show here: look at `expiresAt`.',
  valuesConfig: {
    ACTIVE: { description: 'Not revoked; it works until `expiresAt`.' },
    REVOKED: { description: 'Revoked for good: requests with it answer 401.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'An API key of an account, without its secret, which is never shown again.',
})
export class ApiKey {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'The only visible part of the key, as `svcpub_<prefix>`.' })
  prefix!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => ApiKeyStatusEnum, {
    description: 'ACTIVE or REVOKED. An expired key shows ACTIVE with a past `expiresAt`.',
  })
  status!: ApiKeyStatus;

  @Field(() => Int, { description: 'Requests per minute that the key is good for.' })
  rateLimit!: number;

  @Field(() => Date, { description: 'When the key stops working: 365 days after it was created.' })
  expiresAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Last request with the key, some 5 seconds late; null before the first.',
  })
  lastUsedAt!: Date | null;

  @Field(() => Float, { description: 'Requests made with the key, a whole number, some 5 seconds late.' })
  requestCount!: number;

  @Field(() => Date, { description: 'When the key was created.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When the key was revoked; null while it is not.' })
  revokedAt!: Date | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A new API key. This is the only answer that shows the whole of it.',
})
export class CreatedApiKey {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'The part that stays visible, as `svcpub_<prefix>`.' })
  prefix!: string;

  @Field(() => String, {
    description: 'The whole key, as `svcpub_<prefix>.<secret>`. Keep it: it cannot be read again.',
  })
  key!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => Date, { description: 'When the key stops working: in 365 days.' })
  expiresAt!: Date;

  @Field(() => Int, { description: 'Requests per minute that the key is good for.' })
  rateLimit!: number;
}

/**
 * Converts a key's row to the GraphQL type.
 * @param configuredLimit requests per minute of keys without their own limit
 */
export function toApiKey(row: ApiKeyRow, configuredLimit: number): Readonly<ApiKey> {
  const { id, prefix, name, expiresAt, lastUsedAt, createdAt, revokedAt } = row;
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
  };
}

/** Converts a new key to the GraphQL type. */
export function toCreatedApiKey({ id, prefix, key, name, expiresAt, rateLimit }: CreatedKey): Readonly<CreatedApiKey> {
  return { id, prefix, key, name, expiresAt, rateLimit };
}
