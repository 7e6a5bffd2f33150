import { ObjectType } from 'type-graphql';
import { statusOf } from '../api-keys/api-key.js';
import { keyFields, listedKeyFields } from '../api-keys/api-key.type.js';
import type { DeveloperScope } from './developer-key.js';
import type { ListedKey } from './developer-key.store.js';
import type { CreatedDeveloperKey as Created } from './create-developer-key.js';
import { fields, id, list, of, text } from '../../../shared/graphql/fields.js';

const scopes = list<DeveloperScope>(
  () => String,
  'Scopes of the key: `contracts:read`, `credit:read`, `webhooks:read`, `webhooks:write`. `webhooks:write` lets its holder receive all events of the account by a webhook, those of credits and of trading too, and `webhooks:read` read those that were sent.',
);

@ObjectType({
  simpleResolvers: true,
  description: 'A developer key of an account, without its secret, which is never shown again.',
})
export class DeveloperKey extends fields({
  id: id('Id (UUID).'),
  prefix: text('The visible part of the key, as `svc_dev_<prefix>`.'),
  scopes,
  ...listedKeyFields,
}) {}

@ObjectType({ simpleResolvers: true, description: 'A new developer key. No other response contains the complete key.' })
export class CreatedDeveloperKey extends fields({
  id: id('Id (UUID).'),
  prefix: text('The part that stays visible, as `svc_dev_<prefix>`.'),
  key: text('The complete key, as `svc_dev_<random>`. Store it: it cannot be read again.'),
  scopes,
  ...keyFields,
}) {}

/** @param configuredLimit requests per minute of keys without their own limit */
export function toDeveloperKey(row: ListedKey, configuredLimit: number): Readonly<DeveloperKey> {
  return { ...row, rateLimit: row.rateLimit ?? configuredLimit, status: statusOf(row) };
}

export function toCreatedDeveloperKey(created: Created, configuredLimit: number): Readonly<CreatedDeveloperKey> {
  return { ...created, rateLimit: created.rateLimit ?? configuredLimit };
}

@ObjectType({ simpleResolvers: true, description: 'A developer key that was rotated, and the key that replaces it.' })
export class RotatedDeveloperKey extends fields({
  newKey: of(() => CreatedDeveloperKey, 'The new key. No other response contains the complete key.'),
  oldKey: of(() => DeveloperKey, 'The replaced key: revoked, or valid until the end of its grace period.'),
}) {}
