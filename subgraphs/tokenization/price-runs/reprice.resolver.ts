import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { findRequest } from './reprice-request.store.js';
import { reprice } from './reprice.js';
import { RepriceRequest, toRepriceRequest } from './reprice.type.js';
import type { Repricer } from './repricer.js';

@Resolver()
export class RepriceResolver {
  constructor(private readonly repricer: Repricer) {}

  @Access('operator', 'publish')
  @Mutation(() => RepriceRequest, {
    description:
      'Requests the calculation of unit prices now instead of at the next run of the job: of all that are due, or of one series from its start. Returns at once; `repriceRequest` reports the progress. Prices are never overwritten; a price that differs is stored as a new version. Errors: 404 for a series that does not exist; 409 for one that is DRAFT or CLOSED.',
  })
  async reprice(
    @Ctx() context: Context,
    @Arg('ticker', () => String, {
      nullable: true,
      description: 'Ticker of a series, in any case; all series when omitted',
    })
    ticker?: string | null,
  ): Promise<Shape<RepriceRequest>> {
    return toRepriceRequest(await reprice(context, this.repricer, ticker ?? undefined));
  }

  @Access('operator', 'read')
  @Query(() => RepriceRequest, {
    nullable: true,
    description: 'Progress of a requested calculation of prices; null when the request does not exist.',
  })
  async repriceRequest(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the request' }) id: string,
  ): Promise<Shape<RepriceRequest> | null> {
    const row = isUuid(id) ? await findRequest(context, id) : undefined;
    return row === undefined ? null : toRepriceRequest(row);
  }
}
