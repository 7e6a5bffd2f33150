import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver, ObjectType } from 'type-graphql';
import 'reflect-metadata';
import { Access, OpenUnconfirmed } from '../../../shared/graphql/access.js';
import type { Context } from '../../../shared/kernel/context.js';
import { sessionIdOf, sessionOwnerOf } from '../../../shared/security/browser-session.js';
import { endOtherSessions, endSession, logout } from './end-session.js';
import { listSessions, type SessionRow } from './session.store.js';
import { fields, flag, id, nullable, text, time } from '../../../shared/graphql/fields.js';

@Resolver()
export class SessionResolver {
  constructor(private readonly forgetSessions: (ids: readonly string[]) => void) {}

  @Access('person')
  @Directive('@listSize(assumedSize: 50)')
  @Query(() => [ActiveSession], {
    description:
      'The sessions of the account, or of the operator or trading credential of a browser’s session, that have neither ended nor expired, newest first; there are at most 50. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  async sessions(@Ctx() context: Context): Promise<Readonly<ActiveSession>[]> {
    const [owner, id] = [sessionOwnerOf(context.principal), sessionIdOf(context.principal)];
    return (await listSessions(context, owner.id)).map((row) => toActiveSession(row, id));
  }

  @Access('person')
  @OpenUnconfirmed()
  @Mutation(() => Boolean, {
    description:
      'Ends the session of the caller, confirmed or not: within 1 second every instance rejects requests with it with 401, and within 10 seconds its WebSockets are closed. REST: POST /v1/emissoes/auth/logout. Errors: 401 without a session.',
  })
  async logout(@Ctx() context: Context): Promise<boolean> {
    await logout(context, this.forgetSessions);
    return true;
  }

  @Access('person')
  @Mutation(() => Boolean, {
    description:
      'Ends a session of the account in the same way as `logout`. Errors: 401 without a session; 403 before the e-mail is confirmed; 404 for a session that has ended or does not belong to the account.',
  })
  async endSession(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the session.' }) id: string,
  ): Promise<boolean> {
    await endSession(context, this.forgetSessions, id);
    return true;
  }

  @Access('person')
  @Mutation(() => Int, {
    description:
      'Ends every session of the account except that of the caller, and returns their number. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  endOtherSessions(@Ctx() context: Context): Promise<number> {
    return endOtherSessions(context, this.forgetSessions);
  }
}

@ObjectType({
  simpleResolvers: true,
  description: 'A session of an account, or of the owner of a browser’s session, that has neither ended nor expired.',
})
class ActiveSession extends fields({
  id: id('Id (UUID); the `jti` of the token of a session that has one.'),
  current: flag('Whether it is the session of the caller.'),
  network: text('Network from which it was opened: the /24 of an IPv4 address, the /64 of an IPv6 one.'),
  userAgent: nullable.text(
    'Name of the program that opened it (`User-Agent`), at most 120 characters; null when it sent none.',
  ),
  createdAt: time('Time at which it was opened.'),
  browser: flag('Whether it is the session of a browser, which a cookie authenticates.'),
  lastSeenAt: time('Time of its last request, at most some 65 seconds late.'),
  expiresAt: time(
    'Time of its expiry: 12 hours after it was opened. The session of a browser ends earlier when no request comes.',
  ),
}) {}

function toActiveSession(row: SessionRow, currentId: string): Readonly<ActiveSession> {
  return { ...row, current: row.id === currentId };
}
