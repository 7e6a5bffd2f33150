import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { statusOf, type ApiKeyStatus } from '../api-keys/api-key.js';
import { ApiKeyStatusEnum } from '../api-keys/api-key.type.js';
import type { ListedKey } from './developer-key.store.js';
import type { CreatedDeveloperKey as Created } from './mint-developer-key.js';

const scopesText =
  'What the key may do: `contracts:read`, `credit:read`, `webhooks:read`, `webhooks:write`, and `operator` of keys that were made before operators had keys of their own.';

@ObjectType({
  simpleResolvers: true,
  description: "A developer's key of an account, without its secret, which is never shown again.",
})
export class DeveloperKey {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'The only visible part of the key, as `svc_dev_<prefix>`.' })
  prefix!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => [String], { description: scopesText })
  scopes!: readonly string[];

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
  description: "A new developer's key. This is the only answer that shows the whole of it.",
})
export class CreatedDeveloperKey {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'The part that stays visible, as `svc_dev_<prefix>`.' })
  prefix!: string;

  @Field(() => String, {
    description: 'The whole key, as `svc_dev_<random>`. Keep it: it cannot be read again.',
  })
  key!: string;

  @Field(() => String, { description: 'Label chosen by the user.' })
  name!: string;

  @Field(() => [String], { description: scopesText })
  scopes!: readonly string[];

  @Field(() => Date, { description: 'When the key stops working: in 365 days.' })
  expiresAt!: Date;

  @Field(() => Int, { description: 'Requests per minute that the key is good for.' })
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
  const { id, prefix, key, name, scopes, expiresAt, rateLimit } = created;
  return { id, prefix, key, name, scopes, expiresAt, rateLimit: rateLimit ?? configuredLimit };
}
