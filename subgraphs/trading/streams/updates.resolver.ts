import {
  Args,
  ArgsType,
  Field,
  ID,
  Resolver,
  Root,
  Subscription,
  type SubscribeResolverData,
  ObjectType,
} from 'type-graphql';
import { z } from 'zod';
import { mapStream } from '../../../shared/kernel/async-iterator.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { refuse } from '../../../shared/kernel/errors.js';
import { Access } from '../../../shared/graphql/access.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { requireWallet, ofWallet } from '../profiles/require-wallet.js';
import type { Channel } from './event.store.js';
import { type WalletUpdate, type WalletStreams, maxSnapshotOrders } from './wallet-streams.js';
import { requireBounds } from '../../../shared/kernel/bounds.js';
import { SharedRun } from '../../../shared/graphql/shared-run.js';
import { SymbolArgs, ofSymbol } from '../markets/market.resolver.js';
import type { MarketStreams } from './market-streams.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { Balance } from '../ledger/ledger.type.js';
import { DepthType, TickerType } from '../markets/market.type.js';
import { Order } from '../orders/order.type.js';
import { args, fields, int, nullable, of } from '../../../shared/graphql/fields.js';

@ArgsType()
export class WalletStreamArgs extends args({
  ...ofWallet,
  since: nullable.text(
    '`cursor` of the last event that the caller has received, of the same subscription and wallet: all later events are replayed first, in their order, without a gap or a repetition. Valid for 24 hours and 1,000 later events. When omitted, the stream begins with a snapshot. Errors: 400 for a text that is not such a cursor, and together with `lastEventId`; 410 CURSOR_EXPIRED for one that is no longer valid: subscribe without it',
  ),
  lastEventId: nullable.id(
    'Number of the last event that the caller has received: all later ones are replayed. Events are kept for 24 hours; for an older number a reset and a snapshot follow. When omitted, the stream begins with a snapshot. `since` does the same with a cursor.',
  ),
}) {}

/** The content of events of balances, as it is stored. */
const balancesIn = z.object({ wallets: z.array(z.unknown()) }).nullable();

type Subscribe = SubscribeResolverData<unknown, WalletStreamArgs, Context>;

const order =
  'Events arrive in their order, each once, and without gaps in `eventId`: after a lost connection, continue with `since`. Errors: 400 for an invalid `since` or `lastEventId`; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company; 410 CURSOR_EXPIRED.';

/** Creates the resolver of a wallet's streams. It is a function, since subscriptions are declared before there is an instance. */
export function walletUpdatesResolver(streams: WalletStreams, cursors: CursorCodec): object {
  const subscribeTo =
    <Event extends object>(channel: Channel, contentOf: (update: WalletUpdate) => Event) =>
    async ({ args, context }: Subscribe): Promise<AsyncIterableIterator<WalletUpdate & Event>> => {
      const after = eventIdOf(args.lastEventId ?? null);
      if (after !== undefined && args.since != null)
        refuse('BAD_REQUEST', [{ path: 'lastEventId', message: 'must be omitted where `since` is given' }]);
      const { id, synthetic } = await requireWallet(context, args);
      const scope = `${id}:${channel}`;
      const since = args.since == null ? undefined : Number(cursors.open(scope, args.since, 'since')[0]);
      const updates = await streams.read(context, { wallet: { id, synthetic }, channel }, { after, since });
      return mapStream(updates, (update) => ({
        ...update,
        ...contentOf(update),
        // Not made where nobody selects it. Whoever went on after a reset would miss the snapshot that follows it.
        get cursor() {
          return update.kind === 'RESET' ? null : cursors.seal(scope, [String(update.eventId)]);
        },
      }));
    };

  @Resolver()
  class WalletUpdatesResolver {
    @Access('trader', 'read')
    @Subscription(() => OrderEvent, {
      description: `Reports changes of the orders of a wallet, after a snapshot of its open orders. ${order}`,
      subscribe: subscribeTo('orders', ({ kind, data }) => ({
        order: kind === 'UPDATE' ? data : null,
        orders: kind === 'SNAPSHOT' ? data : null,
      })),
    })
    orderUpdates(
      @Root() event: Shape<OrderEvent>,
      // Read by `subscribe`; declared here so that the schema contains them.
      @Args(() => WalletStreamArgs) _args: WalletStreamArgs,
    ): Shape<OrderEvent> {
      return event;
    }

    @Access('trader', 'read')
    @Subscription(() => BalanceEvent, {
      description: `Reports changes of the balances of a wallet, after a snapshot; currencies that are not included have not changed. ${order}`,
      subscribe: subscribeTo('balance', ({ data }) => ({ balances: balancesIn.parse(data)?.wallets ?? null })),
    })
    balanceUpdates(
      @Root() event: Shape<BalanceEvent>,
      @Args(() => WalletStreamArgs) _args: WalletStreamArgs,
    ): Shape<BalanceEvent> {
      return event;
    }
  }
  return new WalletUpdatesResolver();
}

/** @throws {ApiError} BAD_REQUEST if the text is not the number of an event */
function eventIdOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    refuse('BAD_REQUEST', [{ path: 'lastEventId', message: 'must be the eventId of an event, an integer from 0' }]);
  }
  return Number(text);
}

const mostLevels = 20;

@ArgsType()
class DepthArgs extends args({
  ...ofSymbol,
  levels: int(`Levels per side, 1 to ${mostLevels}; default 10.`, { defaultValue: 10 }),
}) {}

type MarketSubscribe<Arguments> = SubscribeResolverData<unknown, Arguments, Context>;

const latest =
  'Begins with the current state, and continues with the latest state only: a slow reader does not receive intermediate ones. Earlier states are not stored, so there is nothing to resume, and no `since`. Errors:';
const errors = '400 CAAS_ORD_002 for a symbol that is not a market; 401 CAAS_AUTH_001; 403 without the scope `read`.';

export function marketUpdatesResolver(streams: MarketStreams): object {
  @Resolver()
  class MarketUpdatesResolver {
    @SharedRun({ begins: 'latest', readers: 'everyone' })
    @Access('trader', 'read')
    @Subscription(() => TickerEvent, {
      description: `Reports the latest prices of a market. ${latest} ${errors}`,
      subscribe: async ({ args: { symbol, synthetic }, context }: MarketSubscribe<SymbolArgs>) =>
        mapStream(await streams.read(context, { symbol, synthetic }), (update) => ({ ...update, ticker: update.data })),
    })
    ticker(@Root() event: Shape<TickerEvent>, @Args(() => SymbolArgs) _args: SymbolArgs): Shape<TickerEvent> {
      return event;
    }

    @SharedRun({ begins: 'latest', readers: 'everyone' })
    @Access('trader', 'read')
    @Subscription(() => DepthEvent, {
      description: `Reports the order book of a market, best first. ${latest} 400 for \`levels\` that is out of bounds; ${errors}`,
      subscribe: async ({ args: { symbol, synthetic, levels }, context }: MarketSubscribe<DepthArgs>) => {
        requireBounds({ name: 'levels', value: levels, min: 1, max: mostLevels });
        const updates = await streams.read(context, { symbol, synthetic, levels });
        return mapStream(updates, (update) => ({ ...update, depth: update.data }));
      },
    })
    depth(@Root() event: Shape<DepthEvent>, @Args(() => DepthArgs) _args: DepthArgs): Shape<DepthEvent> {
      return event;
    }
  }
  return new MarketUpdatesResolver();
}

/** Open orders of a snapshot that its cost assumes: few wallets have more. */
const assumedOrders = 50;

type StreamEventKind = 'SNAPSHOT' | 'UPDATE' | 'RESET';

const StreamEventKindEnum = describeEnum<StreamEventKind>(
  'StreamEventKind',
  'Kind of an event of a stream.',
  {
    SNAPSHOT: 'The current state, which includes everything up to this event.',
    UPDATE: 'A change.',
    RESET: 'The requested event cannot be replayed: discard the known state; a snapshot follows.',
  },
  { SNAPSHOT: ['Estado atual', 'Snapshot'], UPDATE: ['Atualização', 'Update'], RESET: ['Reinício', 'Reset'] },
);

@ObjectType()
abstract class StreamEvent {
  @Field(() => StreamEventKindEnum, { description: 'Kind of the event' })
  kind!: StreamEventKind;

  @Field(() => ID, {
    description:
      'Number of the event, decimal. For orders and balances it increases by one with each update of a wallet; a snapshot has that of the last update it includes. For prices it increases with gaps, and restarts with the server.',
  })
  eventId!: string | number;

  @Field(() => String, {
    nullable: true,
    description:
      'Identifies an event of orders or balances: pass that of the last event received as `since` to continue after it. Opaque. Null in a reset, and for prices, which begin with the current state',
  })
  cursor?: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of the event' })
  timestamp!: string;
}

// The data of an event was stored, or is shared by all readers, as JSON of its field's type.

@ObjectType({ simpleResolvers: true, description: 'The current prices of a market.' })
class TickerEvent extends fields(
  {
    ticker: of(() => TickerType, 'The prices.'),
  },
  StreamEvent,
) {}

@ObjectType({ simpleResolvers: true, description: 'The current order book of a market.' })
class DepthEvent extends fields(
  {
    depth: of(() => DepthType, 'The order book.'),
  },
  StreamEvent,
) {}

@ObjectType({ simpleResolvers: true, description: 'An order that changed, or the open orders of a wallet.' })
class OrderEvent extends fields(
  {
    order: nullable.of(() => Order, 'In an update the order in its new state; else null'),
    orders: nullable.list(
      () => Order,
      `In a snapshot the open orders, newest first, at most ${maxSnapshotOrders.toLocaleString('en')}; else null`,
      { assumedSize: assumedOrders },
    ),
  },
  StreamEvent,
) {}

@ObjectType({ simpleResolvers: true, description: 'Balances of a wallet that changed, or all of them.' })
class BalanceEvent extends fields(
  {
    balances: nullable.list(
      () => Balance,
      'In a snapshot the balances in every currency, in an update those that changed; null in a reset',
      { assumedSize: 20 },
    ),
  },
  StreamEvent,
) {}
