import { ObjectType } from 'type-graphql';
import type { Shape } from '../../../shared/graphql/shape.js';
import { MailLanguageEnum } from '../mail-settings/mail-settings.type.js';
import { OwnerTypeEnum } from '../accounts/account.type.js';
import { fields, flag, id, int, nullable, of, text, texts, time } from '../../../shared/graphql/fields.js';

export const rolesText =
  'Roles of the operator: `read` (everything that operators can see, including personal data; part of every other role), `publish` (series, schedules, prices, payments, contracts, credits of debtors, imports and their reversal, exports, reports of months), `originate` (originators, their keys and permits, eligibility criteria of estates, files of credits), `trade` (companies that trade: onboarding and limits; markets and currencies, halts, orders in quarantine, transfers, reconciliation), `administer` (operators and their keys, accounts, limits of keys, the audit log, jobs, the queues of mail and events, exchanges, corrections and findings of the ledger, halted currencies).';

@ObjectType({
  simpleResolvers: true,
  description: 'A key of an operator, without its secret, which is never shown again.',
})
export class OperatorKey extends fields({
  id: id('Id (UUID).'),
  prefix: text('The visible part of the key, as `svc_op_<prefix>`.'),
  createdAt: time('Time of creation.'),
  expiresAt: time('Time at which the key expires.'),
  lastUsedAt: nullable.time('Time of the last use, up to some 5 seconds late; null before the first one.'),
  revokedAt: nullable.time('Time of revocation; null unless the key was revoked.'),
  linkExpiresAt: nullable.time(
    'Until when the owner can fetch the key by the link in the mail; before that nobody has it. Null once it was fetched, and for a key that was shown when it was made.',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A person who operates the platform.' })
export class Operator extends fields({
  id: id('Id (UUID).'),
  email: text('E-mail, by which the audit log identifies the operator.'),
  name: text('Name of the person.'),
  roles: texts(rolesText),
  mailLanguage: of(() => MailLanguageEnum, 'Language of mails to the person.'),
  createdAt: time('Time at which the operator was added.'),
  revokedAt: nullable.time('Time at which the operator was revoked, with all keys; null unless revoked.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A new key of an operator.' })
export class CreatedOperatorKey extends fields({
  id: id('Id of the key (UUID).'),
  key: nullable.text(
    'The complete key, to be sent as `X-API-Key`. Store it: it cannot be read again. Null for the key of another operator, who fetches it by a link in mail.',
  ),
  linkExpiresAt: nullable.time('Until when the link in the mail can be used; null without one.'),
  expiresAt: time('Time at which the key expires.'),
  operator: of<OperatorShape>(() => Operator, 'The operator to whom the key belongs.'),
}) {}

export type OperatorShape = Shape<Operator>;

@ObjectType({ simpleResolvers: true, description: 'A key of an account, as operators see it.' })
export class ManagedKey extends fields({
  id: id('Id (UUID).'),
  prefix: text('The visible part of the key, as `svcpub_<prefix>` or `svc_dev_<prefix>`.'),
  name: text('Label chosen by the user.'),
  rateLimit: int(
    'Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead.',
  ),
  followsConfiguration: flag('Whether the limit is the configured default, and follows its changes.'),
  createdAt: time('Time of creation.'),
  expiresAt: time('Time from which it is rejected.'),
  revokedAt: nullable.time('Time of revocation; null unless it was revoked.'),
  lastUsedAt: nullable.time('Time of its last use, to about a minute; null if it was never used.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'An account, as operators see it.' })
export class ManagedAccount extends fields({
  id: id('Id (UUID).'),
  email: text('E-mail address as it was registered, or as the portal reported it.'),
  ownerType: of(() => OwnerTypeEnum, 'Origin of the account.'),
  createdAt: time('Time of registration; for an account of the portal, time of its first login.'),
  confirmedAt: nullable.time('Time of the confirmation of its e-mail; null while it is not confirmed.'),
  disabledAt: nullable.time('Time at which it was disabled; null unless it is disabled.'),
  disabledReason: nullable.text('Reason for which it is disabled, for operators; it is not shown to its owner.'),
}) {}
