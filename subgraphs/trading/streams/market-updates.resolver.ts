import { Args, ArgsType, Field, Int, Resolver, Root, Subscription, type SubscribeResolverData } from 'type-graphql';
import { mapStream } from '../../../shared/kernel/async-iterator.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import type { Context } from '../../../shared/kernel/context.js';
import { Access } from '../../../shared/graphql/access.js';
import { SharedRun } from '../../../shared/graphql/shared-run.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { SymbolArgs } from '../markets/market.resolver.js';
import type { MarketStreams } from './market-streams.js';
import { DepthEvent, TickerEvent } from './stream-event.type.js';

const mostLevels = 20;

@ArgsType()
class DepthArgs extends SymbolArgs {
  @Field(() => Int, { defaultValue: 10, description: `Levels per side, 1 to ${mostLevels}; default 10.` })
  levels!: number;
}

type Subscribe<Arguments> = SubscribeResolverData<unknown, Arguments, Context>;

const order =
  'Begins with the current state, and continues with the latest state only: a slow reader does not receive intermediate ones. Earlier states are not stored, so there is nothing to resume, and no `since`. Errors:';
const errors = '400 CAAS_ORD_002 for a symbol that is not a market; 401 CAAS_AUTH_001; 403 without the scope `read`.';

/** Creates the resolver of market prices as they change. It is a function, since subscriptions are declared before there is an instance. */
export function marketUpdatesResolver(streams: MarketStreams): object {
  @Resolver()
  class MarketUpdatesResolver {
    @SharedRun({ begins: 'latest', readers: 'everyone' })
    @Access('trader', 'read')
    @Subscription(() => TickerEvent, {
      description: `Reports the latest prices of a market. ${order} ${errors}`,
      subscribe: async ({ args: { symbol, synthetic }, context }: Subscribe<SymbolArgs>) =>
        mapStream(await streams.read(context, { symbol, synthetic }), (update) => ({ ...update, ticker: update.data })),
    })
    ticker(
      @Root() event: Shape<TickerEvent>,
      // Read by `subscribe`; declared here so that the schema contains them.
      // eslint-disable-next-line @typescript-eslint/no-unused-vars
      @Args(() => SymbolArgs) _args: SymbolArgs,
    ): Shape<TickerEvent> {
      return event;
    }

    @SharedRun({ begins: 'latest', readers: 'everyone' })
    @Access('trader', 'read')
    @Subscription(() => DepthEvent, {
      description: `Reports the order book of a market, best first. ${order} 400 for \`levels\` that is out of bounds; ${errors}`,
      subscribe: async ({ args: { symbol, synthetic, levels }, context }: Subscribe<DepthArgs>) => {
        requireBounds({ name: 'levels', value: levels, min: 1, max: mostLevels });
        const updates = await streams.read(context, { symbol, synthetic, levels });
        return mapStream(updates, (update) => ({ ...update, depth: update.data }));
      },
    })
    depth(
      @Root() event: Shape<DepthEvent>,
      // eslint-disable-next-line @typescript-eslint/no-unused-vars
      @Args(() => DepthArgs) _args: DepthArgs,
    ): Shape<DepthEvent> {
      return event;
    }
  }
  return new MarketUpdatesResolver();
}
