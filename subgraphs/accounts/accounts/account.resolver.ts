import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { Access, OpenUnconfirmed } from '../../../shared/graphql/access.js';
import { FormMutation } from '../../../shared/graphql/forms.js';
import { InSteps } from '../../../shared/graphql/in-steps.js';
import type { OpenedSession } from '../sessions/open-session.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { findFace, emailsById } from './account.store.js';
import { Message, Session, SessionUser, toSessionUser } from './account.type.js';
import {
  forgotPassword,
  resendVerification,
  register,
  verifyEmail,
  changePassword,
  resetPassword,
  type ResetParts,
} from './accounts.acts.js';
import type { MailLanguage } from './compose-mail.js';
import { MailLanguageEnum } from '../mail-settings/mail-settings.type.js';
import { login, type LoginParts } from './login.js';
import type { MailDesk } from './mail-desk.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { hasRole } from '../../../shared/graphql/roles.js';

export interface AccountResolverParts {
  readonly desk: MailDesk;
  readonly loginParts: LoginParts;
  readonly resetParts: ResetParts;
}

const checkMailbox: Readonly<Message> = {
  message: 'If the e-mail can be registered, a message was sent to it. Open the link in the message to confirm.',
};
const confirmationSent: Readonly<Message> = {
  message: 'If the e-mail has an account that waits for confirmation, a message was sent to it.',
};
const resetSent: Readonly<Message> = {
  message: 'If the e-mail has an account of this service, a message with a link to set a new password was sent to it.',
};
const passwordSet: Readonly<Message> = {
  message: 'The password was changed and every session has ended. Log in with the new password.',
};

const emailDescription =
  'E-mail address in ASCII (an internationalized domain in its `xn--` form), at most 254 characters; case and surrounding spaces are ignored.';
const passwordDescription = '8 to 128 characters, including letters and numbers; very common passwords are rejected.';
const malformed = 'Errors: 400 with `details` for every malformed argument';

@Resolver()
export class AccountResolver {
  constructor(private readonly parts: AccountResolverParts) {}

  @Access('session')
  @OpenUnconfirmed()
  @Query(() => SessionUser, {
    description: 'The account of the session. REST: GET /v1/emissoes/auth/me. Errors: 401 without a session.',
  })
  async me(@Ctx() context: Context): Promise<Readonly<SessionUser>> {
    const face = await findFace(context, context.principal.ownerId);
    if (face === undefined) throw new ApiError('UNAUTHORIZED');
    return toSessionUser(face);
  }

  @Access('anyone')
  @InSteps()
  @FormMutation()
  @Mutation(() => Message, {
    description: `Registers an account and mails a confirmation link that is valid for 24 hours. For an e-mail with a confirmed account the response is the same, and its owner is informed by mail. A registration replaces one of the same e-mail that is not confirmed yet: only the newest link and the newest password work. At most 7 messages an hour are sent to one e-mail because of registrations, 2 where it has an account; further registrations are discarded. REST: POST /v1/emissoes/auth/register. ${malformed}; 422 for a very common password.`,
  })
  async register(
    @Ctx() context: Context,
    @Arg('name', () => String, { description: 'Name of the person who will use the API, 1 to 200 characters.' })
    name: string,
    @Arg('email', () => String, { description: emailDescription }) email: string,
    @Arg('password', () => String, { description: passwordDescription }) password: string,
    @Arg('company', () => String, { description: 'Company or institution, 1 to 200 characters.' }) company: string,
    @Arg('language', () => MailLanguageEnum, {
      defaultValue: 'PT_BR',
      description: 'Language of mails to the account.',
    })
    mailLanguage: MailLanguage,
  ): Promise<Readonly<Message>> {
    await register(context, this.parts.loginParts, { name, email, password, company, mailLanguage });
    return checkMailbox;
  }

  @Access('anyone')
  @OpenUnconfirmed()
  @InSteps()
  @Mutation(() => Session, {
    description:
      'Confirms the registration for which the link was mailed and logs in. The link works once; it discards the other registrations of the e-mail with their links and sessions. REST: POST /v1/emissoes/auth/verify-email. Errors: 403 when an operator has disabled the account; 422 for a token that is unknown, used or expired.',
  })
  async verifyEmail(
    @Ctx() context: Context,
    @Arg('token', () => String, { description: 'Token of the link in the mail.' }) token: string,
  ): Promise<Readonly<Session>> {
    return toSession(await verifyEmail(context, this.parts.loginParts, token));
  }

  @Access('anyone')
  @OpenUnconfirmed()
  @InSteps()
  @Mutation(() => Message, {
    description: `Mails a new confirmation link to an unconfirmed account. If several registrations of the e-mail are pending, the mail asks to register again instead. The response is the same for every e-mail; earlier links stay valid until one is used. REST: POST /v1/emissoes/auth/resend-verification. ${malformed}.`,
  })
  async resendVerification(
    @Ctx() context: Context,
    @Arg('email', () => String, { description: emailDescription }) email: string,
  ): Promise<Readonly<Message>> {
    await resendVerification(context, this.parts.desk, email);
    return confirmationSent;
  }

  @Access('anyone')
  @InSteps()
  @Mutation(() => Session, {
    description: `Logs in to an account of this service, confirmed or not, or of the issuer's portal. REST: POST /v1/emissoes/auth/login. ${malformed}; 401 for a wrong e-mail or password; 403 for a disabled account, when the password is right; 429 with Retry-After after ten failures for one e-mail in 15 minutes (the right password or a reset clears them); 503 when only the portal could verify the password and does not respond.`,
  })
  async login(
    @Ctx() context: Context,
    @Arg('email', () => String, { description: emailDescription }) email: string,
    @AtMost({ maxLength: 1024 })
    @Arg('password', () => String, { description: 'Password, at most 1024 characters.' })
    password: string,
  ): Promise<Readonly<Session>> {
    return toSession(await login(context, this.parts.loginParts, { email, password }));
  }

  @Access('anyone')
  @InSteps()
  @Mutation(() => Message, {
    description: `Mails a link to set a new password, valid for 1 hour, if the e-mail has an account of this service. If several registrations of the e-mail are pending, the mail asks to register again instead. Users of the issuer's portal reset their password in the portal. The response is the same for every e-mail. REST: POST /v1/emissoes/auth/forgot-password. ${malformed}.`,
  })
  async forgotPassword(
    @Ctx() context: Context,
    @Arg('email', () => String, { description: emailDescription }) email: string,
  ): Promise<Readonly<Message>> {
    await forgotPassword(context, this.parts.desk, email);
    return resetSent;
  }

  @Access('anyone')
  @FormMutation()
  @Mutation(() => Message, {
    description: `Sets a new password with a reset link. Ends every session of the account within 1 second on all instances, invalidates its other reset links, revokes its keys if \`revokeKeys\` is true, and informs the owner by mail. REST: POST /v1/emissoes/auth/reset-password. ${malformed}, and 422 for a very common password, after both of which the link stays valid; 422 for a token that is unknown, used or expired.`,
  })
  async resetPassword(
    @Ctx() context: Context,
    @Arg('token', () => String, { description: 'Token of the link in the mail.' }) token: string,
    @Arg('password', () => String, { description: passwordDescription }) password: string,
    @Arg('revokeKeys', () => Boolean, {
      nullable: true,
      description:
        'Whether to revoke the API keys and developer keys of the account too; by default they remain valid.',
    })
    revokeKeys: boolean | null | undefined,
  ): Promise<Readonly<Message>> {
    await resetPassword(context, this.parts.resetParts, { token, password, revokeKeys: revokeKeys === true });
    return passwordSet;
  }

  @Access('session')
  @InSteps()
  @Mutation(() => Boolean, {
    description: `Sets a new password for the account of the session, which must give its present one. Ends the other sessions of the account within 1 second on all instances, unless \`keepSessions\` is true, invalidates its reset links, and informs the owner by mail; keys remain valid. A wrong present password counts as a failed login. ${malformed}; 401 without a session; 403 before the e-mail is confirmed; 409 when the password was changed at the same time; 422 for a wrong present password, for a very common new one, and for an account of the issuer's portal, which manages its password; 429 with Retry-After after ten failures for the e-mail in 15 minutes.`,
  })
  async changePassword(
    @Ctx() context: Context,
    @Arg('currentPassword', () => String, { description: 'The present password.' }) currentPassword: string,
    @Arg('newPassword', () => String, { description: passwordDescription }) newPassword: string,
    @Arg('keepSessions', () => Boolean, {
      nullable: true,
      description: 'Whether to keep the other sessions of the account; by default they end.',
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

/** Rule by which other subgraphs refer to an account. Only operators who administer accounts see its e-mail, and nobody whether it exists. */
export const accountContactReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, { id }) => {
    if (typeof id !== 'string') return null;
    const mayRead = isUuid(id) && hasRole(context.principal, 'administer');
    return { id, email: mayRead ? ((await loaderOf(context, emailsById).load(id)) ?? null) : null };
  },
};
