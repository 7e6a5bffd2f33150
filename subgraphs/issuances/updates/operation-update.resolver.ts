import {
  Args,
  ArgsType,
  Ctx,
  Query,
  Resolver,
  Root,
  Subscription,
  type SubscribeResolverData,
  ID,
  ObjectType,
} from 'type-graphql';
import { mapStream } from '../../../shared/kernel/async-iterator.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { EventFeed } from '../../../shared/events/outbox/event-feed.js';
import type { FeedEvent } from '../../../shared/events/outbox/feed.store.js';
import { Access } from '../../../shared/graphql/access.js';
import { namesOf, requireNamed } from '../../securities/tickers.js';
import { cursorDescription, ofSince } from '../../../shared/graphql/event-args.js';
import { SharedRun } from '../../../shared/graphql/shared-run.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { publicOperationById, publicOperationByName } from '../operations/operation.store.js';
import { toOperation, Operation, tickerArg } from '../operations/operation.type.js';
import { reasonOfAct } from './act-corrections.store.js';
import { updateEventSchema, updateTopic, type UpdateKind } from './operation-update.js';
import { DateTimeScalar } from '../../../shared/graphql/scalars.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { args, fields, flag, list, nullable, of, text } from '../../../shared/graphql/fields.js';

type Update = Shape<OperationUpdate>;

@ArgsType()
class OperationUpdateArgs extends args({
  ...ofSince,
  ticker: nullable.text(`${tickerArg.description}; instead of \`tickers\``),
  tickers: nullable.texts(
    'Tickers of operations or slugs of their estates, in any case; one or more, at most 100 items',
  ),
}) {}

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

/** Once the promise resolves, no publication can be missed. For an operation that is no longer public, no more events follow. */
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

export const UpdateKindEnum = describeEnum<UpdateKind>(
  'OperationUpdateKind',
  'Kind of published data about an operation.',
  {
    PU: 'Unit prices',
    PAYMENT: 'A payment was added or changed',
    DOCUMENT: 'A public document',
    COMMUNICATION: 'A notice or material fact',
    REPORT: 'The management report of a month was closed or reissued',
    OTHER: 'Any other published data; reported only for corrections',
  },
  {
    PU: ['Preço unitário', 'Unit price'],
    PAYMENT: ['Pagamento', 'Payment'],
    DOCUMENT: ['Documento', 'Document'],
    COMMUNICATION: ['Comunicado', 'Communication'],
    REPORT: ['Relatório', 'Report'],
    OTHER: ['Outro', 'Other'],
  },
);

@ObjectType({
  simpleResolvers: true,
  description: 'New or corrected data about an operation: of one kind, and of one series where it belongs to one.',
})
class OperationUpdate extends fields({
  cursor: text(cursorDescription),
  kind: of(() => UpdateKindEnum, 'Kind of the data'),
  occurredAt: of<string>(() => DateTimeScalar, 'Time of publication'),
  reference: text(
    'Day of the data: the newest day among the prices, payments, documents or communications of the event, or the last day of the month of the report, `YYYY-MM-DD`',
  ),
  seriesTicker: nullable.text(
    'Ticker of the series of the prices or payments; null when the data belongs to no series, and for a correction that removed it',
  ),
  unitPrice: nullable.decimal(
    'For PU: the newest of the prices, of the day `reference`, in reais with 8 decimals. Null for other kinds, and for a correction that removed prices',
  ),
  entityIds: list<string>(
    () => ID,
    'Ids of the payments, documents or communications that were added, changed or removed: the newest 100. Empty for other kinds: a unit price is identified by its series and day',
  ),
  correction: flag('Whether published data was changed or removed. New data is reported in an event of its own'),
  reason: nullable.text('Reason for the correction; null when none was given'),
  operation: of(() => Operation, 'The operation in its current state'),
}) {}
