import {
  Args,
  ArgsType,
  Ctx,
  Field,
  Query,
  Resolver,
  Root,
  Subscription,
  type SubscribeResolverData,
} from 'type-graphql';
import { mapStream } from '../../../shared/kernel/async-iterator.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { EventFeed } from '../../../shared/events/outbox/event-feed.js';
import type { FeedEvent } from '../../../shared/events/outbox/feed.store.js';
import { Access } from '../../../shared/graphql/access.js';
import { SinceArgs, namesOf, requireNamed } from '../../../shared/graphql/event-args.js';
import { SharedRun } from '../../../shared/graphql/shared-run.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { publicOperationById, publicOperationByName } from '../operations/operation.store.js';
import { toOperation } from '../operations/operation.type.js';
import { tickerArg } from '../operations/ticker-arg.js';
import { reasonOfAct } from './act-corrections.store.js';
import { updateEventSchema, updateTopic } from './operation-update.js';
import { OperationUpdate } from './operation-update.type.js';

type Update = Shape<OperationUpdate>;

@ArgsType()
class OperationUpdateArgs extends SinceArgs {
  @Field(() => String, { nullable: true, description: `${tickerArg.description}; instead of \`tickers\`` })
  ticker?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Tickers of operations or slugs of their estates, in any case; one or more, at most 100 items',
  })
  tickers?: string[] | null;
}

/** Creates the resolver of updates of operations. It is a function, since subscriptions are declared before there is an instance. */
export function operationUpdateResolver(feed: EventFeed): object {
  @Resolver()
  class OperationUpdateResolver {
    @SharedRun({ begins: 'events', readers: 'everyone' })
    @Access('data')
    @Subscription(() => OperationUpdate, {
      description:
        'Reports every unit price, payment, document, communication and final management report that is published about operations, and every correction of published data, in the order of publication. Exactly one of `ticker` and `tickers` is required. Errors: 400 otherwise; 404 when an operation does not exist or is not public, with a list of those.',
      subscribe: ({ args, context }: SubscribeResolverData<unknown, OperationUpdateArgs, Context>) =>
        updatesOf(context, feed, args),
    })
    operationUpdated(
      @Root() update: Update,
      // Read by `subscribe`; declared here so that the schema contains them.
      // eslint-disable-next-line @typescript-eslint/no-unused-vars
      @Args(() => OperationUpdateArgs) _args: OperationUpdateArgs,
    ): Update {
      return update;
    }

    @Access('anyone')
    @Query(() => String, {
      description:
        'Cursor of the last published event. Read it before the state, and pass it as `since`: no event after that state is missed. Valid for 7 days, for every subscription with that argument.',
    })
    eventCursor(@Ctx() context: Context): Promise<string> {
      return feed.cursorOfNow(context);
    }
  }
  return new OperationUpdateResolver();
}

/** Once this resolves, no publication can be missed. For an operation that is no longer public, no more events follow. */
async function updatesOf(
  context: Context,
  feed: EventFeed,
  { since, ...args }: OperationUpdateArgs,
): Promise<AsyncIterableIterator<Update>> {
  const names = namesOf(args);
  const found = await Promise.all(names.map((name) => publicOperationByName(context, name)));
  const operations = requireNamed(args, names, { found, thing: 'operation' });
  const keys = [...new Set(operations.map(({ id }) => id))];
  const events = await feed.read(context, { topics: [updateTopic], keys }, since);
  return mapStream(events, (event) => toUpdate(context, event, feed.cursorOf(event)));
}

async function toUpdate(context: Context, event: FeedEvent, cursor: string): Promise<Update | undefined> {
  const parsed = updateEventSchema.safeParse(event);
  if (!parsed.success) {
    context.log.warn(
      { operationId: event.key },
      'An event of an operation does not have the expected form and was skipped',
    );
    return undefined;
  }
  const { operationId, kind, occurredAt, reference, correction, actId, ...changed } = parsed.data.payload;
  const { seriesTicker, unitPrice, entityIds } = changed;
  const operation = await publicOperationById(context, operationId);
  if (operation === undefined) return undefined;
  const reason = (actId == null ? undefined : await reasonOfAct(context, actId)) ?? null;
  const content = { kind, occurredAt, reference, correction, reason, seriesTicker, unitPrice, entityIds };
  return { ...content, cursor, operation: toOperation(operation) };
}
