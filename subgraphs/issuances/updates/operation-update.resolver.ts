import { Arg, Resolver, Root, Subscription, type SubscribeResolverData } from 'type-graphql';
import { mapStream, streamOf } from '../../../shared/bus.js';
import type { Context } from '../../../shared/context.js';
import { reasonOfAct } from '../../../shared/corrections/corrections.store.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { findPublicOperation, publicOperationById } from '../operations/operation.store.js';
import { toOperation } from '../operations/operation.type.js';
import { tickerArg } from '../operations/ticker-arg.js';
import { updateEventSchema, updateTopic } from './operation-update.js';
import { OperationUpdate } from './operation-update.type.js';

type Update = Shape<OperationUpdate>;

@Resolver()
export class OperationUpdateResolver {
  @Access('data')
  @Subscription(() => OperationUpdate, {
    description:
      'Reports every unit price, payment, document, communication and final management report that is published about an operation from now on, and every correction of published data. Errors: 404 when the operation does not exist or is not public.',
    subscribe: ({ args, context }: SubscribeResolverData<unknown, { ticker: string }, Context>) =>
      updatesOf(context, args.ticker),
  })
  operationUpdated(
    @Root() update: Update,
    // Read by `subscribe`; declared here so that the schema contains the argument.
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    @Arg('ticker', () => String, tickerArg) _ticker: string,
  ): Update {
    return update;
  }
}

/** Once this resolves, no publication can be missed. For an operation that is no longer public, no more events follow. */
async function updatesOf(context: Context, ticker: string): Promise<AsyncIterableIterator<Update>> {
  const { id } = await findPublicOperation(context, ticker);
  const events = await streamOf(context.bus, `${updateTopic}:${id}`);
  return mapStream(events, async (event) => {
    const parsed = updateEventSchema.safeParse(event);
    if (!parsed.success) {
      context.log.warn({ operationId: id }, 'An event of an operation does not have the expected form and was skipped');
      return undefined;
    }
    const operation = await publicOperationById(context, id);
    if (operation === undefined) return undefined;
    const { kind, occurredAt, reference, correction, actId } = parsed.data.payload;
    const reason = (actId == null ? undefined : await reasonOfAct(context, actId)) ?? null;
    return { kind, occurredAt, reference, correction, reason, operation: toOperation(operation) };
  });
}
