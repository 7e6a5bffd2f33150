import { Arg, Args, Ctx, Directive, Query, Resolver, FieldResolver, Root } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import { type Context, loaderOf } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import {
  countOperations,
  filterKey,
  listAddresses,
  accountsOf,
  guaranteesOf,
  participantsOf,
  permittedInvestmentsOf,
} from './operation-list.store.js';
import { OperationAddress, OperationConnection, OperationListArgs, Operation, toOperation } from './operation.type.js';
import { findPublicOperation, publicOperationById, publicOperationByTicker } from './operation.store.js';
import type { ReadAlerts } from '../alerts/read-alerts.js';
import { pageOperations } from './page-operations.js';
import { tickerArg } from './ticker-arg.js';
import { createRevisionCache, readStamp } from '../revision/revision.js';
import { OperationAccount, PermittedInvestment } from '../cash/cash.type.js';
import { Guarantee } from '../guarantees/guarantee.type.js';
import { Participant } from '../participants/participant.type.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';

@Resolver()
export class OperationResolver {
  private readonly counts = createRevisionCache<number>('operation-counts', 100);

  constructor(
    private readonly codec: CursorCodec,
    private readonly alerts: ReadAlerts,
  ) {}

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @AsOf()
  @Query(() => OperationConnection, {
    description:
      'Public operations, filtered, sorted and in pages. Errors: 400 for arguments that are out of bounds and for an invalid cursor.',
  })
  async operations(
    @Ctx() context: Context,
    @Args(() => OperationListArgs) args: OperationListArgs,
  ): Promise<Connection<Shape<Operation>>> {
    const among = args.alerted
      ? [...new Set((await this.alerts(context)).map(({ operationId }) => operationId))]
      : null;
    const page = await pageOperations(context, this.codec, args, { among });
    const count = (fresh: Context) => countOperations(fresh, page.query);
    return toConnection(page, toOperation, () => this.counts.one(context, filterKey(page.query), count));
  }

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @Directive('@listSize(assumedSize: 100)')
  @Query(() => [OperationAddress], {
    description: 'Slug of every public operation and tickers of its series, by ticker, not in pages: for site maps.',
  })
  operationAddresses(@Ctx() context: Context): Promise<Shape<OperationAddress>[]> {
    return listAddresses(context);
  }

  @Access('data')
  @CacheResponse(readStamp, 'everyone')
  @AsOf()
  @Query(() => Operation, {
    nullable: true,
    description: 'A public operation; null when it does not exist or is not public.',
  })
  async operation(
    @Ctx() context: Context,
    @Arg('ticker', () => String, tickerArg) ticker: string,
  ): Promise<Shape<Operation> | null> {
    try {
      return toOperation(await findPublicOperation(context, ticker));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }
}

/** Rule by which other subgraphs refer to an operation: by id or by ticker; one that is not public counts as missing. */
export const operationReference: ReferenceRule = {
  access: 'data',
  resolve: async (context, reference) => {
    const row = await find(context, reference['id'], reference['ticker']);
    return row === undefined ? null : toOperation(row);
  },
};

async function find(context: Context, id: unknown, ticker: unknown) {
  if (typeof id === 'string' && isUuid(id)) return publicOperationById(context, id.toLowerCase());
  if (typeof ticker === 'string') return publicOperationByTicker(context, ticker);
  return undefined;
}

/** Resolves the short lists of an operation, which are not paginated: the deed limits their length. */
@Resolver(() => Operation)
export class OperationPartsResolver {
  @AsOf()
  @FieldResolver(() => [Guarantee], { description: 'Guarantees of the operation' })
  guarantees(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<Guarantee>[]> {
    return loaderOf(context, guaranteesOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => [Participant], { description: 'Companies with a role in the operation' })
  participants(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<Participant>[]> {
    return loaderOf(context, participantsOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => [OperationAccount], { description: 'Its bank accounts' })
  accounts(@Ctx() context: Context, @Root() { id }: Shape<Operation>): Promise<Shape<OperationAccount>[]> {
    return loaderOf(context, accountsOf).load(id);
  }

  @AsOf()
  @FieldResolver(() => [PermittedInvestment], { description: 'Permitted investments of its cash' })
  permittedInvestments(
    @Ctx() context: Context,
    @Root() { id }: Shape<Operation>,
  ): Promise<Shape<PermittedInvestment>[]> {
    return loaderOf(context, permittedInvestmentsOf).load(id);
  }
}
