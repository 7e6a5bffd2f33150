import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Calendar } from '../../../shared/calendar/calendar.js';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { reprice } from './reprice.js';
import { RepriceReport, toRepriceReport } from './reprice.type.js';

@Resolver()
export class RepriceResolver {
  constructor(private readonly calendar: () => Promise<Calendar>) {}

  @Access('operator')
  @Mutation(() => RepriceReport, {
    description:
      'Makes the unit prices that are due now, instead of at the next look of the job: of all series, or of one from its start. Prices are never written over; a digit that differs is a new version. Faults: 404 for no such series; 409 for one that is DRAFT or CLOSED; 422 when some series could not be priced.',
  })
  async reprice(
    @Ctx() context: Context,
    @Arg('ticker', () => String, { nullable: true, description: 'Of this series alone, whatever the case' })
    ticker?: string | null,
  ): Promise<Shape<RepriceReport>> {
    return toRepriceReport(await reprice(context, await this.calendar(), ticker ?? undefined));
  }
}
