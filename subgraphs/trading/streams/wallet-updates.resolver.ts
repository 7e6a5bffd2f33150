import { Args, ArgsType, Field, ID, Resolver, Root, Subscription, type SubscribeResolverData } from 'type-graphql';
import type { Context } from '../../../shared/context.js';
import { refuse } from '../../../shared/errors.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { WalletArgs } from '../profiles/wallet-args.js';
import { requireWallet } from '../profiles/require-wallet.js';
import type { Channel } from './channel.js';
import { StreamEvent } from './stream-event.type.js';
import type { WalletStreams } from './wallet-streams.js';

@ArgsType()
export class WalletStreamArgs extends WalletArgs {
  @Field(() => ID, {
    nullable: true,
    description:
      'Number of the last event that the caller has received: all later ones are replayed. Events are kept for 24 hours; for an older number a reset and a snapshot follow. When omitted, the stream begins with a snapshot.',
  })
  lastEventId?: string | null;
}

type Subscribe = SubscribeResolverData<unknown, WalletStreamArgs, Context>;

const order =
  'Events arrive in their order, each once, and without gaps in `eventId`: after a lost connection, continue with `lastEventId`. Errors: 400 for an invalid `lastEventId`; 401 CAAS_AUTH_001; 403 without the scope `read`; 404 for a profile that does not belong to the company.';

/** Creates the resolver of a wallet's streams. It is a function, since subscriptions are declared before there is an instance. */
export function walletUpdatesResolver(streams: WalletStreams): object {
  const subscribeTo =
    (channel: Channel) =>
    async ({ args, context }: Subscribe) => {
      const after = eventIdOf(args.lastEventId ?? null);
      const { id, synthetic } = await requireWallet(context, args);
      return streams.read(context, { wallet: { id, synthetic }, channel }, after);
    };

  @Resolver()
  class WalletUpdatesResolver {
    @Access('trader', 'read')
    @Subscription(() => StreamEvent, {
      description: `Reports changes of the orders of a wallet: \`data\` is the order in its new state; in a snapshot it is the list of open orders, newest first, at most 1,000. ${order}`,
      subscribe: subscribeTo('orders'),
    })
    orderUpdates(
      @Root() event: Shape<StreamEvent>,
      // Read by `subscribe`; declared here so that the schema contains them.
      // eslint-disable-next-line @typescript-eslint/no-unused-vars
      @Args(() => WalletStreamArgs) _args: WalletStreamArgs,
    ): Shape<StreamEvent> {
      return event;
    }

    @Access('trader', 'read')
    @Subscription(() => StreamEvent, {
      description: `Reports changes of the balances of a wallet: \`data\` is \`{wallets: [{currency, available, locked, total}]}\`; currencies that are not included have not changed. ${order}`,
      subscribe: subscribeTo('balance'),
    })
    balanceUpdates(
      @Root() event: Shape<StreamEvent>,
      // Read by `subscribe`; declared here so that the schema contains them.
      // eslint-disable-next-line @typescript-eslint/no-unused-vars
      @Args(() => WalletStreamArgs) _args: WalletStreamArgs,
    ): Shape<StreamEvent> {
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
