import { Arg, Args, ArgsType, Ctx, Field, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../../shared/graphql/cursor.js';
import { isUuid } from '../../../../shared/kernel/ids.js';
import type { PageRange } from '../../../../shared/graphql/list-page.js';
import { Access, StepUp } from '../../../../shared/graphql/access.js';
import { FormMutation } from '../../../../shared/graphql/forms.js';
import type { Connection } from '../../../../shared/graphql/connection.js';
import { AtMost } from '../../../../shared/graphql/constraint.js';
import { DecimalScalar } from '../../../../shared/graphql/scalars.js';
import { CursorPageArgs } from '../../../../shared/graphql/page-args.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { requireWallet, WalletArgs, WalletListArgs } from '../../profiles/require-wallet.js';
import { readListed, readPage } from '../pages.js';
import { withdraw, type WithdrawParts } from './withdrawals.acts.js';
import { countWithdrawals, findWithdrawal, listWithdrawals } from './withdrawal.store.js';
import { toWithdrawal, Withdrawal, WithdrawalConnection, WithdrawalList } from './withdrawal.type.js';

@ArgsType()
class WithdrawArgs extends WalletArgs {
  @AtMost({ maxLength: 20 })
  @Field(() => String, { description: 'Code of the currency: `BRL`, `BTC`, `ETH`, `USDT`.' })
  asset!: string;

  @Field(() => DecimalScalar, {
    description: 'Amount that arrives, in that currency, with at most its decimals. The fee is charged in addition.',
  })
  amount!: string;

  @AtMost({ maxLength: 200 })
  @Field(() => String, {
    description:
      'Destination: an address with a correct checksum; a PIX key (CPF, CNPJ, e-mail, phone with its country as +5511912345678, random key); a bank account as bank/branch/account.',
  })
  address!: string;

  @AtMost({ maxLength: 40 })
  @Field(() => String, {
    nullable: true,
    description:
      'Network: `pix` (default) or `ted` for BRL, `bitcoin` for BTC, `ethereum` for ETH, `ethereum` (default) or `polygon` for USDT.',
  })
  network?: string | null;

  @AtMost({ maxLength: 400 })
  @Field(() => String, {
    nullable: true,
    description:
      "Name of the beneficiary, 1 to 200 characters. Where the platform applies the travel rule, required above a configured amount, and while no price is known, unless the address is on the company's list.",
  })
  beneficiaryName?: string | null;

  @AtMost({ maxLength: 20 })
  @Field(() => String, {
    nullable: true,
    description: 'CPF or CNPJ of the beneficiary, without punctuation. Required where the name is.',
  })
  beneficiaryTaxId?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the beneficiary holds the keys of the address. Required where the name is.',
  })
  selfCustody?: boolean | null;
}

@Resolver()
export class WithdrawalResolver {
  constructor(
    private readonly parts: WithdrawParts,
    private readonly cursors: CursorCodec,
  ) {}

  @Access('trader', 'withdraw')
  @FormMutation()
  @StepUp()
  @Mutation(() => Withdrawal, {
    description:
      'Withdraws funds: amount and fee are held at once, and sent after the required approvals, if any. REST: POST /v1/wallet/withdraw. Errors: 400, code CAAS_ORD_001 for insufficient funds; 401 CAAS_AUTH_001; 403 without the scope `withdraw`, and for a suspended company or profile; 404 for a profile that does not belong to the company; 409 while a deposit of the wallet is in quarantine; 422 for an invalid address, one from which nothing comes back or which is a deposit address of the platform, an amount below the minimum or above a limit, and missing data for the travel rule; 503 while the currency is halted, and when no custody of real funds is connected.',
  })
  async withdraw(
    @Ctx() context: Context,
    @Args(() => WithdrawArgs) { profileId, synthetic, ...request }: WithdrawArgs,
  ): Promise<Shape<Withdrawal>> {
    return toWithdrawal(await withdraw(context, this.parts, { profileId, synthetic }, request));
  }

  @Access('trader', 'read')
  @Query(() => WithdrawalConnection, {
    description:
      'The withdrawals of a wallet, newest first. Errors: 400 for arguments that are out of bounds and for a cursor of another list; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.',
  })
  async withdrawals(
    @Ctx() context: Context,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
    @Args(() => WalletArgs) which: WalletArgs,
  ): Promise<Connection<Shape<Withdrawal>>> {
    const { id: walletId } = await requireWallet(context, which);
    const own = { walletId, states: null };
    const list = {
      read: (page: PageRange) => listWithdrawals(context, own, page),
      count: () => countWithdrawals(context, own),
    };
    return readPage(this.cursors, { scope: walletId, page: wanted }, list, toWithdrawal);
  }

  @Access('trader', 'read')
  @Query(() => WithdrawalList, {
    description:
      'The withdrawals of a wallet, newest first. REST: GET /v1/transfers/fetchWithdrawals. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`; the others of `withdrawals`.',
  })
  async fetchWithdrawals(
    @Ctx() context: Context,
    @Args(() => WalletListArgs) { limit, nextToken, ...which }: WalletListArgs,
  ): Promise<Shape<WithdrawalList>> {
    const { id: walletId } = await requireWallet(context, which);
    const read = (page: PageRange) => listWithdrawals(context, { walletId, states: null }, page);
    const listed = await readListed(this.cursors, { scope: walletId, limit, cursor: nextToken }, read, toWithdrawal);
    return { withdrawals: listed.items, nextToken: listed.nextToken };
  }

  @Access('trader', 'read')
  @Query(() => Withdrawal, {
    nullable: true,
    description:
      'A withdrawal of a wallet; null when it does not exist. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.',
  })
  async withdrawal(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id (UUID).' }) id: string,
    @Args(() => WalletArgs) which: WalletArgs,
  ): Promise<Shape<Withdrawal> | null> {
    const { id: walletId } = await requireWallet(context, which);
    const row = isUuid(id) ? await findWithdrawal(context, walletId, id) : undefined;
    return row === undefined ? null : toWithdrawal(row);
  }
}
