import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import { tickerArg } from '../operations/operation.type.js';
import { Inventory } from './inventory.type.js';
import type { ReadInventory } from './read-inventory.js';
import { readStamp } from '../revision/revision.js';

@Resolver()
export class InventoryResolver {
  constructor(private readonly read: ReadInventory) {}

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @AsOf()
  @Query(() => Inventory, {
    description:
      'The anonymized inventory of the credits of an operation: all displayed values of a credit are shared by the credits of at least 5 debtors. REST: GET /v1/emissoes/operacoes/{ticker}/estoque. Errors: 400 when `page` or `limit` is out of bounds; 404 when the operation does not exist or is not public.',
  })
  inventory(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerArg) ticker: string,
    @Arg('page', () => Int, { nullable: true, description: 'Number of the page, from 1; default 1' })
    page: number | null | undefined,
    @Arg('limit', () => Int, { nullable: true, description: 'Credits per page, from 1 to 100; default 20' })
    limit: number | null | undefined,
  ): ReturnType<ReadInventory> {
    return this.read(context, ticker, page ?? 1, limit ?? 20);
  }
}
