import { Arg, Args, Ctx, Directive, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { requireWallet, WalletArgs } from '../profiles/require-wallet.js';
import { listBalances, listBalancesAt } from './balance.store.js';
import { Balance, WalletBalances } from './finding.type.js';

const errors =
  'Errors: 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.';

@Resolver()
export class BalanceResolver {
  @Access('trader', 'read')
  @Directive('@listSize(assumedSize: 20)')
  @Query(() => [Balance], {
    description: `Balances of a wallet in every currency, sorted by code. ${errors}`,
  })
  async balances(
    @Ctx() context: Context,
    @Args(() => WalletArgs) which: WalletArgs,
    @Arg('asOf', () => DateTimeScalar, {
      nullable: true,
      description: 'Time in the past for which to return the balances; now when omitted. Costs 100 additional points.',
    })
    asOf: string | null | undefined,
  ): Promise<Shape<Balance>[]> {
    const wallet = await requireWallet(context, which);
    return asOf == null ? listBalances(context, wallet) : listBalancesAt(context, wallet, new Date(asOf));
  }

  @Access('trader', 'read')
  @Query(() => WalletBalances, {
    description: `Balances of a wallet in every currency. REST: GET /v1/wallet/fetchBalance. ${errors}`,
  })
  async walletBalances(
    @Ctx() context: Context,
    @Args(() => WalletArgs) which: WalletArgs,
  ): Promise<Shape<WalletBalances>> {
    return { wallets: await listBalances(context, await requireWallet(context, which)) };
  }
}
