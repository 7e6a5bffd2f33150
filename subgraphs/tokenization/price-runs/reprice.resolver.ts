import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { isUuid } from '../../../shared/ids.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { findRequest } from './reprice-request.store.js';
import { reprice } from './reprice.js';
import { RepriceRequest, toRepriceRequest } from './reprice.type.js';
import type { Repricer } from './repricer.js';

@Resolver()
export class RepriceResolver {
  constructor(
    private readonly calendar: () => Promise<Calendar>,
    private readonly repricer: Repricer,
  ) {}

  @Access('operator', 'publish')
  @Mutation(() => RepriceRequest, {
    description:
      'Asks that unit prices are made now, instead of at the next look of the job: all that are due, or those of one series from its start. Answers at once; `repriceRequest` tells what came of it. Prices are never written over; a digit that differs is a new version. Errors: 404 for no such series; 409 for one that is DRAFT or CLOSED.',
  })
  async reprice(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { nullable: true, description: 'Of this series alone, whatever the case' })
    ticker?: string | null,
  ): Promise<Shape<RepriceRequest>> {
    const parts = { calendar: await this.calendar(), repricer: this.repricer };
    return toRepriceRequest(await reprice(context, parts, ticker ?? undefined));
  }

  @Access('operator', 'read')
  @Query(() => RepriceRequest, {
    nullable: true,
    description: 'How far the making of prices is that was asked for; null when it was not.',
  })
  async repriceRequest(
    @Ctx() context: Context,
    @Arg('id', () => ID, { description: 'Id of the request' }) id: string,
  ): Promise<Shape<RepriceRequest> | null> {
    const row = isUuid(id) ? await findRequest(context, id) : undefined;
    return row === undefined ? null : toRepriceRequest(row);
  }
}
