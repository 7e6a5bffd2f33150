import { Arg, Args, Ctx, Directive, Query, Resolver, ObjectType } from 'type-graphql';
import { AsOf } from '../../../shared/database/as-of/as-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError, refuse } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import { CacheResponse } from '../../../shared/graphql/response-cache.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { toConnection, type Connection } from '../../../shared/graphql/connection.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { countOperations, filterKey, listAddresses } from './operation-list.store.js';
import {
  OperationAddress,
  OperationConnection,
  OperationListArgs,
  Operation,
  toOperation,
  tickerArg,
} from './operation.type.js';
import { findPublicOperation, publicOperationById, publicOperationByTicker } from './operation.store.js';
import type { ReadAlerts } from '../alerts/read-alerts.js';
import { pageOperations } from './page-operations.js';
import { createRevisionCache, readStamp } from '../revision/revision.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { namedOperations } from './named-operations.js';
import { fields, list, texts } from '../../../shared/graphql/fields.js';

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

const mostCompared = 10;

@Resolver()
export class ComparisonResolver {
  @Access('data')
  @AsOf()
  @Query(() => OperationComparison, {
    description:
      'Public operations by their tickers, to be compared. Errors: 400 for more than 10 tickers, and for none.',
  })
  async operationComparison(
    @Ctx() context: Context,
    @Arg('tickers', () => [String], {
      description: 'Tickers of operations or slugs of their estates, in any case, 1 to 10',
    })
    tickers: string[],
  ) {
    if (tickers.length === 0) refuse('BAD_REQUEST', [{ path: 'tickers', message: 'must have at least 1 item' }]);
    const { operations, unknownTickers } = await namedOperations(context, tickers, mostCompared);
    return { operations: operations.map(toOperation), unknownTickers };
  }
}

@ObjectType({ simpleResolvers: true, description: 'Operations that a caller named, side by side.' })
class OperationComparison extends fields({
  operations: list(() => Operation, 'The operations in the order of their tickers in the request, each once'),
  unknownTickers: texts('Those of the requested tickers that no public operation has'),
}) {}
