import { Args, ArgsType, Ctx, Field, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../../shared/context.js';
import type { CursorCodec } from '../../../../shared/cursor.js';
import { Access } from '../../../../shared/subgraph/access.js';
import { AtMost } from '../../../../shared/subgraph/constraint.js';
import type { Shape } from '../../../../shared/subgraph/shape.js';
import { requireWallet } from '../../profiles/require-wallet.js';
import { WalletArgs } from '../../profiles/wallet-args.js';
import type { Custodies } from '../custody/custody.js';
import { readPage, WalletPageArgs, type Page } from '../pages.js';
import { listDeposits } from './deposit.store.js';
import { Deposit, DepositAddresses, DepositConnection, toDeposit, toDepositAddresses } from './deposit.type.js';
import { requireAddresses } from './require-addresses.js';

@ArgsType()
class DepositAddressArgs extends WalletArgs {
  @AtMost({ maxLength: 20 })
  @Field(() => String, { description: 'The currency: `BRL`, `BTC`, `ETH`, `USDT`.' })
  currency!: string;

  @AtMost({ maxLength: 40 })
  @Field(() => String, {
    nullable: true,
    description: 'One network of the currency; every one when omitted: `pix`, `ted`, `bitcoin`, `ethereum`, `polygon`.',
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
      'Where a wallet takes deposits of a currency in. The addresses stay the same. REST: GET /v1/wallet/fetchDepositAddress. Errors: 400 for a currency or network that there is not; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that is not the company’s; 503 where no custody of real funds is connected.',
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
      'The deposits of a wallet, the newest first. Errors: 400 for arguments out of bounds and cursors of another list; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that is not the company’s.',
  })
  async deposits(
    @Ctx() context: Context,
    @Args(() => WalletPageArgs) { first, after, ...which }: WalletPageArgs,
  ): Promise<Page<Shape<Deposit>>> {
    const { id: walletId } = await requireWallet(context, which);
    const read = (behind: string | null, limit: number) =>
      listDeposits(context, { walletId, state: null }, behind, limit);
    return readPage(this.cursors, { scope: walletId, first, after }, read, toDeposit);
  }
}
