import { Args, ArgsType, Ctx, Query, Resolver, Arg, Directive, FieldResolver, ID, Mutation, Root } from 'type-graphql';
import { type Context, loaderOf } from '../../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../../shared/graphql/cursor.js';
import { Access, StepUp } from '../../../../shared/graphql/access.js';
import type { Connection } from '../../../../shared/graphql/connection.js';
import { AtMost } from '../../../../shared/graphql/constraint.js';
import { CursorPageArgs } from '../../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { requireWallet, WalletArgs, ofWallet } from '../../profiles/require-wallet.js';
import type { Custodies } from '../custody/custody.js';
import { readPage, scopeOfWallet } from '../pages.js';

import { countDeposits, depositOwnersOf, listDeposits } from './deposit.store.js';
import {
  Deposit,
  DepositAddresses,
  DepositConnection,
  toDeposit,
  toDepositAddresses,
  DepositResolutionEnum,
  depositStatesOf,
  DepositStatusEnum,
  type DepositStatus,
  toTransferDeposit,
  TransferDeposit,
  TransferDepositConnection,
  DepositOwner,
} from './deposit.type.js';
import { maxReasonLength } from '../../../../shared/kernel/reason.js';
import { simulateDeposit, type SimulatedCustodies } from '../simulate-deposit.js';
import { resolveDeposit, type DepositResolution, requireAddresses } from './deposits.acts.js';
import { args, decimal, flag, id, nullable, text } from '../../../../shared/graphql/fields.js';

const deposits = { list: listDeposits, count: countDeposits };

@ArgsType()
class DepositAddressArgs extends args({
  ...ofWallet,
  currency: text('Code of the currency: `BRL`, `BTC`, `ETH`, `USDT`.', { maxLength: 20 }),
  network: nullable.text(
    'Network of the currency: `pix`, `ted`, `bitcoin`, `ethereum`, `polygon`; all networks of the currency when omitted.',
    { maxLength: 40 },
  ),
}) {}

@Resolver()
export class DepositResolver {
  constructor(
    private readonly custodies: Custodies,
    private readonly cursors: CursorCodec,
  ) {}

  @Access('trader', 'read')
  @Query(() => DepositAddresses, {
    description:
      'The deposit addresses of a wallet for a currency. They do not change. REST: GET /v1/wallet/fetchDepositAddress. Errors: 400 for an unknown currency or network; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company; 503 when no custody of real funds is connected.',
  })
  async fetchDepositAddress(
    @Ctx() context: Context,
    @Args(() => DepositAddressArgs) { currency, network = null, ...which }: DepositAddressArgs,
  ): Promise<Shape<DepositAddresses>> {
    const wallet = await requireWallet(context, which);
    return toDepositAddresses(currency, await requireAddresses(context, this.custodies, wallet, { currency, network }));
  }

  @Access('trader', 'read')
  @Query(() => DepositConnection, {
    description:
      'The deposits of a wallet, newest first. REST: GET /v1/transfers/fetchDeposits. Errors: 400 for arguments that are out of bounds and for a cursor of another list; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.',
  })
  async deposits(
    @Ctx() context: Context,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
    @Args(() => WalletArgs) which: WalletArgs,
    @Arg('status', () => DepositStatusEnum, {
      nullable: true,
      description: 'Only deposits with this status; all when omitted.',
    })
    status: DepositStatus | null | undefined,
  ): Promise<Connection<Shape<Deposit>>> {
    const { id: walletId } = await requireWallet(context, which);
    const query = { walletId, states: depositStatesOf(status) };
    const request = { query, scope: scopeOfWallet(walletId, status), page: wanted };
    return readPage(context, this.cursors, request, deposits, toDeposit);
  }
}

const operatorOnly = '401 and 403 without the role `trade`';
const simulated = '409 for real funds unless their custody is simulated';

@ArgsType()
class SimulateDepositArgs extends args({
  companyId: id('Id of the company (UUID).'),
  profileId: nullable.id("Id of a profile of the company (UUID); the company's own wallet when omitted."),
  synthetic: flag('Whether to deposit into the synthetic wallet.', { defaultValue: false }),
  currency: text('Code of the currency.', { maxLength: 20 }),
  network: nullable.text('Name of the network; the default of the currency when omitted.', { maxLength: 40 }),
  amount: decimal('Amount of the deposit, in that currency: greater than 0.'),
}) {}

@Resolver(() => TransferDeposit)
export class DepositOperatorResolver {
  constructor(
    private readonly custodies: SimulatedCustodies,
    private readonly cursors: CursorCodec,
  ) {}

  @Access('operator', 'read')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [TransferDeposit], {
    description:
      'Deposits that their network reversed after the client had used them, newest first, at most 100. Errors: 401 and 403 for callers who are not operators.',
  })
  async quarantinedDeposits(@Ctx() context: Context): Promise<Shape<TransferDeposit>[]> {
    return (
      await listDeposits(
        context,
        { walletId: null, states: ['QUARANTINED'] },
        { limit: 99, after: undefined, backward: false },
      )
    ).map(toTransferDeposit);
  }

  @Access('operator', 'read')
  @Query(() => TransferDepositConnection, {
    description:
      'Deposits of all companies, newest first. Errors: 400 for arguments that are out of bounds and for a cursor of another list; 401 and 403 for callers who are not operators.',
  })
  transferDeposits(
    @Ctx() context: Context,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
  ): Promise<Connection<Shape<TransferDeposit>>> {
    const request = { query: { walletId: null, states: null }, scope: 'operator', page: wanted };
    return readPage(context, this.cursors, request, deposits, toTransferDeposit);
  }

  @FieldResolver(() => DepositOwner, { description: 'Who owns the wallet that received it.' })
  owner(@Ctx() context: Context, @Root() { walletId }: Shape<TransferDeposit>): Promise<Shape<DepositOwner>> {
    return loaderOf(context, depositOwnersOf).load(walletId);
  }

  @Access('operator', 'trade')
  @StepUp()
  @Mutation(() => TransferDeposit, {
    description: `Resolves a deposit in quarantine; the wallet can withdraw again. Errors: 400, code CAAS_ORD_001 for REVERSED when the client has less than is missing; ${operatorOnly}; 404; 409 for a deposit that is not in quarantine.`,
  })
  async resolveDeposit(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the deposit (UUID).' }) id: string,
    @Arg('outcome', () => DepositResolutionEnum, { description: 'Decision about the deposit.' })
    outcome: DepositResolution,
    @AtMost({ maxLength: maxReasonLength })
    @Arg('reason', () => String, { description: 'Reason, 1 to 500 characters on one line.' })
    reason: string,
  ): Promise<Shape<TransferDeposit>> {
    return toTransferDeposit(await resolveDeposit(context, id, outcome, reason));
  }

  @Access('operator', 'trade')
  @Mutation(() => String, {
    description: `Simulates a deposit on the simulated networks and returns its transaction. It is credited after its confirmations. Errors: 400; ${operatorOnly}; 404; ${simulated}.`,
  })
  simulateDeposit(
    @Ctx() context: Context,
    @Args(() => SimulateDepositArgs) { profileId = null, network = null, ...deposit }: SimulateDepositArgs,
  ): Promise<string> {
    return simulateDeposit(context, this.custodies, { ...deposit, profileId, network });
  }
}
