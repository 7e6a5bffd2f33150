import { Arg, ID, Resolver, Root, Subscription, type SubscribeResolverData } from 'type-graphql';
import { mapStream, streamOf } from '../../../shared/bus.js';
import type { Context } from '../../../shared/context.js';
import { Access } from '../../../shared/subgraph/access.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { readScope, seenOriginators } from '../originators/seen-originators.js';
import { seenSettlementBatch } from './read-settlement-batches.js';
import { settlementBatchEventSchema, updateTopics } from './settlement-batch-event.js';
import { seenSettlementBatchesById } from './settlement-batch-list.store.js';
import { SettlementBatchUpdate, settlementUpdateKinds } from './settlement-batch-update.type.js';
import { toSettlementBatch } from './settlement-batch.type.js';

type Update = Shape<SettlementBatchUpdate>;

@Resolver()
export class SettlementBatchUpdateResolver {
  @Access('originator', readScope)
  @Subscription(() => SettlementBatchUpdate, {
    description:
      "Reports everything that happens from now on to one of the caller's settlement batches, or to all of them. SETTLEMENT_BATCH_NOT_FOUND for a batch that does not exist.",
    subscribe: ({ args, context }: SubscribeResolverData<unknown, { id?: string | null }, Context>) =>
      updatesOf(context, args.id ?? null),
  })
  settlementBatchUpdated(
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
  const suffix = id === null ? '' : `:${(await seenSettlementBatch(context, id)).id}`;
  const own = new Set(await seenOriginators(context));
  const events = await streamOf(
    context.bus,
    updateTopics.map((topic) => `${topic}${suffix}`),
  );
  return mapStream(events, async (event) => {
    const parsed = settlementBatchEventSchema.safeParse(event);
    if (!parsed.success) {
      context.log.warn('An event of a settlement batch does not have the expected form and was skipped');
      return undefined;
    }
    const { topic, payload } = parsed.data;
    if (!own.has(payload.originatorId)) return undefined;
    const { settlementBatchId, occurredAt } = payload.data;
    const [row] = await seenSettlementBatchesById({ ...context, loaders: new Map() }, [settlementBatchId]);
    if (row === undefined) return undefined;
    return { kind: settlementUpdateKinds[topic], occurredAt, batch: toSettlementBatch(row) };
  });
}
