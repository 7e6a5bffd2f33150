import { Arg, ID, Resolver, Root, Subscription, type SubscribeResolverData } from 'type-graphql';
import { mapStream, streamOf } from '../../../shared/bus.js';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { readScope, seenOriginators } from '../originators/seen-originators.js';
import { creditBatchEventSchema, creditBatchTopics } from './credit-batch-event.js';
import { seenBatchesById } from './credit-batch-list.store.js';
import { CreditBatchUpdate, updateKinds } from './credit-batch-update.type.js';
import { toCreditBatch } from './credit-batch.type.js';
import { ownCreditBatch } from './own-credit-batch.js';

type Update = Shape<CreditBatchUpdate>;

@Resolver()
export class CreditBatchUpdateResolver {
  @Access('originator', readScope)
  @Subscription(() => CreditBatchUpdate, {
    description:
      "Reports everything that happens from now on to one of the caller's credit batches, or to all of them. BATCH_NOT_FOUND for a batch that does not exist.",
    subscribe: ({ args, context }: SubscribeResolverData<unknown, { id?: string | null }, Context>) =>
      updatesOf(context, args.id ?? null),
  })
  creditBatchUpdated(
    @Root() update: Update,
    // Read by `subscribe`; declared here so that the schema contains it.
    // eslint-disable-next-line @typescript-eslint/no-unused-vars
    @Arg('id', () => ID, { nullable: true, description: 'Id of the batch (UUID); all batches when omitted' })
    _id: string | null,
  ): Update {
    return update;
  }
}

/** Once this resolves, no update is missed. The stream of a batch that the caller may no longer see delivers nothing more. */
async function updatesOf(context: Context, id: string | null): Promise<AsyncIterableIterator<Update>> {
  const suffix = id === null ? '' : `:${(await ownCreditBatch(context, id)).id}`;
  const own = new Set(await seenOriginators(context));
  const events = await streamOf(
    context.bus,
    creditBatchTopics.map((topic) => `${topic}${suffix}`),
  );
  return mapStream(events, async (event) => {
    const parsed = creditBatchEventSchema.safeParse(event);
    if (!parsed.success) {
      context.log.warn('An event of a credit batch does not have the expected form and was skipped');
      return undefined;
    }
    const { topic, payload } = parsed.data;
    if (!own.has(payload.originatorId)) return undefined;
    const [row] = await seenBatchesById({ ...context, loaders: new Map() }, [payload.data.batchId]);
    if (row === undefined) return undefined;
    return { kind: updateKinds[topic], occurredAt: payload.data.occurredAt, batch: toCreditBatch(row) };
  });
}
