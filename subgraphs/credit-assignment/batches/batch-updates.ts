import { mapStream } from '../../../shared/async-iterator.js';
import type { Context } from '../../../shared/context.js';
import type { EventFeed } from '../../../shared/outbox/event-feed.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import { batchEventSchema } from './batch-event.js';
import type { BatchKind } from './batch-kind.js';
import type { BatchRow } from './batch.store.js';
import { requireBatch } from './require-batch.js';

/** A change of a batch, as a stream delivers it. */
export interface BatchUpdate<Shown> {
  readonly cursor: string;
  readonly kind: string;
  readonly occurredAt: string;
  readonly batch: Shown;
}

/** Which changes a stream delivers. */
export interface BatchSelection {
  /** Id of the batch; all batches of the caller when null. */
  readonly id: string | null;
  /** The cursor to begin after. */
  readonly since: string | null;
}

/** Returns the changes that streams of updates report, by the topic that they are read from. */
export function changesByTopic<Row extends BatchRow>({ topics }: BatchKind<Row>): ReadonlyMap<string, string> {
  return new Map(Object.entries(topics).map(([change, own]) => [own.at(-1) ?? '', change]));
}

/**
 * Returns the stream of changes of a batch, or of all batches of the caller. Once this resolves, no change is missed. The stream of a batch that the caller
 * may no longer see delivers nothing more.
 * @throws {ApiError} that of the kind for a missing batch, and those of `EventFeed.read`
 */
export async function batchUpdates<Row extends BatchRow, Shown>(
  context: Context,
  { kind, show, feed }: { kind: BatchKind<Row>; show: (row: Row) => Shown; feed: EventFeed },
  { id, since }: BatchSelection,
): Promise<AsyncIterableIterator<BatchUpdate<Shown>>> {
  const changes = changesByTopic(kind);
  const keys = id === null ? {} : { keys: [(await requireBatch(context, kind, id)).id] };
  const originatorIds = await visibleOriginators(context);
  const events = await feed.read(context, { topics: [...changes.keys()], originatorIds, ...keys }, since);
  return mapStream(events, async (event) => {
    const { data } = batchEventSchema.safeParse(event);
    const change = changes.get(event.topic);
    if (data === undefined || change === undefined) {
      context.log.warn(`An event of a ${kind.name} does not have the expected form and was skipped`);
      return undefined;
    }
    const [row] = await kind.load({ ...context, loaders: new Map() }, [data.key]);
    if (row === undefined) return undefined;
    return { cursor: feed.cursorOf(event), kind: change, occurredAt: data.payload.data.occurredAt, batch: show(row) };
  });
}
