import { mapStream } from '../../../shared/kernel/async-iterator.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { EventFeed } from '../../../shared/events/outbox/event-feed.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import { batchEventSchema } from './batch-event.js';
import type { BatchKind } from './batch-kind.js';
import { type BatchRow, listBatches, type BatchQuery } from './batch.store.js';
import { requireBatch } from './require-batch.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { refuse, errorAt } from '../../../shared/kernel/errors.js';
import { openPage, type PageInput } from '../../../shared/graphql/list-page.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { createdBetween } from './created-between.js';
import type { BatchStatus } from './transitions.js';

export interface BatchUpdate<Shown> {
  readonly cursor: string;
  readonly kind: string;
  readonly occurredAt: string;
  readonly batch: Shown;
}

export interface BatchSelection {
  /** Id of the batch; all batches of the caller when null. */
  readonly id: string | null;
  readonly since: string | null;
}

/** Returns the changes that streams of updates report, by the topic that they are read from. */
export function changesByTopic<Row extends BatchRow>({ topics }: BatchKind<Row>): ReadonlyMap<string, string> {
  return new Map(Object.entries(topics).map(([change, own]) => [own.at(-1) ?? '', change]));
}

/** Once this resolves, no change is missed; a batch that the caller may no longer see delivers nothing more. @throws {ApiError} that of the kind, and those of `EventFeed.read` */
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

export interface BatchFilter {
  readonly status?: BatchStatus | null;
  readonly number?: number | null;
  readonly creditBatchId?: string | null;
  readonly patrimonyId?: string | null;
  /** Civil days in São Paulo, both included. */
  readonly from?: string | null;
  readonly to?: string | null;
}

/** Pages by cursor: batches added in the meantime neither repeat nor hide one. @throws {ApiError} BAD_REQUEST for a number out of bounds, a foreign cursor, a wrong id or period */
export async function readBatches<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  codec: CursorCodec,
  filter: BatchFilter,
  input: PageInput,
) {
  const query = queryOf(kind, filter);
  const { status, number, ids, created } = query;
  const scope = JSON.stringify({ status, number, ...ids, created });
  const page = openPage(codec, input, { scope });
  const { after = null, backward, offset, limit } = page;
  const range = { after, backward, offset, limit: limit + 1 };
  return { query, ...page.take(await listBatches(context, kind, query, range), ({ id }) => [id]) };
}

function queryOf<Row extends BatchRow>({ idFilters }: BatchKind<Row>, filter: BatchFilter): BatchQuery {
  const given = idFilters.map(([name]) => ({ name, id: filter[name] }));
  const wrong = given.filter(({ id }) => id != null && !isUuid(id));
  refuse(
    'BAD_REQUEST',
    wrong.map(({ name }) => errorAt(`filter.${name}`, 'UUID_FORM')),
  );
  return {
    status: filter.status ?? null,
    number: filter.number ?? null,
    ids: Object.fromEntries(given.map(({ name, id }) => [name, id?.toLowerCase() ?? null])),
    created: createdBetween(filter.from, filter.to),
  };
}
