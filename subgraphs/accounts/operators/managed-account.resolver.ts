import { Arg, Ctx, Directive, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../shared/kernel/context.js';
import { identifyingText } from '../../../shared/kernel/identifying-text.js';
import { Access, StepUp } from '../../../shared/graphql/access.js';
import { disableAccount, enableAccount, endAccountSessions, type ForgetSessions } from './manage-accounts.js';
import { findManagedAccounts, managedKeysOf, mostKeysListed } from './managed-key.store.js';
import { ManagedAccount, ManagedKey } from './operator.type.js';

const idText = 'Id of the account; give either this or `email`.';
const emailText =
  'E-mail of the account, in any case. It selects every account with this e-mail, including pending registrations.';
const errors =
  'Errors: 400 unless exactly one of `id` and `email` is given; 401 and 403 for callers who are not operators; 404 when the account does not exist.';

@Resolver(() => ManagedAccount)
export class ManagedAccountResolver {
  /** @param rateLimit requests per minute of keys without their own limit */
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
