import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { ApiError } from '../../../shared/errors.js';
import { Access, OpenUnconfirmed } from '../../../shared/subgraph/access.js';
import type { OpenedSession } from '../sessions/open-session.js';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { findFace } from './account.store.js';
import { Message, Session, SessionUser, toSessionUser } from './account.type.js';
import { changePassword } from './change-password.js';
import { forgotPassword } from './forgot-password.js';
import { login, type LoginParts } from './login.js';
import type { MailDesk } from './mail-desk.js';
import { register } from './register.js';
import { resendVerification } from './resend-verification.js';
import { resetPassword, type ResetParts } from './reset-password.js';
import { verifyEmail } from './verify-email.js';

export interface AccountResolverParts {
  readonly desk: MailDesk;
  readonly loginParts: LoginParts;
  readonly resetParts: ResetParts;
}

const checkMailbox: Readonly<Message> = {
  message: 'If the e-mail can be registered, a message is on its way to it. Open the link in it to confirm.',
};
const confirmationSent: Readonly<Message> = {
  message: 'If the e-mail has an account that waits for confirmation, a message is on its way to it.',
};
const resetSent: Readonly<Message> = {
  message: 'If the e-mail has an account made here, a message with a link to set a new password is on its way to it.',
};
const passwordSet: Readonly<Message> = {
  message: 'The password was changed and every session has ended. Log in with the new password.',
};

const emailDescription =
  'E-mail address in ASCII (an internationalised domain in its `xn--` form), at most 254 characters; case and spaces around it do not matter.';
const passwordDescription = '8 to 128 characters, letters and numbers among them; none of the commonest passwords.';
const malformed = 'Errors: 400 with `details` naming every malformed argument at once';

@Resolver()
export class AccountResolver {
  constructor(private readonly parts: AccountResolverParts) {}

  @Access('session')
  @OpenUnconfirmed()
  @Query(() => SessionUser, {
    description:
      'The account that the session belongs to. REST: GET /v1/emissoes/auth/me. Errors: 401 without a session.',
  })
  async me(@Ctx() context: Context): Promise<Readonly<SessionUser>> {
    const face = await findFace(context, context.principal.ownerId);
    if (face === undefined) throw new ApiError('UNAUTHORIZED');
    return toSessionUser(face);
  }

  @Access('anyone')
  @Mutation(() => Message, {
    description: `Registers an account and mails a link that confirms it, good for 24 hours. An e-mail that has a confirmed account already gets the same answer, and its owner is told by mail. While several registrations of an e-mail wait, each is confirmed by its own link only, and the first logs in. One e-mail gets at most 10 messages an hour; a registration beyond them is not kept. REST: POST /v1/emissoes/auth/register. ${malformed}; 422 for one of the commonest passwords.`,
  })
  async register(
    @Ctx() context: Context,
    @Arg('name', () => String, { description: 'Name of the person who will use the API, 1 to 200 characters.' })
    name: string,
    @Arg('email', () => String, { description: emailDescription }) email: string,
    @Arg('password', () => String, { description: passwordDescription }) password: string,
    @Arg('company', () => String, { description: 'Company or institution, 1 to 200 characters.' }) company: string,
  ): Promise<Readonly<Message>> {
    await register(context, this.parts.desk, { name, email, password, company });
    return checkMailbox;
  }

  @Access('anyone')
  @OpenUnconfirmed()
  @Mutation(() => Session, {
    description:
      'Confirms the registration that the link was mailed for and logs in. The link works once; it discards the other registrations of the e-mail, with their links and sessions. REST: POST /v1/emissoes/auth/verify-email. Errors: 403 when an operator has disabled the account; 422 for a token that is unknown, used or expired.',
  })
  async verifyEmail(
    @Ctx() context: Context,
    @Arg('token', () => String, { description: 'The token of the link in the mail.' }) token: string,
  ): Promise<Readonly<Session>> {
    return toSession(await verifyEmail(context, this.parts.loginParts, token));
  }

  @Access('anyone')
  @OpenUnconfirmed()
  @Mutation(() => Message, {
    description: `Mails a new confirmation link to an account that is not confirmed, unless several registrations of the e-mail wait: then the mail says to register again. The answer is the same for every e-mail; earlier links stay good until one is used. REST: POST /v1/emissoes/auth/resend-verification. ${malformed}.`,
  })
  async resendVerification(
    @Ctx() context: Context,
    @Arg('email', () => String, { description: emailDescription }) email: string,
  ): Promise<Readonly<Message>> {
    await resendVerification(context, this.parts.desk, email);
    return confirmationSent;
  }

  @Access('anyone')
  @Mutation(() => Session, {
    description: `Logs in with an account made here, confirmed or not, or with one of the issuer's portal. REST: POST /v1/emissoes/auth/login. ${malformed}; 401 for a pair that is wrong; 403 for a right one of an account that is disabled; 429 with Retry-After after ten failures for one e-mail in 15 minutes (a right password or a reset clears them); 503 when only the portal could say and does not answer.`,
  })
  async login(
    @Ctx() context: Context,
    @Arg('email', () => String, { description: emailDescription }) email: string,
    @AtMost({ maxLength: 1024 })
    @Arg('password', () => String, { description: 'The password, at most 1024 characters.' })
    password: string,
  ): Promise<Readonly<Session>> {
    return toSession(await login(context, this.parts.loginParts, { email, password }));
  }

  @Access('anyone')
  @Mutation(() => Message, {
    description: `Mails a link that sets a new password, good for 1 hour, if the e-mail has an account made here, unless several registrations of it wait: then the mail says to register again. Users of the issuer's portal reset their password in the portal. The answer is the same for every e-mail. REST: POST /v1/emissoes/auth/forgot-password. ${malformed}.`,
  })
  async forgotPassword(
    @Ctx() context: Context,
    @Arg('email', () => String, { description: emailDescription }) email: string,
  ): Promise<Readonly<Message>> {
    await forgotPassword(context, this.parts.desk, email);
    return resetSent;
  }

  @Access('anyone')
  @Mutation(() => Message, {
    description: `Sets a new password by a reset link. Ends every session of the account within 1 second on all instances, uses up its other reset links, revokes its keys if \`revokeKeys\` says so, and tells the owner by mail. REST: POST /v1/emissoes/auth/reset-password. ${malformed}, and 422 for one of the commonest passwords, and the link stays good; 422 for a token that is unknown, used or expired.`,
  })
  async resetPassword(
    @Ctx() context: Context,
    @Arg('token', () => String, { description: 'The token of the link in the mail.' }) token: string,
    @Arg('password', () => String, { description: passwordDescription }) password: string,
    @Arg('revokeKeys', () => Boolean, {
      nullable: true,
      description:
        "Whether the API keys and developer's keys of the account are revoked too; without it they go on working.",
    })
    revokeKeys: boolean | null | undefined,
  ): Promise<Readonly<Message>> {
    await resetPassword(context, this.parts.resetParts, { token, password, revokeKeys: revokeKeys === true });
    return passwordSet;
  }

  @Access('session')
  @Mutation(() => Boolean, {
    description: `Sets a new password for the account of the session, on its present one. Ends the other sessions of the account within 1 second on all instances, unless \`keepSessions\` is true, uses up its reset links, and tells the owner by mail; keys go on working. A wrong present password counts as a failed login. ${malformed}; 401 without a session; 403 before the e-mail is confirmed; 409 when the password was changed meanwhile; 422 for a present password that is wrong, for one of the commonest as the new one, and for an account of the issuer's portal, which keeps its password; 429 with Retry-After after ten failures for the e-mail in 15 minutes.`,
  })
  async changePassword(
    @Ctx() context: Context,
    @Arg('currentPassword', () => String, { description: 'The present password.' }) currentPassword: string,
    @Arg('newPassword', () => String, { description: passwordDescription }) newPassword: string,
    @Arg('keepSessions', () => Boolean, {
      nullable: true,
      description: 'Whether the other sessions of the account go on; they end without it.',
    })
    keepSessions: boolean | null | undefined,
  ): Promise<boolean> {
    const input = { currentPassword, newPassword, keepSessions: keepSessions === true };
    await changePassword(context, this.parts.resetParts, input);
    return true;
  }
}

function toSession({ accessToken, account }: OpenedSession): Readonly<Session> {
  return { accessToken, user: toSessionUser(account) };
}
