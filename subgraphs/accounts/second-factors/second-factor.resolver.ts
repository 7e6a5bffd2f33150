import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { sessionIdOf, sessionOwnerOf } from '../../../shared/security/browser-session.js';
import type { Context, Principal } from '../../../shared/kernel/context.js';
import { Access, OpenUnenrolled, StepUp } from '../../../shared/graphql/access.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { findBrowserSession } from '../browser-sessions/browser-session.store.js';
import {
  addPasskey,
  removePasskey,
  endSessionsOf,
  resetFactors,
  type ResetFactorsParts,
  beginTotp,
  confirmTotp,
  removeTotp,
  type TotpParts,
} from './second-factors.acts.js';
import { replaceRecoveryCodes } from './change-factors.js';
import { recoveryCodesReplacedMail } from './factor.mails.js';
import { findTotp, readHeldFactors, listPasskeys } from './factor.store.js';
import { registrationOptions } from './passkey-ceremonies.js';
import type { SiteOf } from './relying-party.js';
import { ChangedFactors, NewTotp, SecondFactors } from './second-factor.type.js';

export interface SecondFactorParts extends ResetFactorsParts, TotpParts {
  readonly siteOf: SiteOf;
  readonly requiresFactor: (accountId: string) => Promise<boolean>;
}

const lastErrors = '409 for the last second factor where one is required';
const errors =
  'Errors: 401 without the session of a browser; 403 with another credential, and STEP_UP_REQUIRED when the last proof is older than 5 minutes';
const ownerText = 'Id of the account, the operator or the trading credential.';
const operatorErrors = 'Errors: 401 and 403 for callers who are not operators';

@Resolver()
export class SecondFactorResolver {
  constructor(private readonly parts: SecondFactorParts) {}

  @Access('person')
  @OpenUnenrolled()
  @Query(() => SecondFactors, {
    description:
      'The second factors of the owner of the session. Errors: 401 without a session; 403 before the e-mail is confirmed.',
  })
  async secondFactors(@Ctx() context: Context): Promise<SecondFactors> {
    const { id } = sessionOwnerOf(context.principal);
    const [passkeys, totp, { codes }, required] = [
      await listPasskeys(context, id),
      await findTotp(context, id),
      await readHeldFactors(context, id),
      await this.isRequired(context.principal),
    ];
    return { passkeys, totpSince: totp?.confirmedAt ?? null, recoveryCodesLeft: codes, required };
  }

  @Access('browser')
  @OpenUnenrolled()
  @StepUp()
  @Mutation(() => String, {
    description: `Begins to add a passkey: the options for \`navigator.credentials.create\`, as JSON for \`PublicKeyCredential.parseCreationOptionsFromJSON\`. Their challenge is valid for 5 minutes and once. ${errors}.`,
  })
  async beginPasskey(@Ctx() context: Context): Promise<string> {
    const { principal } = context;
    const sessionId = sessionIdOf(principal);
    const userName = await this.nameOf(context);
    const owner = sessionOwnerOf(principal);
    const options = await registrationOptions(context, this.parts.siteOf(owner.kind), owner, { sessionId, userName });
    return JSON.stringify(options);
  }

  @Access('browser')
  @OpenUnenrolled()
  @StepUp('secret')
  @Mutation(() => ChangedFactors, {
    description: `Adds a passkey that the browser has created with user verification, and informs the owner by mail; at most 20. With the first second factor come 10 recovery codes, sessions by token of the owner end, and other sessions of browsers must prove the factor from then on. ${errors}; 400 for a malformed argument; 409 for a passkey that is registered already, and for the 21st; 422 for a credential that is not valid, or whose challenge has expired or was used.`,
  })
  async addPasskey(
    @Ctx() context: Context,
    @Arg('name', () => String, { description: 'Name for its owner, 1 to 100 characters.' }) name: string,
    @AtMost({ maxLength: 24_000 })
    @Arg('credential', () => String, { description: 'JSON of the `PublicKeyCredential` (its `toJSON()`).' })
    credential: string,
  ): Promise<ChangedFactors> {
    const recoveryCodes = await addPasskey(context, this.parts, { name, credential });
    return { factors: await this.secondFactors(context), recoveryCodes };
  }

  @Access('browser')
  @StepUp()
  @Mutation(() => SecondFactors, {
    description: `Removes a passkey, and informs the owner by mail. ${errors}; 404 for a passkey that does not exist; ${lastErrors}.`,
  })
  async removePasskey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the passkey.' }) id: string,
  ): Promise<SecondFactors> {
    await removePasskey(context, this.parts, { id, isRequired: await this.isRequired(context.principal) });
    return this.secondFactors(context);
  }

  @Access('browser')
  @OpenUnenrolled()
  @StepUp('secret')
  @Mutation(() => NewTotp, {
    description: `Begins to add an authenticator application (TOTP): 6 digits, 30 seconds, SHA-1. It counts once \`confirmTotp\` has its first code. ${errors}; 409 when there is one already.`,
  })
  async beginTotp(@Ctx() context: Context): Promise<NewTotp> {
    return beginTotp(context, this.parts, await this.nameOf(context));
  }

  @Access('browser')
  @OpenUnenrolled()
  @StepUp('secret')
  @Mutation(() => ChangedFactors, {
    description: `Adds the authenticator application whose secret \`beginTotp\` made, by its present code, and informs the owner by mail. With the first second factor come 10 recovery codes, sessions by token of the owner end, and other sessions of browsers must prove the factor from then on. ${errors}; 422 for a wrong code.`,
  })
  async confirmTotp(
    @Ctx() context: Context,
    @Arg('code', () => String, { description: 'The present code, 6 digits.' }) code: string,
  ): Promise<ChangedFactors> {
    const recoveryCodes = await confirmTotp(context, this.parts, code);
    return { factors: await this.secondFactors(context), recoveryCodes };
  }

  @Access('browser')
  @StepUp()
  @Mutation(() => SecondFactors, {
    description: `Removes the authenticator application, and informs the owner by mail. ${errors}; 404 when there is none; ${lastErrors}.`,
  })
  async removeTotp(@Ctx() context: Context): Promise<SecondFactors> {
    await removeTotp(context, this.parts, await this.isRequired(context.principal));
    return this.secondFactors(context);
  }

  @Access('browser')
  @StepUp('secret')
  @Mutation(() => ChangedFactors, {
    description: `Replaces the recovery codes by 10 new ones, and informs the owner by mail. ${errors}; 409 without a second factor.`,
  })
  async replaceRecoveryCodes(@Ctx() context: Context): Promise<ChangedFactors> {
    const recoveryCodes = await replaceRecoveryCodes(context, this.parts, recoveryCodesReplacedMail);
    return { factors: await this.secondFactors(context), recoveryCodes };
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => Boolean, {
    description: `Removes every second factor and recovery code of somebody who has lost them, ends the sessions, and informs the owner by mail. Whoever logs in next with the first factor can add new ones: verify the person first. ${operatorErrors}; 400 for the reason; 404 for an owner without second factors.`,
  })
  async resetSecondFactors(
    @Ctx() context: Context,
    @Arg('owner', () => ID, { description: ownerText }) id: string,
    @Arg('reason', () => String, { description: 'Reason for other operators, 1 to 500 characters on one line.' })
    reason: string,
  ): Promise<boolean> {
    await resetFactors(context, this.parts, { id, reason });
    return true;
  }

  @Access('operator', 'administer')
  @Mutation(() => Int, {
    description: `Ends every session of an account, or every browser's session of an operator or a trading credential, within 1 second on all instances; returns their number. Keys remain valid. ${operatorErrors}; 404 for an id that has neither sessions nor second factors.`,
  })
  endSessionsOf(
    @Ctx() context: Context,
    @Arg('owner', () => ID, { description: ownerText }) id: string,
  ): Promise<number> {
    return endSessionsOf(context, this.parts, id);
  }

  private async isRequired({ kind, ownerId }: Principal): Promise<boolean> {
    return kind !== 'SESSION' || this.parts.requiresFactor(ownerId);
  }

  /** Returns the name under which authenticators list the owner: an e-mail, or the id of a trading credential. */
  private async nameOf(context: Context): Promise<string> {
    const session = await findBrowserSession(context, sessionIdOf(context.principal));
    return session?.email ?? sessionOwnerOf(context.principal).id;
  }
}
