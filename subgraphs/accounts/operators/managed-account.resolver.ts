import { Arg, Ctx, ID, Int, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import { disableAccount, enableAccount, endAccountSessions, type ForgetSessions } from './manage-accounts.js';
import { ManagedAccount } from './managed-account.type.js';

const idText = 'Id of the account; either this or `email`.';
const emailText =
  'E-mail of the account, in any case: every account that has it is meant, a registration that waits too.';
const faults =
  'Errors: 400 without exactly one of `id` and `email`; 401 and 403 for who is no operator; 404 when there is no such account.';

@Resolver()
export class ManagedAccountResolver {
  constructor(private readonly forgetSessions: ForgetSessions) {}

  @Access('operator', 'administer')
  @Mutation(() => [ManagedAccount], {
    description: `Disables an account, for operators: its sessions end, and within 1 second its keys are refused by every instance. Who logs in with the right password hears 403; a wrong one is 401 as ever. Nothing is deleted, and webhooks of the account go on. ${faults}`,
  })
  disableAccount(
    @Ctx() context: Context,
    @Arg('id', () => ID, { nullable: true, description: idText }) id: string | null | undefined,
    @Arg('email', () => String, { nullable: true, description: emailText }) email: string | null | undefined,
    @Arg('reason', () => String, { description: 'Why, 1 to 500 characters on one line, for other operators.' })
    reason: string,
  ): Promise<readonly Readonly<ManagedAccount>[]> {
    return disableAccount(context, this.forgetSessions, { id, email, reason });
  }

  @Access('operator', 'administer')
  @Mutation(() => [ManagedAccount], {
    description: `Enables an account that was disabled, for operators: its owner may log in, and within 1 second its keys work again. Sessions that ended stay ended. ${faults}`,
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
    description: `Ends every session of an account, for operators, and answers how many those were; its keys go on working. ${faults}`,
  })
  endAccountSessions(
    @Ctx() context: Context,
    @Arg('id', () => ID, { nullable: true, description: idText }) id: string | null | undefined,
    @Arg('email', () => String, { nullable: true, description: emailText }) email: string | null | undefined,
  ): Promise<number> {
    return endAccountSessions(context, this.forgetSessions, { id, email });
  }
}
