import 'reflect-metadata';
import { Field, ID, ObjectType } from 'type-graphql';
import type { SessionRow } from './session.store.js';

@ObjectType({
  simpleResolvers: true,
  description: 'A session of an account, or of the owner of a browser’s session, that has neither ended nor expired.',
})
export class ActiveSession {
  @Field(() => ID, { description: 'Id (UUID); the `jti` of the token of a session that has one.' })
  id!: string;

  @Field(() => Boolean, { description: 'Whether it is the session of the caller.' })
  current!: boolean;

  @Field(() => String, {
    description: 'Network from which it was opened: the /24 of an IPv4 address, the /64 of an IPv6 one.',
  })
  network!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the program that opened it (`User-Agent`), at most 120 characters; null when it sent none.',
  })
  userAgent!: string | null;

  @Field(() => Date, { description: 'Time at which it was opened.' })
  createdAt!: Date;

  @Field(() => Boolean, { description: 'Whether it is the session of a browser, which a cookie authenticates.' })
  browser!: boolean;

  @Field(() => Date, { description: 'Time of its last request, at most some 65 seconds late.' })
  lastSeenAt!: Date;

  @Field(() => Date, {
    description:
      'Time of its expiry: 12 hours after it was opened. The session of a browser ends earlier when no request comes.',
  })
  expiresAt!: Date;
}

/** Converts a session's row for another session of the account. */
export function toActiveSession(row: SessionRow, currentId: string): Readonly<ActiveSession> {
  return { ...row, current: row.id === currentId };
}
