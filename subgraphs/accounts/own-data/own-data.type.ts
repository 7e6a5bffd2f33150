import { Field, ID, ObjectType } from 'type-graphql';
import type { OwnerType } from '../accounts/account.js';
import { OwnerTypeEnum } from '../accounts/account.type.js';
import { ApiKey } from '../api-keys/api-key.type.js';
import { DeveloperKey } from '../developer-keys/developer-key.type.js';

@ObjectType({ simpleResolvers: true, description: 'What is held of an account itself.' })
export class MyAccount {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => OwnerTypeEnum, { description: 'Where the account comes from.' })
  ownerType!: OwnerType;

  @Field(() => String, { description: 'E-mail address.' })
  email!: string;

  @Field(() => String, { description: 'Name.' })
  name!: string;

  @Field(() => String, { nullable: true, description: "Company; null for accounts of the issuer's portal." })
  company!: string | null;

  @Field(() => String, { nullable: true, description: 'What the portal knows the account by; null for others.' })
  portalId!: string | null;

  @Field(() => Date, { description: 'When it was registered, or first came from the portal.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When its e-mail was confirmed.' })
  confirmedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A session that is held, for 7 days after it ended or expired.' })
export class MySession {
  @Field(() => ID, { description: 'UUID.' })
  id!: string;

  @Field(() => String, { description: 'The network that it was opened from.' })
  network!: string;

  @Field(() => String, { nullable: true, description: 'What the program that opened it calls itself.' })
  userAgent!: string | null;

  @Field(() => Date, { description: 'When it was opened.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'Its last request, some 65 seconds late at most.' })
  lastSeenAt!: Date;

  @Field(() => Date, { description: 'When it expires, or did.' })
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it ended early; null where it did not.' })
  endedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Why: LOGOUT, ENDED (by its owner), DISPLACED (by a newer one), PASSWORD_CHANGED, PASSWORD_RESET, DISABLED, OPERATOR.',
  })
  endReason!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A network that sessions were opened from, held for 180 days after the last.',
})
export class MyNetwork {
  @Field(() => String, { description: 'The /24 of an IPv4 address, the /64 of an IPv6 one.' })
  network!: string;

  @Field(() => Date, { description: 'When a session was last opened from it.' })
  lastOpenedAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A link that was mailed, held for 7 days after it expired; of its token only a hash is held.',
})
export class MyLink {
  @Field(() => String, { description: 'CONFIRM (the e-mail) or RESET (the password).' })
  purpose!: string;

  @Field(() => Date, { description: 'When it was mailed.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'Until when it works.' })
  expiresAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When it was used, or used up by another.' })
  usedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A message to the e-mail of the account, held for 30 days.' })
export class MyMail {
  @Field(() => String, { description: 'Its subject.' })
  subject!: string;

  @Field(() => Date, { description: 'When it was written.' })
  createdAt!: Date;

  @Field(() => Date, { nullable: true, description: 'When the mail server took it; null where it has not.' })
  sentAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'Everything that is held about an account and its use.' })
export class MyData {
  @Field(() => Date, { description: 'When this was read.' })
  exportedAt!: Date;

  @Field(() => MyAccount, { description: 'The account.' })
  account!: MyAccount;

  @Field(() => [MySession], { description: 'Its sessions, the newest first, at most 200.' })
  sessions!: readonly MySession[];

  @Field(() => [MyNetwork], { description: 'The networks that they were opened from, at most 100.' })
  networks!: readonly MyNetwork[];

  @Field(() => [ApiKey], { description: 'Its API keys, without their secrets, of which only hashes are held.' })
  apiKeys!: readonly ApiKey[];

  @Field(() => [DeveloperKey], { description: "Its developer's keys, likewise." })
  developerKeys!: readonly DeveloperKey[];

  @Field(() => [String], { description: 'The tickers on its watchlist.' })
  followedTickers!: readonly string[];

  @Field(() => [MyLink], { description: 'The links that were mailed to it.' })
  links!: readonly MyLink[];

  @Field(() => [MyMail], { description: 'The messages to its e-mail, the newest first.' })
  mails!: readonly MyMail[];
}
