import { Arg, Ctx, FieldResolver, Resolver, Root, Subscription, type SubscribeResolverData } from 'type-graphql';
import { mapStream, streamOf } from '../../../shared/bus.js';
import type { Context } from '../../../shared/context.js';
import { requireFound } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { today } from '../../../shared/today.js';
import { findTranche } from '../tranches/tranche.store.js';
import type { TrancheRow } from '../tranches/tranche.store.js';
import { Tranche, toTranche, type TrancheShape } from '../tranches/tranche.type.js';
import { unitPriceEventSchema, unitPriceTopic } from './unit-price-update.js';
import { UnitPriceUpdate } from './unit-price-update.type.js';

/** A price as resolvers pass it on, with a function that reads its series once for all subscribers of an event. */
type Update = Shape<UnitPriceUpdate> & { readonly series: (context: Context) => Promise<TrancheRow> };

@Resolver(() => UnitPriceUpdate)
export class UnitPriceUpdateResolver {
  @Access('anyone')
  @Subscription(() => UnitPriceUpdate, {
    description:
      'Reports the newest unit price of a series from now on, whenever it is calculated or corrected. Errors: 404 when the series does not exist.',
    subscribe: ({ args, context }: SubscribeResolverData<unknown, { ticker: string }, Context>) =>
      updatesOf(context, args.ticker),
  })
  trancheUnitPriceUpdated(
    @Root() update: Update,
    // Read by `subscribe`; declared here so that the schema contains the argument.
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    @Arg('ticker', () => String, { description: 'Ticker of the series, in any case' }) _ticker: string,
  ): Update {
    return update;
  }

  @FieldResolver(() => Tranche, { description: 'The series in its current state' })
  async tranche(@Ctx() context: Context, @Root() { series }: Update): Promise<TrancheShape> {
    return toTranche(await series(context), today(context));
  }
}

/** The series of each event, read by the first subscriber. All subscribers of this process receive the same event object. */
const seriesOfEvents = new WeakMap<object, Promise<TrancheRow>>();

function seriesOf(event: object, ticker: string): Update['series'] {
  return (context) => {
    const read = seriesOfEvents.get(event) ?? readSeries(context, ticker);
    seriesOfEvents.set(event, read);
    return read;
  };
}

async function readSeries(context: Context, ticker: string): Promise<TrancheRow> {
  const row = await findTranche(context, ticker);
  if (row === undefined) throw new Error(`An event reports a price of ${ticker}, which does not exist`);
  return row;
}

/** Once this resolves, no new price can be missed. */
async function updatesOf(context: Context, wanted: string): Promise<AsyncIterableIterator<Update>> {
  const tranche = requireFound(await findTranche(context, wanted), `There is no series ${wanted}`);
  const events = await streamOf(context.bus, `${unitPriceTopic}:${tranche.ticker}`);
  return mapStream(events, (event) => {
    const parsed = unitPriceEventSchema.safeParse(event);
    if (!parsed.success || typeof event !== 'object' || event === null) {
      context.log.warn(
        { ticker: tranche.ticker },
        'An event of a price does not have the expected form and was skipped',
      );
      return undefined;
    }
    const { date, unitPrice, nominalValue, interestJ, correction } = parsed.data.payload.data;
    return { date, unitPrice, nominalValue, interestJ, correction, series: seriesOf(event, tranche.ticker) };
  });
}
