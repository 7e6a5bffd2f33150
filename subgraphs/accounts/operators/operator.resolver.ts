import { Arg, Ctx, Directive, FieldResolver, ID, Int, Mutation, Query, Resolver, Root, ObjectType } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import type { MailLanguage } from '../accounts/compose-mail.js';
import { MailLanguageEnum } from '../mail-settings/mail-settings.type.js';
import type { MailDesk } from '../accounts/mail-desk.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import {
  addOperatorKey,
  changeOperatorRoles,
  fetchOperatorKey,
  revokeOperatorKey,
  revokeOperator,
  limitKey,
  addOperator,
  type AddedOperator,
} from './operators.acts.js';
import { keyDays } from './operator.js';
import { keysOfOperators, listOperators } from './operator.store.js';
import {
  CreatedOperatorKey,
  Operator,
  OperatorKey,
  rolesText,
  type OperatorShape,
  ManagedAccount,
  ManagedKey,
} from './operator.type.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { disableAccount, enableAccount, endAccountSessions, type ForgetSessions } from './manage-accounts.js';
import { findManagedAccounts, managedKeysOf, mostKeysListed } from './managed-key.store.js';
import { fields, flag, int, text } from '../../../shared/graphql/fields.js';

const whoText = 'Id or e-mail of the operator.';
const daysText = `Number of days for which the key is valid, 1 to ${keyDays.most}.`;

@Resolver(() => Operator)
export class OperatorResolver {
  constructor(
    private readonly forgetKey: (prefix: string) => void,
    private readonly desk: MailDesk,
  ) {}

  @Access('operator', 'administer')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [Operator], {
    description: 'The operators: those that are not revoked first, then by age, newest first; at most 500.',
  })
  operators(@Ctx() context: Context): Promise<OperatorShape[]> {
    return listOperators(context);
  }

  @Access('operator', 'administer')
  @Directive('@listSize(assumedSize: 10)')
  @FieldResolver(() => [OperatorKey], {
    description: 'Keys of the operator: those that are not revoked first, then by age, newest first; at most 50.',
  })
  keys(@Root() { id }: OperatorShape, @Ctx() context: Context): Promise<Shape<OperatorKey>[]> {
    return loaderOf(context, keysOfOperators).load(id);
  }

  @Access('operator', 'administer')
  @StepUp('secret')
  @Mutation(() => CreatedOperatorKey, {
    description:
      'Adds an operator with a first key, which the operator fetches by a link in mail within 24 hours. One who was revoked is the same operator again, with second factors enrolled anew. Errors: 400 for an invalid e-mail, name, role or number of days; 409 when an operator who is not revoked has the e-mail.',
  })
  async addOperator(
    @Ctx() context: Context,
    @Arg('email', () => String, { description: 'E-mail of the person.' }) email: string,
    @Arg('name', () => String, { description: 'Name of the person, 1 to 200 characters.' }) name: string,
    @Arg('roles', () => [String], { description: rolesText }) roles: string[],
    @Arg('days', () => Int, { defaultValue: keyDays.usual, description: daysText }) days: number,
    @Arg('language', () => MailLanguageEnum, { defaultValue: 'PT_BR', description: 'Language of mails to the person.' })
    mailLanguage: MailLanguage,
  ): Promise<Shape<CreatedOperatorKey>> {
    return created(await addOperator(context, this.desk, { email, name, roles, days, mailLanguage }));
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => Operator, {
    description:
      'Revokes an operator with all keys permanently: within 1 second they are rejected on every instance. Repeating the call changes nothing. Errors: 404.',
  })
  revokeOperator(
    @Ctx() context: Context,
    @Arg('operator', () => String, { description: whoText }) operator: string,
  ): Promise<OperatorShape> {
    return revokeOperator(context, this.forgetKey, operator);
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => Operator, {
    description:
      'Replaces the roles of an operator; the new ones apply on every instance within 1 second. Errors: 400 for invalid roles; 403 for the caller’s own roles; 404; 409 for a revoked operator.',
  })
  changeOperatorRoles(
    @Ctx() context: Context,
    @Arg('operator', () => String, { description: whoText }) operator: string,
    @Arg('roles', () => [String], { description: rolesText }) roles: string[],
  ): Promise<OperatorShape> {
    return changeOperatorRoles(context, this.forgetKey, operator, roles);
  }

  @Access('operator', 'administer')
  @StepUp('secret')
  @Mutation(() => CreatedOperatorKey, {
    description:
      'Adds a key to an operator, so that keys can be rotated without interruption, and mails the operator. Only the caller’s own key is in the response: another operator fetches it by a link in the mail within 24 hours. Errors: 400 for an invalid number of days; 404; 409 for a revoked operator, and for one with five valid keys.',
  })
  async addOperatorKey(
    @Ctx() context: Context,
    @Arg('operator', () => String, { description: whoText }) operator: string,
    @Arg('days', () => Int, { defaultValue: keyDays.usual, description: daysText }) days: number,
  ): Promise<Shape<CreatedOperatorKey>> {
    return created(await addOperatorKey(context, this.desk, operator, days));
  }

  @Access('anyone')
  @Mutation(() => String, {
    description:
      'Returns the complete key that the link in a mail leads to, once, and makes it valid. Errors: 422 for a link that is unknown, used or expired, or whose key was revoked.',
  })
  async fetchOperatorKey(
    @Ctx() context: Context,
    @Arg('token', () => String, { description: 'Token of the link.' }) token: string,
  ): Promise<string> {
    return fetchOperatorKey(context, this.forgetKey, token);
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => Boolean, {
    description:
      'Revokes one key of an operator permanently: within 1 second it is rejected on every instance. Returns true, also for a key that was already revoked. Errors: 404.',
  })
  async revokeOperatorKey(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
  ): Promise<boolean> {
    await revokeOperatorKey(context, this.forgetKey, id);
    return true;
  }
}

function created({ operator, key: { id, key, expiresAt, linkExpiresAt } }: AddedOperator): Shape<CreatedOperatorKey> {
  return { id, key, expiresAt, linkExpiresAt, operator };
}

@ObjectType({ simpleResolvers: true, description: 'The rate limit of a key, as operators see it.' })
export class LimitedKey extends fields({
  prefix: text('The visible part of the key, as `svcpub_<prefix>` or `svc_dev_<prefix>`.'),
  name: text('Label chosen by the user.'),
  rateLimit: int(
    'Maximum number of requests per minute with the key by REST and MCP. GraphQL has a budget of points instead.',
  ),
  followsConfiguration: flag('Whether the limit is the configured default, and follows its changes.'),
}) {}

export interface LimitedKeyParts {
  /** Requests per minute of keys without their own limit. */
  readonly rateLimit: number;
  readonly forgetKey: (prefix: string) => void;
}

@Resolver()
export class LimitedKeyResolver {
  constructor(private readonly parts: LimitedKeyParts) {}

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => LimitedKey, {
    description:
      'Sets the rate limit of an API key or a developer key; it applies on every instance within 1 second. Errors: 400 for an invalid limit; 401 and 403 for callers who are not operators; 404 when no key has the prefix.',
  })
  async limitKey(
    @Ctx() context: Context,
    @Arg('prefix', () => String, { description: 'The visible part of the key; case-sensitive.' }) prefix: string,
    @Arg('rateLimit', () => Int, {
      nullable: true,
      description:
        'Maximum number of requests per minute by REST and MCP, 1 to 10,000,000; null or omitted for the configured default.',
    })
    rateLimit: number | null | undefined,
  ): Promise<Readonly<LimitedKey>> {
    const { forgetKey } = this.parts;
    const key = await limitKey(context, forgetKey, { prefix, rateLimit: rateLimit ?? null });
    return {
      prefix: key.prefix,
      name: key.name,
      rateLimit: key.rateLimit ?? this.parts.rateLimit,
      followsConfiguration: key.rateLimit === null,
    };
  }
}

const idText = 'Id of the account; give either this or `email`.';
const emailText =
  'E-mail of the account, in any case. It selects every account with this e-mail, including pending registrations.';
const errors =
  'Errors: 400 unless exactly one of `id` and `email` is given; 401 and 403 for callers who are not operators; 404 when the account does not exist.';

@Resolver(() => ManagedAccount)
export class ManagedAccountResolver {
  constructor(
    private readonly forgetSessions: ForgetSessions,
    private readonly rateLimit: number,
  ) {}

  @Access('operator', 'administer')
  @Directive('@listSize(assumedSize: 5)')
  @Query(() => [ManagedAccount], {
    description:
      'The accounts with an e-mail, pending registrations among them, or the account that has a key; at most 100, and none where there is none.',
  })
  async managedAccounts(
    @Ctx() context: Context,
    @Arg('find', () => String, {
      description: 'E-mail, in any case, or the visible part of a key: `svcpub_…`, `svc_dev_…`.',
    })
    text: string,
  ): Promise<readonly Readonly<ManagedAccount>[]> {
    return findManagedAccounts(context, identifyingText(text).replaceAll('\0', ''));
  }

  @Directive('@listSize(assumedSize: 10)')
  @FieldResolver(() => [ManagedKey], {
    description: `Its API keys and developer keys: those that are not revoked first, then by age, newest first; at most ${mostKeysListed}.`,
  })
  async keys(@Ctx() context: Context, @Root() { id }: ManagedAccount): Promise<readonly Readonly<ManagedKey>[]> {
    return (await loaderOf(context, managedKeysOf).load(id)).map(({ rateLimit, ...key }) => ({
      ...key,
      rateLimit: rateLimit ?? this.rateLimit,
      followsConfiguration: rateLimit === null,
    }));
  }

  @Access('operator', 'administer')
  @Mutation(() => [ManagedAccount], {
    description: `Disables an account: its sessions end, and within 1 second every instance rejects its keys. A login with the right password is rejected with 403, one with a wrong password with 401 as before. Nothing is deleted, and webhooks of the account continue. ${errors}`,
  })
  disableAccount(
    @Ctx() context: Context,
    @Arg('id', () => ID, { nullable: true, description: idText }) id: string | null | undefined,
    @Arg('email', () => String, { nullable: true, description: emailText }) email: string | null | undefined,
    @Arg('reason', () => String, { description: 'Reason for other operators, 1 to 500 characters on one line.' })
    reason: string,
  ): Promise<readonly Readonly<ManagedAccount>[]> {
    return disableAccount(context, this.forgetSessions, { id, email, reason });
  }

  @Access('operator', 'administer')
  @StepUp()
  @Mutation(() => [ManagedAccount], {
    description: `Enables an account that was disabled: its owner can log in, and within 1 second its keys are valid again. Sessions that ended are not restored. ${errors}`,
  })
  enableAccount(
    @Ctx() context: Context,
    @Arg('id', () => ID, { nullable: true, description: idText }) id: string | null | undefined,
    @Arg('email', () => String, { nullable: true, description: emailText }) email: string | null | undefined,
  ): Promise<readonly Readonly<ManagedAccount>[]> {
    return enableAccount(context, { id, email });
  }

  @Access('operator', 'administer')
  @Mutation(() => Int, {
    description: `Ends every session of an account and returns their number; its keys remain valid. ${errors}`,
  })
  endAccountSessions(
    @Ctx() context: Context,
    @Arg('id', () => ID, { nullable: true, description: idText }) id: string | null | undefined,
    @Arg('email', () => String, { nullable: true, description: emailText }) email: string | null | undefined,
  ): Promise<number> {
    return endAccountSessions(context, this.forgetSessions, { id, email });
  }
}
