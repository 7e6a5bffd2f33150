import { Args, ArgsType, Ctx, Field, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../../shared/graphql/cursor.js';
import type { PageRange } from '../../../../shared/graphql/list-page.js';
import { Access } from '../../../../shared/graphql/access.js';
import type { Connection } from '../../../../shared/graphql/connection.js';
import { AtMost } from '../../../../shared/graphql/constraint.js';
import { CursorPageArgs } from '../../../../shared/graphql/page-args.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { requireWallet, WalletArgs, WalletListArgs } from '../../profiles/require-wallet.js';
import type { Custodies } from '../custody/custody.js';
import { readListed, readPage } from '../pages.js';
import { countDeposits, listDeposits } from './deposit.store.js';
import {
  Deposit,
  DepositAddresses,
  DepositConnection,
  DepositList,
  toDeposit,
  toDepositAddresses,
} from './deposit.type.js';
import { requireAddresses } from './require-addresses.js';

@ArgsType()
class DepositAddressArgs extends WalletArgs {
  @AtMost({ maxLength: 20 })
  @Field(() => String, { description: 'Code of the currency: `BRL`, `BTC`, `ETH`, `USDT`.' })
  currency!: string;

  @AtMost({ maxLength: 40 })
  @Field(() => String, {
    nullable: true,
    description:
      'Network of the currency: `pix`, `ted`, `bitcoin`, `ethereum`, `polygon`; all networks of the currency when omitted.',
  })
  network?: string | null;
}

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
      'The deposits of a wallet, newest first. Errors: 400 for arguments that are out of bounds and for a cursor of another list; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.',
  })
  async deposits(
    @Ctx() context: Context,
    @Args(() => CursorPageArgs) wanted: CursorPageArgs,
    @Args(() => WalletArgs) which: WalletArgs,
  ): Promise<Connection<Shape<Deposit>>> {
    const { id: walletId } = await requireWallet(context, which);
    const own = { walletId, state: null };
    const list = {
      read: (page: PageRange) => listDeposits(context, own, page),
      count: () => countDeposits(context, own),
    };
    return readPage(this.cursors, { scope: walletId, page: wanted }, list, toDeposit);
  }

  @Access('trader', 'read')
  @Query(() => DepositList, {
    description:
      'The deposits of a wallet, newest first. REST: GET /v1/transfers/fetchDeposits. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`; the others of `deposits`.',
  })
  async fetchDeposits(
    @Ctx() context: Context,
    @Args(() => WalletListArgs) { limit, nextToken, ...which }: WalletListArgs,
  ): Promise<Shape<DepositList>> {
    const { id: walletId } = await requireWallet(context, which);
    const read = (page: PageRange) => listDeposits(context, { walletId, state: null }, page);
    const listed = await readListed(this.cursors, { scope: walletId, limit, cursor: nextToken }, read, toDeposit);
    return { deposits: listed.items, nextToken: listed.nextToken };
  }
}
