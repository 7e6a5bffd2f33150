import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { statusOf, type ApiKeyStatus } from './api-key.js';
import type { ListedKey } from './api-key.store.js';
import type { CreatedKey } from './api-keys.acts.js';
import type { DeveloperScope } from './key-kind.js';
import { day, fields, float, id, int, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

export const ApiKeyStatusEnum = describeEnum<ApiKeyStatus>(
  'ApiKeyStatus',
  'Whether a key was revoked. Expiry is not part of the status: see `expiresAt`.',
  {
    ACTIVE: 'Not revoked; valid until `expiresAt`.',
    REVOKED: 'Revoked permanently: requests with it are rejected with 401.',
  },
  { ACTIVE: ['Ativa', 'Active'], REVOKED: ['Revogada', 'Revoked'] },
);

/** Fields that new keys and listed keys share. */
const keyFields = {
  name: text('Label chosen by the user.'),
  expiresAt: time('Time at which the key expires: 365 days after its creation.'),
  rateLimit: int(
    'Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead.',
  ),
};

const listedKeyFields = {
  ...keyFields,
  status: of(() => ApiKeyStatusEnum, 'ACTIVE or REVOKED. An expired key is ACTIVE with an `expiresAt` in the past.'),
  lastUsedAt: nullable.time(
    'Time of the last request with the key, up to some 5 seconds late; null before the first one.',
  ),
  requestCount: float('Number of requests with the key, up to some 5 seconds late.'),
  createdAt: time('Time of creation.'),
  revokedAt: nullable.time('Time of revocation; null unless the key was revoked.'),
  replacedBy: nullable.id(
    'Id of the key that a rotation created in its place; null unless it was rotated. Both work until `expiresAt` of this one, which the rotation moved forward.',
  ),
};

const scopes = list<DeveloperScope>(
  () => String,
  'Scopes of the key: `contracts:read`, `credit:read`, `webhooks:read`, `webhooks:write`. `webhooks:write` lets its holder receive all events of the account by a webhook, those of credits and of trading too, and `webhooks:read` read those that were sent.',
);

/** Makes the types of the keys of a kind. @param kind with its article @param form of the visible part, and of the whole key */
function keyTypes(
  name: string,
  kind: string,
  form: readonly [string, string],
  own: Partial<Record<'scopes', typeof scopes>>,
) {
  const [prefix, whole] = form;
  @ObjectType(name, {
    simpleResolvers: true,
    description: `${kind} of an account, without its secret, which is never shown again.`,
  })
  class Key extends fields({
    id: id('Id (UUID).'),
    prefix: text(`The visible part of the key, as \`${prefix}\`.`),
    ...own,
    ...listedKeyFields,
  }) {}

  @ObjectType(`Created${name}`, {
    simpleResolvers: true,
    description: `A new ${kind.replace(/^An? /, '')}. No other response contains the complete key.`,
  })
  class Created extends fields({
    id: id('Id (UUID).'),
    prefix: text(`The part that stays visible, as \`${prefix}\`.`),
    key: text(`The complete key, as \`${whole}\`. Store it: it cannot be read again.`),
    ...own,
    ...keyFields,
  }) {}

  @ObjectType(`Rotated${name}`, {
    simpleResolvers: true,
    description: `${kind} that was rotated, and the key that replaces it.`,
  })
  class Rotated extends fields({
    newKey: of(() => Created, 'The new key. No other response contains the complete key.'),
    oldKey: of(() => Key, 'The replaced key: revoked, or valid until the end of its grace period.'),
  }) {}
  return { Key, Created, Rotated };
}

export const apiKeyTypes = keyTypes('ApiKey', 'An API key', ['svcpub_<prefix>', 'svcpub_<prefix>.<secret>'], {});
export const developerKeyTypes = keyTypes('DeveloperKey', 'A developer key', ['svc_dev_<prefix>', 'svc_dev_<random>'], {
  scopes,
});

/** @param configuredLimit requests per minute of keys without their own limit */
export function toKey(row: ListedKey, configuredLimit: number) {
  return { ...row, status: statusOf(row), rateLimit: row.rateLimit ?? configuredLimit };
}

export function toCreatedKey(created: CreatedKey, configuredLimit: number) {
  return { ...created, rateLimit: created.rateLimit ?? configuredLimit };
}

@ObjectType({ simpleResolvers: true, description: 'State of the limit of a key in the present window of a minute.' })
export class KeyWindow extends fields({
  used: int(
    'Requests used in the window, those of other sizes by their points; at most `limit`. Requests of the graph count in points of their own, and are not in it.',
  ),
  limit: int('Requests that the window permits.'),
  resetsAt: time('End of the window; a minute from now where none has begun.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Use of a key on one day, of all interfaces.' })
export class KeyDay extends fields({
  day: day('Civil day in São Paulo.'),
  requests: float('Requests that the limit admitted, up to some 5 seconds late.'),
  refused: float(
    'Refusals by the limit (429), up to some 5 seconds late. A request whose cost is known only after it was admitted counts in both.',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Use of an API key or a developer key against its limit.' })
export class KeyUsage extends fields({
  keyId: id('Id of the key.'),
  window: nullable.of(
    () => KeyWindow,
    'The present window; null where another process than the one that answers counts requests.',
  ),
  days: list(
    () => KeyDay,
    'Each of the last 30 days, the oldest first, also those without requests. What an instance counted in its last 5 seconds is lost when it is killed.',
    { assumedSize: 30 },
  ),
}) {}
