import { Arg, Resolver, Root, Subscription, type SubscribeResolverData } from 'type-graphql';
import { mapStream, streamOf } from '../../../shared/bus.js';
import type { Context } from '../../../shared/context.js';
import { Fault } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { today } from '../common/today.js';
import { findTranche } from '../tranches/tranche.store.js';
import { toTranche } from '../tranches/tranche.type.js';
import { unitPriceEventSchema, unitPriceTopic } from './unit-price-update.js';
import { UnitPriceUpdate } from './unit-price-update.type.js';

type Update = Shape<UnitPriceUpdate>;

@Resolver()
export class UnitPriceUpdateResolver {
  @Access('anyone')
  @Subscription(() => UnitPriceUpdate, {
    description:
      'Tells of the newest unit price of a series whenever it is made or corrected, from now on. NOT_FOUND when there is no such series.',
    subscribe: ({ args, context }: SubscribeResolverData<unknown, { ticker: string }, Context>) =>
      updatesOf(context, args.ticker),
  })
  trancheUnitPriceUpdated(
    @Root() update: Update,
    // Read by `subscribe`; named here because the schema learns of it from here.
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    @Arg('ticker', () => String, { description: "The series' ticker, whatever the case" }) _ticker: string,
  ): Update {
    return update;
  }
}

/** Once this resolves, no price that is made can be missed. */
async function updatesOf(context: Context, wanted: string): Promise<AsyncIterableIterator<Update>> {
  const tranche = await findTranche(context, wanted);
  if (tranche === undefined) throw new Fault('NOT_FOUND', { message: `There is no series ${wanted}` });
  const events = await streamOf(context.bus, `${unitPriceTopic}:${tranche.ticker}`);
  return mapStream(events, async (event) => {
    const parsed = unitPriceEventSchema.safeParse(event);
    if (!parsed.success) {
      context.log.warn(
        { ticker: tranche.ticker },
        'An event of a price has another form than expected; it is left out',
      );
      return undefined;
    }
    const row = await findTranche(context, tranche.ticker);
    if (row === undefined) return undefined;
    const { date, unitPrice, nominalValue, interestJ } = parsed.data.payload.data;
    return { date, unitPrice, nominalValue, interestJ, tranche: toTranche(row, today(context)) };
  });
}
