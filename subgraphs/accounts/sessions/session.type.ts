import { Field, ID, ObjectType } from 'type-graphql';
import type { SessionRow } from './session.store.js';

@ObjectType({ simpleResolvers: true, description: 'A session of an account that has neither ended nor expired.' })
export class ActiveSession {
  @Field(() => ID, { description: 'UUID: the `jti` of its token.' })
  id!: string;

  @Field(() => Boolean, { description: 'Whether it is the session that asks.' })
  current!: boolean;

  @Field(() => String, {
    description: 'The network that it was opened from: the /24 of an IPv4 address, the /64 of an IPv6 one.',
  })
  network!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'What the program that opened it calls itself (`User-Agent`), at most 120 characters; null if nothing.',
  })
  userAgent!: string | null;

  @Field(() => Date, { description: 'When it was opened.' })
  createdAt!: Date;

  @Field(() => Date, { description: 'Its last request, some 65 seconds late at most.' })
  lastSeenAt!: Date;

  @Field(() => Date, { description: 'When it expires: 12 hours after it was opened.' })
  expiresAt!: Date;
}

/** Converts a session's row for another session of the account. */
export function toActiveSession(row: SessionRow, currentId: string): Readonly<ActiveSession> {
  return { ...row, current: row.id === currentId };
}
