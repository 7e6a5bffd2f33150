import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { statusOf, type ApiKeyStatus } from './api-key.js';
import type { ApiKeyRow } from './api-key.entity.js';
import type { CreatedKey } from './api-keys.acts.js';
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

/** What new keys and listed ones show, of both kinds. */
export const keyFields = {
  name: text('Label chosen by the user.'),
  expiresAt: time('Time at which the key expires: 365 days after its creation.'),
  rateLimit: int(
    'Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead.',
  ),
};

/** What keys of both kinds show in a list. */
export const listedKeyFields = {
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

@ObjectType({
  simpleResolvers: true,
  description: 'An API key of an account, without its secret, which is never shown again.',
})
export class ApiKey extends fields({
  id: id('Id (UUID).'),
  prefix: text('The visible part of the key, as `svcpub_<prefix>`.'),
  ...listedKeyFields,
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A new API key. No other response contains the complete key.',
})
export class CreatedApiKey extends fields({
  id: id('Id (UUID).'),
  prefix: text('The part that stays visible, as `svcpub_<prefix>`.'),
  key: text('The complete key, as `svcpub_<prefix>.<secret>`. Store it: it cannot be read again.'),
  ...keyFields,
}) {}

type ListedApiKey = Omit<ApiKeyRow, 'accountId' | 'secretHash' | 'requestCount'> & {
  readonly requestCount: string | number;
};

/** @param configuredLimit requests per minute of keys without their own limit */
export function toApiKey(row: ListedApiKey, configuredLimit: number): Readonly<ApiKey> {
  return {
    ...row,
    status: statusOf(row),
    rateLimit: row.rateLimit ?? configuredLimit,
    requestCount: Number(row.requestCount),
  };
}

export function toCreatedApiKey(created: CreatedKey, configuredLimit: number): Readonly<CreatedApiKey> {
  return { ...created, rateLimit: created.rateLimit ?? configuredLimit };
}

@ObjectType({ simpleResolvers: true, description: 'An API key that was rotated, and the key that replaces it.' })
export class RotatedApiKey extends fields({
  newKey: of(() => CreatedApiKey, 'The new key. No other response contains the complete key.'),
  oldKey: of(() => ApiKey, 'The replaced key: revoked, or valid until the end of its grace period.'),
}) {}

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
