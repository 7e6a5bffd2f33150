import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { OwnerTypeEnum } from '../accounts/account.type.js';
import { apiKeyTypes, developerKeyTypes } from '../api-keys/api-key.type.js';
import { AuditOutcomeEnum } from '../audit-log/audit-log.type.js';
import { DigestFrequencyEnum, MailLanguageEnum } from '../mail-settings/mail-settings.type.js';
import { LoggedRequest } from '../request-log/request-log.type.js';
import type { SessionEnd } from '../sessions/session.store.js';
import { Passkey } from '../second-factors/second-factor.type.js';
import type { TokenPurpose } from '../tokens/one-time-token.js';
import { day, fields, float, id, list, nullable, of, text, texts, time } from '../../../shared/graphql/fields.js';

const SessionEndEnum = describeEnum<SessionEnd>(
  'SessionEnd',
  'Reason for which a session ended early.',
  {
    LOGOUT: 'Its user logged out',
    ENDED: 'The owner of the account ended it, or added the first second factor, which ends sessions by token',
    DISPLACED: 'A newer session took its place',
    PASSWORD_CHANGED: 'The password was changed',
    PASSWORD_RESET: 'The password was reset',
    DISABLED: 'The account was disabled',
    OPERATOR: 'An operator ended it',
  },
  {
    LOGOUT: ['Saída do usuário', 'Logged out'],
    ENDED: ['Encerrada pelo titular', 'Ended by the owner'],
    DISPLACED: ['Substituída por outra sessão', 'Displaced by a newer session'],
    PASSWORD_CHANGED: ['Senha alterada', 'Password changed'],
    PASSWORD_RESET: ['Senha redefinida', 'Password reset'],
    DISABLED: ['Conta desativada', 'Account disabled'],
    OPERATOR: ['Encerrada por um operador', 'Ended by an operator'],
  },
);

const LinkPurposeEnum = describeEnum<TokenPurpose>(
  'LinkPurpose',
  'Purpose of a mailed link.',
  { CONFIRM: 'Confirmation of the e-mail', RESET: 'Reset of the password' },
  {
    CONFIRM: ['Confirmação do e-mail', 'Confirmation of the e-mail'],
    RESET: ['Redefinição da senha', 'Reset of the password'],
  },
);

@ObjectType({ simpleResolvers: true, description: 'Stored data of the account itself.' })
export class MyAccount extends fields({
  id: id('Id (UUID).'),
  ownerType: of(() => OwnerTypeEnum, 'Origin of the account.'),
  email: text('E-mail address.'),
  name: text('Name of the user.'),
  company: nullable.text("Company; null for accounts of the issuer's portal."),
  portalId: nullable.text("Id of the account in the issuer's portal; null for others."),
  createdAt: time('Time of registration; for an account of the portal, time of its first login.'),
  confirmedAt: nullable.time('Time of the confirmation of its e-mail.'),
  mailLanguage: of(() => MailLanguageEnum, 'Language that it chose for notices by mail.'),
  mailDigest: of(() => DigestFrequencyEnum, 'How often it gets digests of the operations that it follows.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Use of a key on one day, stored for 30 days.' })
export class MyKeyDay extends fields({
  keyId: id('Id of the key.'),
  day: day('Civil day in São Paulo.'),
  requests: float('Requests that the limit admitted.'),
  refused: float('Refusals by the limit.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A session, which is stored until 7 days after its end or expiry.' })
export class MySession extends fields({
  id: id('Id (UUID).'),
  network: text('Network from which it was opened.'),
  userAgent: nullable.text('Name of the program that opened it, as it identified itself.'),
  createdAt: time('Time at which it was opened.'),
  lastSeenAt: time('Time of its last request, at most some 65 seconds late.'),
  expiresAt: time('Time of its expiry.'),
  endedAt: nullable.time('Time at which it ended early; null unless it did.'),
  endReason: nullable.of(() => SessionEndEnum, 'Reason for the early end; null unless it ended early.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A network from which sessions were opened, stored for 180 days after the last one.',
})
export class MyNetwork extends fields({
  network: text('The /24 of an IPv4 address, the /64 of an IPv6 one.'),
  lastOpenedAt: time('Time at which a session was last opened from it.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: 'A mailed link, stored until 7 days after its expiry; of its token only a hash is stored.',
})
export class MyLink extends fields({
  purpose: of(() => LinkPurposeEnum, 'Purpose of the link.'),
  createdAt: time('Time at which it was mailed.'),
  expiresAt: time('Time until which it is valid.'),
  usedAt: nullable.time('Time at which it was used, or invalidated by the use of another link.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A message to the e-mail of the account, stored for 30 days.' })
export class MyMail extends fields({
  subject: text('Subject of the message.'),
  createdAt: time('Time at which it was written.'),
  sentAt: nullable.time('Time at which the mail server accepted it; null until then.'),
}) {}

@ObjectType({
  simpleResolvers: true,
  description:
    'An act of the account in the audit log, which is stored for ever; the states before and after it are stored, too.',
})
export class MyAct extends fields({
  at: time('Time of the entry.'),
  action: text('Name of the act.'),
  outcome: of(() => AuditOutcomeEnum, 'Outcome of the act.'),
  reason: nullable.text('Reason for the act, or for its rejection or failure.'),
  subjectType: nullable.text('Kind of the affected object.'),
  subjectId: nullable.text('Id of the affected object.'),
  source: text('Address that the request came from.'),
  occurrences: float('Number of occurrences; greater than one where many equal ones were combined.'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'All stored data about an account and its use.' })
export class MyData extends fields({
  exportedAt: time('Time at which the data was read.'),
  account: of(() => MyAccount, 'The account.'),
  sessions: list(() => MySession, 'Sessions of the account, newest first, at most 200.', { assumedSize: 200 }),
  passkeys: list(
    () => Passkey,
    'Passkeys of the account, oldest first, at most 20; of each the public key is stored, too.',
    { assumedSize: 5 },
  ),
  totpSince: nullable.time(
    'Time at which an authenticator application was added; null when there is none. Its secret is stored encrypted.',
  ),
  networks: list(() => MyNetwork, 'Networks from which its sessions were opened, at most 100.', { assumedSize: 100 }),
  apiKeys: list(
    () => apiKeyTypes.Key,
    'API keys of the account, without their secrets, of which only hashes are stored.',
    {
      assumedSize: 200,
    },
  ),
  developerKeys: list(
    () => developerKeyTypes.Key,
    'Developer keys of the account, without their secrets, of which only hashes are stored.',
    { assumedSize: 200 },
  ),
  keyDays: list(() => MyKeyDay, 'Use of its keys on the last 30 days, newest first, where there was any.', {
    assumedSize: 300,
  }),
  requests: list(
    () => LoggedRequest,
    'The newest 10,000 requests made with its keys, where the operator stores them; `requestLog` has all of them.',
    { assumedSize: 200 },
  ),
  followedTickers: texts('Tickers on its watchlist.'),
  links: list(() => MyLink, 'Links that were mailed to it.', { assumedSize: 100 }),
  mails: list(() => MyMail, 'Messages to its e-mail, newest first.', { assumedSize: 100 }),
  acts: list(() => MyAct, 'Its newest 10,000 acts in the audit log, newest first.', { assumedSize: 200 }),
}) {}
