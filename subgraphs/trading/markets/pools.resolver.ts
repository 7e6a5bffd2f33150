import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { ModeArgs } from '../profiles/require-wallet.js';
import { listCurrencies } from './market.store.js';
import type { Pools } from './pools.js';
import { PoolList, toPool } from './market.type.js';

@Resolver()
export class PoolsResolver {
  constructor(private readonly pools: Pools) {}

  @Access('trader', 'read')
  @Query(() => PoolList, {
    description:
      'Balances of the platform at the connected exchanges, real or synthetic. They are rounded down, so that they reveal no single trades of other companies. Those of an ACTIVE exchange are at most ten minutes old. An exchange that does not respond within 2 seconds is UNAVAILABLE, with its last known balances; the request does not fail. REST: GET /v1/analytics/poolsBalances. Errors: 401 CAAS_AUTH_001; 403 without the scope `read`.',
  })
  async poolsBalances(
    @Ctx() context: Context,
    @Args(() => ModeArgs) { synthetic }: ModeArgs,
  ): Promise<Shape<PoolList>> {
    const decimals = new Map((await listCurrencies(context)).map((one) => [one.code, one.decimals]));
    return { pools: (await this.pools.read(synthetic)).map((pool) => toPool(pool, decimals)) };
  }
}
