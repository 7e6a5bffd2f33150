import { mapStream, streamOf } from '../../../shared/bus.js';
import type { Context } from '../../../shared/context.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import { batchEventSchema } from './batch-event.js';
import type { BatchKind } from './batch-kind.js';
import type { BatchRow } from './batch.store.js';
import { requireBatch } from './require-batch.js';

/** A change of a batch, as a stream delivers it. */
export interface BatchUpdate<Shown> {
  readonly kind: string;
  readonly occurredAt: string;
  readonly batch: Shown;
}

/**
 * Returns the stream of changes of a batch, or of all batches of the caller. Once this resolves, no change is missed. The stream of a batch that the caller
 * may no longer see delivers nothing more.
 * @throws {ApiError} that of the kind for a missing batch
 */
export async function batchUpdates<Row extends BatchRow, Shown>(
  context: Context,
  kind: BatchKind<Row>,
  show: (row: Row) => Shown,
  id: string | null,
): Promise<AsyncIterableIterator<BatchUpdate<Shown>>> {
  const suffix = id === null ? '' : `:${(await requireBatch(context, kind, id)).id}`;
  const own = new Set(await visibleOriginators(context));
  const changes = new Map(Object.entries(kind.topics).map(([change, topics]) => [topics.at(-1) ?? '', change]));
  const events = await streamOf(
    context.bus,
    [...changes.keys()].map((topic) => `${topic}${suffix}`),
  );
  return mapStream(events, async (event) => {
    const { data } = batchEventSchema.safeParse(event);
    const change = changes.get(data?.topic ?? '');
    if (data === undefined || change === undefined) {
      context.log.warn(`An event of a ${kind.name} does not have the expected form and was skipped`);
      return undefined;
    }
    const { key, payload } = data;
    if (!own.has(payload.originatorId)) return undefined;
    const [row] = await kind.load({ ...context, loaders: new Map() }, [key]);
    if (row === undefined) return undefined;
    return { kind: change, occurredAt: payload.data.occurredAt, batch: show(row) };
  });
}
