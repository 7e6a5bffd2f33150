import { Directive, Field, Float, ID, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { AuditOutcome } from '../../../shared/security/audit/entry.js';
import { DateScalar } from '../../../shared/graphql/scalars.js';
import type { OwnerType } from '../accounts/account.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import { OwnerTypeEnum } from '../accounts/account.type.js';
import { ApiKey } from '../api-keys/api-key.type.js';
import { AuditOutcomeEnum } from '../audit-log/audit-log.type.js';
import { DeveloperKey } from '../developer-keys/developer-key.type.js';
import type { DigestFrequency } from '../digests/digest.store.js';
import { DigestFrequencyEnum, MailLanguageEnum } from '../mail-settings/mail-settings.type.js';
import { LoggedRequest } from '../request-log/request-log.type.js';
import type { SessionEnd } from '../sessions/session.store.js';
import { Passkey } from '../second-factors/second-factor.type.js';
import type { TokenPurpose } from '../tokens/one-time-token.js';

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
export class MyAccount {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => OwnerTypeEnum, { description: 'Origin of the account.' })
  ownerType!: OwnerType;

  @Field(() => String, { description: 'E-mail address.' })
  email!: string;

  @Field(() => String, { description: 'Name of the user.' })
  name!: string;

  @Field(() => String, { nullable: true, description: "Company; null for accounts of the issuer's portal." })
  company!: string | null;

  @Field(() => String, { nullable: true, description: "Id of the account in the issuer's portal; null for others." })
  portalId!: string | null;

  @Field(() => Date, { description: 'Time of registration; for an account of the portal, time of its first login.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time of the confirmation of its e-mail.' })
  confirmedAt!: Date | null;

  @Field(() => MailLanguageEnum, { description: 'Language that it chose for notices by mail.' })
  mailLanguage!: MailLanguage;

  @Field(() => DigestFrequencyEnum, { description: 'How often it gets digests of the operations that it follows.' })
  mailDigest!: DigestFrequency;
}

@ObjectType({ simpleResolvers: true, description: 'Use of a key on one day, stored for 30 days.' })
export class MyKeyDay {
  @Field(() => ID, { description: 'Id of the key.' })
  keyId!: string;

  @Field(() => DateScalar, { description: 'Civil day in São Paulo.' })
  day!: string;

  @Field(() => Float, { description: 'Requests that the limit admitted.' })
  requests!: number;

  @Field(() => Float, { description: 'Refusals by the limit.' })
  refused!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A session, which is stored until 7 days after its end or expiry.' })
export class MySession {
  @Field(() => ID, { description: 'Id (UUID).' })
  id!: string;

  @Field(() => String, { description: 'Network from which it was opened.' })
  network!: string;

  @Field(() => String, { nullable: true, description: 'Name of the program that opened it, as it identified itself.' })
  userAgent!: string | null;

  @Field(() => Date, { description: 'Time at which it was opened.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'Time of its last request, at most some 65 seconds late.' })
  lastSeenAt!: Date;

  @Field(() => Date, { description: 'Time of its expiry.' })
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time at which it ended early; null unless it did.' })
  endedAt!: Date | null;

  @Field(() => SessionEndEnum, { nullable: true, description: 'Reason for the early end; null unless it ended early.' })
  endReason!: SessionEnd | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A network from which sessions were opened, stored for 180 days after the last one.',
})
export class MyNetwork {
  @Field(() => String, { description: 'The /24 of an IPv4 address, the /64 of an IPv6 one.' })
  network!: string;

  @Field(() => Date, { description: 'Time at which a session was last opened from it.' })
  lastOpenedAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A mailed link, stored until 7 days after its expiry; of its token only a hash is stored.',
})
export class MyLink {
  @Field(() => LinkPurposeEnum, { description: 'Purpose of the link.' })
  purpose!: TokenPurpose;

  @Field(() => Date, { description: 'Time at which it was mailed.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'Time until which it is valid.' })
  expiresAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Time at which it was used, or invalidated by the use of another link.',
  })
  usedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A message to the e-mail of the account, stored for 30 days.' })
export class MyMail {
  @Field(() => String, { description: 'Subject of the message.' })
  subject!: string;

  @Field(() => Date, { description: 'Time at which it was written.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Time at which the mail server accepted it; null until then.' })
  sentAt!: Date | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'An act of the account in the audit log, which is stored for ever; the states before and after it are stored, too.',
})
export class MyAct {
  @Field(() => Date, { description: 'Time of the entry.' })
  at!: Date;

  @Field(() => String, { description: 'Name of the act.' })
  action!: string;

  @Field(() => AuditOutcomeEnum, { description: 'Outcome of the act.' })
  outcome!: AuditOutcome;

  @Field(() => String, { nullable: true, description: 'Reason for the act, or for its rejection or failure.' })
  reason!: string | null;

  @Field(() => String, { nullable: true, description: 'Kind of the affected object.' })
  subjectType!: string | null;

  @Field(() => String, { nullable: true, description: 'Id of the affected object.' })
  subjectId!: string | null;

  @Field(() => String, { description: 'Address that the request came from.' })
  source!: string;

  @Field(() => Float, { description: 'Number of occurrences; greater than one where many equal ones were combined.' })
  occurrences!: number;
}

@ObjectType({ simpleResolvers: true, description: 'All stored data about an account and its use.' })
export class MyData {
  @Field(() => Date, { description: 'Time at which the data was read.' })
  exportedAt!: Date;

  @Field(() => MyAccount, { description: 'The account.' })
  account!: MyAccount;

  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [MySession], { description: 'Sessions of the account, newest first, at most 200.' })
  sessions!: readonly MySession[];

  @Directive('@listSize(assumedSize: 5)')
  @Field(() => [Passkey], {
    description: 'Passkeys of the account, oldest first, at most 20; of each the public key is stored, too.',
  })
  passkeys!: readonly Passkey[];

  @Field(() => Date, {
    nullable: true,
    description:
      'Time at which an authenticator application was added; null when there is none. Its secret is stored encrypted.',
  })
  totpSince!: Date | null;

  @Directive('@listSize(assumedSize: 100)')
  @Field(() => [MyNetwork], { description: 'Networks from which its sessions were opened, at most 100.' })
  networks!: readonly MyNetwork[];

  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [ApiKey], {
    description: 'API keys of the account, without their secrets, of which only hashes are stored.',
  })
  apiKeys!: readonly ApiKey[];

  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [DeveloperKey], {
    description: 'Developer keys of the account, without their secrets, of which only hashes are stored.',
  })
  developerKeys!: readonly DeveloperKey[];

  @Directive('@listSize(assumedSize: 300)')
  @Field(() => [MyKeyDay], { description: 'Use of its keys on the last 30 days, newest first, where there was any.' })
  keyDays!: readonly MyKeyDay[];

  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [LoggedRequest], {
    description:
      'The newest 10,000 requests made with its keys, where the operator stores them; `requestLog` has all of them.',
  })
  requests!: readonly LoggedRequest[];

  @Field(() => [String], { description: 'Tickers on its watchlist.' })
  followedTickers!: readonly string[];

  @Directive('@listSize(assumedSize: 100)')
  @Field(() => [MyLink], { description: 'Links that were mailed to it.' })
  links!: readonly MyLink[];

  @Directive('@listSize(assumedSize: 100)')
  @Field(() => [MyMail], { description: 'Messages to its e-mail, newest first.' })
  mails!: readonly MyMail[];

  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [MyAct], { description: 'Its newest 10,000 acts in the audit log, newest first.' })
  acts!: readonly MyAct[];
}
