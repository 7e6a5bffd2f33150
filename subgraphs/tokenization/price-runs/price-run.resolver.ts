import {
  Args,
  ArgsType,
  Ctx,
  FieldResolver,
  Resolver,
  Root,
  Subscription,
  type SubscribeResolverData,
  ObjectType,
  Arg,
  Mutation,
} from 'type-graphql';
import { mapStream } from '../../../shared/kernel/async-iterator.js';
import { type Context, today } from '../../../shared/kernel/context.js';
import type { EventFeed } from '../../../shared/events/outbox/event-feed.js';
import { Access } from '../../../shared/graphql/access.js';
import { namesOf, requireNamed } from '../../securities/tickers.js';
import { cursorDescription, ofSince } from '../../../shared/graphql/event-args.js';
import { SharedRun } from '../../../shared/graphql/shared-run.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { findTranche, tranchesByTicker, type TrancheRow } from '../tranches/tranche.store.js';
import { Tranche, toTranche, type TrancheShape } from '../tranches/tranche.type.js';
import { unitPriceEventSchema, unitPriceTopic } from './unit-price-update.js';
import { reprice, type Repricer } from './reprice.js';
import { args, day, decimal, fields, flag, id, int, nullable, text, time } from '../../../shared/graphql/fields.js';

@Resolver()
export class RepriceResolver {
  constructor(private readonly repricer: Repricer) {}

  @Access('operator', 'publish')
  @Mutation(() => RepriceRequest, {
    description:
      'Requests the calculation of unit prices now instead of at the next run of the job: of all that are due, or of one series from its start. Returns at once; `tokenizationWorkQueues` has what is not done yet. Prices are never overwritten; a price that differs is stored as a new version. Errors: 404 for a series that does not exist; 409 for one that is DRAFT or CLOSED.',
  })
  async reprice(
    @Ctx() context: Context,
    @Arg('ticker', () => String, {
      nullable: true,
      description: 'Ticker of a series, in any case; all series when omitted',
    })
    ticker?: string | null,
  ): Promise<Shape<RepriceRequest>> {
    return reprice(context, this.repricer, ticker ?? undefined);
  }
}

/** A price as resolvers pass it on, with a function that reads its series once for all subscribers of an event. */
type Update = Shape<UnitPriceUpdate> & { readonly series: (context: Context) => Promise<TrancheRow> };

@ArgsType()
class UnitPriceUpdateArgs extends args({
  ...ofSince,
  ticker: nullable.text('Ticker of the series, in any case; instead of `tickers`'),
  tickers: nullable.texts('Tickers of series, in any case; one or more, at most 100 items'),
}) {}

/** Creates the resolver of new prices. It is a function, since subscriptions are declared before there is an instance. */
export function unitPriceUpdateResolver(feed: EventFeed): object {
  @Resolver(() => UnitPriceUpdate)
  class UnitPriceUpdateResolver {
    @SharedRun({ begins: 'events', readers: 'equal' })
    @Access('anyone')
    @Subscription(() => UnitPriceUpdate, {
      description:
        'Reports the newest unit price of series whenever it is calculated or corrected. Exactly one of `ticker` and `tickers` is required. Errors: 400 otherwise; 404 when a series does not exist, with a list of those.',
      subscribe: ({ args, context }: SubscribeResolverData<unknown, UnitPriceUpdateArgs, Context>) =>
        updatesOf(context, feed, args),
    })
    trancheUnitPriceUpdated(
      @Root() update: Update,
      // Read by `subscribe`; declared here so that the schema contains them.
      @Args(() => UnitPriceUpdateArgs) _args: UnitPriceUpdateArgs,
    ): Update {
      return update;
    }

    @FieldResolver(() => Tranche, { description: 'The series in its current state' })
    async tranche(@Ctx() context: Context, @Root() { series }: Update): Promise<TrancheShape> {
      return toTranche(await series(context), today(context));
    }
  }
  return new UnitPriceUpdateResolver();
}

/** The series of each event, read by the first subscriber. All live subscribers of this process receive the same event object. */
const seriesOfEvents = new WeakMap<object, Promise<TrancheRow>>();

function seriesOf(event: object, ticker: string): Update['series'] {
  return (context) => {
    const read = seriesOfEvents.get(event) ?? readSeries(context, ticker);
    seriesOfEvents.set(event, read);
    // The next reader tries again.
    read.catch(() => seriesOfEvents.delete(event));
    return read;
  };
}

async function readSeries(context: Context, ticker: string): Promise<TrancheRow> {
  const row = await findTranche(context, ticker);
  if (row === undefined) throw new Error(`An event reports a price of ${ticker}, which does not exist`);
  return row;
}

/** Once this resolves, no new price can be missed. */
async function updatesOf(
  context: Context,
  feed: EventFeed,
  { since, ...args }: UnitPriceUpdateArgs,
): Promise<AsyncIterableIterator<Update>> {
  const names = namesOf(args);
  const tranches = requireNamed(args, names, { found: await tranchesByTicker(context, names), thing: 'series' });
  const keys = [...new Set(tranches.map(({ ticker }) => ticker))];
  const events = await feed.read(context, { topics: [unitPriceTopic], keys }, since);
  return mapStream(events, (event) => {
    const parsed = unitPriceEventSchema.safeParse(event);
    if (!parsed.success) {
      context.log.warn({ ticker: event.key }, 'An event of a price does not have the expected form and was skipped');
      return undefined;
    }
    const { trancheTicker: seriesTicker, ...price } = parsed.data.payload.data;
    return { ...price, seriesTicker, cursor: feed.cursorOf(event), series: seriesOf(event, seriesTicker) };
  });
}

// The resolver adds the series and reads it only when it is selected.
@ObjectType({ simpleResolvers: true, description: 'The newest unit price of a series, sent when it is calculated.' })
class UnitPriceUpdate extends fields({
  cursor: text(cursorDescription),
  seriesTicker: text('Ticker of the series'),
  date: day('Day of the price'),
  unitPrice: decimal('Unit price with accrued interest (dirty PU), 8 decimals'),
  nominalValue: decimal('Unit price without accrued interest (clean PU), 8 decimals'),
  interestJ: decimal('Accrued interest of a unit, 8 decimals'),
  projected: flag('Whether it was made with a projection of an index number that was not published'),
  correction: flag('Whether the price of that day replaces an earlier one, because its inputs were corrected'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A request to calculate unit prices; stored for 30 days.' })
class RepriceRequest extends fields({
  id: id('Id (UUID)'),
  series: int('Number of series with days to be priced'),
  requestedAt: time('Time of the request'),
}) {}
