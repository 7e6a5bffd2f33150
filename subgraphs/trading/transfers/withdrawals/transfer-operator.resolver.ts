import { Arg, Args, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { loaderOf, type Context } from '../../../../shared/context.js';
import type { CursorCodec } from '../../../../shared/cursor.js';
import { Access } from '../../../../shared/subgraph/access.js';
import { AtMost } from '../../../../shared/subgraph/constraint.js';
import { describeEnum } from '../../../../shared/subgraph/describe-enum.js';
import { DecimalScalar } from '../../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../../shared/subgraph/shape.js';
import { maxReasonLength } from '../../../../shared/reason.js';
import { PageArgs, readPage, type Page } from '../pages.js';
import { countApprovals } from './approval.store.js';
import { approveWithdrawal, rejectWithdrawal, resolveWithdrawal, type WithdrawalOutcome } from './decide-withdrawal.js';
import { setDailyLimit } from './set-daily-limit.js';
import type { WithdrawalState } from './withdrawal.js';
import { listWithdrawals } from './withdrawal.store.js';
import {
  toTransferWithdrawal,
  toWithdrawalItem,
  TransferWithdrawal,
  TransferWithdrawalConnection,
  WithdrawalItem,
  WithdrawalStateEnum,
} from './withdrawal.type.js';

const WithdrawalOutcomeEnum = describeEnum<WithdrawalOutcome>(
  'WithdrawalOutcome',
  'What became of a withdrawal that is QUARANTINED or UNCONFIRMED.',
  {
    SENT: 'It was sent: its confirmations are waited for.',
    CONFIRMED: 'It was sent and has arrived, whatever custody knows of it: its funds are spent.',
    RETURNED: 'It was sent and came back: its funds are available again.',
    FAILED: 'It was not sent, and never will be: its funds are available again.',
  },
);

const idText = 'Id of the withdrawal (UUID).';
const reasonText = 'Why, 1 to 500 characters on one line. The company reads it where the withdrawal fails.';
const operatorOnly = '401 and 403 without the role `trade`';

@Resolver(() => TransferWithdrawal)
export class TransferOperatorResolver {
  constructor(private readonly cursors: CursorCodec) {}

  @Access('operator', 'read')
  @Query(() => TransferWithdrawalConnection, {
    description:
      'Withdrawals of all companies, the newest first. Errors: 400 for arguments out of bounds and cursors of another list; 401 and 403 for who is no operator.',
  })
  transferWithdrawals(
    @Ctx() context: Context,
    @Arg('state', () => WithdrawalStateEnum, {
      nullable: true,
      description: 'Those that stand here; all when omitted.',
    })
    state: WithdrawalState | null | undefined,
    @Args(() => PageArgs) { first, after }: PageArgs,
  ): Promise<Page<Shape<TransferWithdrawal>>> {
    const query = { walletId: null, states: state == null ? null : [state] };
    const read = (behind: string | null, limit: number) => listWithdrawals(context, query, behind, limit);
    return readPage(this.cursors, { scope: `operator/${state ?? ''}`, first, after }, read, toTransferWithdrawal);
  }

  @FieldResolver(() => Int, { description: 'How many operators have approved it.' })
  approvals(@Ctx() context: Context, @Root() { id }: Shape<TransferWithdrawal>): Promise<number> {
    return loaderOf(context, countApprovals).load(id);
  }

  @Access('operator', 'trade')
  @Mutation(() => WithdrawalItem, {
    description: `Approves a withdrawal. The last approval that it needs, each of another operator, sends it. Errors: ${operatorOnly}, and 403 for whoever has no key of their own; 404; 409 for one that waits for no approval, for an operator who approved it already, while its company or its profile is suspended, and for an address that the company's list does not have, or does not permit yet.`,
  })
  async approveWithdrawal(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
  ): Promise<Shape<WithdrawalItem>> {
    return toWithdrawalItem(await approveWithdrawal(context, id));
  }

  @Access('operator', 'trade')
  @Mutation(() => WithdrawalItem, {
    description: `Rejects a withdrawal that was not sent: its funds are available again. Errors: 400; ${operatorOnly}; 404; 409 for one that is being sent, or was, or is over.`,
  })
  async rejectWithdrawal(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @AtMost({ maxLength: maxReasonLength }) @Arg('reason', () => String, { description: reasonText }) reason: string,
  ): Promise<Shape<WithdrawalItem>> {
    return toWithdrawalItem(await rejectWithdrawal(context, id, reason));
  }

  @Access('operator', 'trade')
  @Mutation(() => WithdrawalItem, {
    description: `Resolves a withdrawal in quarantine, whose fate custody did not say, or that custody does not know. Errors: 400, also for SENT and CONFIRMED without a transaction; ${operatorOnly}; 404; 409 for one that is not in quarantine.`,
  })
  async resolveWithdrawal(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: idText }) id: string,
    @Arg('outcome', () => WithdrawalOutcomeEnum, { description: 'What became of it.' }) outcome: WithdrawalOutcome,
    @AtMost({ maxLength: maxReasonLength }) @Arg('reason', () => String, { description: reasonText }) reason: string,
    @AtMost({ maxLength: 200 })
    @Arg('transaction', () => String, {
      nullable: true,
      description: 'By which it was sent, 1 to 200 characters: with SENT and CONFIRMED, where it is not known yet.',
    })
    transaction: string | null | undefined,
  ): Promise<Shape<WithdrawalItem>> {
    const given = transaction?.trim() ?? '';
    const resolution = { outcome, transaction: given === '' ? undefined : given };
    return toWithdrawalItem(await resolveWithdrawal(context, id, resolution, reason));
  }

  @Access('operator', 'trade')
  @Mutation(() => Boolean, {
    description: `Sets how much of a currency a company may withdraw in 24 hours, with all its profiles; null lifts the limit. Errors: 400; ${operatorOnly}; 404.`,
  })
  async setWithdrawalLimit(
    @Ctx() context: Context,
    @Arg('companyId', () => ID, { description: 'Id of the company (UUID).' }) companyId: string,
    @AtMost({ maxLength: 20 }) @Arg('currency', () => String, { description: 'The currency.' }) currency: string,
    @Arg('daily', () => DecimalScalar, { nullable: true, description: 'The limit, in that currency; null for none.' })
    daily: string | null | undefined,
  ): Promise<boolean> {
    await setDailyLimit(context, { companyId, currency, daily: daily ?? null });
    return true;
  }
}
