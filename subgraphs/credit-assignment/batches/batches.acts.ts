import { mapStream } from '../../../shared/kernel/async-iterator.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { EventFeed } from '../../../shared/events/outbox/event-feed.js';
import { visibleOriginators } from '../originators/visible-originators.js';
import { batchEventSchema, announceBatches } from './batch-event.js';
import type { BatchKind } from './batch-kind.js';
import {
  type BatchRow,
  listBatches,
  type BatchQuery,
  saveBatch,
  type OwnedBatch,
  createdBetween,
} from './batch.store.js';
import { requireBatch, requireLockedBatch } from './require-batch.js';
import type { CursorCodec } from '../../../shared/graphql/cursor.js';
import { refuse, errorAt } from '../../../shared/kernel/errors.js';
import { openPage, type PageInput } from '../../../shared/graphql/list-page.js';
import { isUuid, newId } from '../../../shared/kernel/ids.js';
import { type BatchStatus, transition } from './transitions.js';
import { afterCommit, inTransaction } from '../../../shared/database/transaction.js';
import { wakeProcessing } from '../processing/wake.js';
import { actorOf } from '../activity/activity.js';
import { findKeyById } from '../originators/originator-key.store.js';
import { actAsOriginator, type ClientAct } from '../originators/acting-originator.js';

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

/** Once the promise resolves, no change is missed; a batch that the caller may no longer see yields no more events. @throws {ApiError} `notFound` of the kind, and the errors of `EventFeed.read` */
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

/** Processing begins once the grace period is over. @param graceMs how long the batch can still be cancelled @throws {ApiError} `notFound` of the kind, BATCH_STATUS; FORBIDDEN and UNPROCESSABLE by the estate */
export async function submitBatch<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  graceMs: number,
  id: string,
): Promise<Row> {
  return inTransaction(context, async (tx) => {
    const draft = await requireLockedBatch(tx, kind, id);
    const submittedAt = tx.clock.now();
    const batch = submitted(draft, submittedAt, graceMs);
    await kind.requireSubmittable?.(tx, batch);
    await saveBatch(tx, kind, batch);
    await announceSubmission(tx, kind, batch, submittedAt);
    return batch;
  });
}

/** @throws {ApiError} BATCH_STATUS */
export function submitted<Row extends BatchRow>(batch: Row, submittedAt: Date, graceMs: number): Row {
  const processAfter = new Date(submittedAt.getTime() + graceMs);
  return { ...batch, status: transition(batch.status, 'SUBMIT'), submittedAt, processAfter };
}

/** Announces a submitted batch, and wakes its processing once the transaction is committed. */
export async function announceSubmission<Row extends BatchRow>(
  tx: Context,
  kind: BatchKind<Row>,
  batch: OwnedBatch<Row>,
  submittedAt: Date,
): Promise<void> {
  await announceBatches(tx, kind, 'SUBMITTED', [batch], submittedAt);
  afterCommit(tx, () => wakeProcessing(tx));
}

/** Cancels a batch for good, before its processing has begun. @throws {ApiError} `notFound` of the kind, BATCH_STATUS, also for a batch that is already cancelled */
export async function cancelBatch<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  id: string,
): Promise<Row> {
  return inTransaction(context, async (tx) => {
    const batch = await requireLockedBatch(tx, kind, id);
    const cancelledAt = tx.clock.now();
    const cancelled = { ...batch, status: transition(batch.status, 'CANCEL'), cancelledAt };
    await saveBatch(tx, kind, cancelled);
    await announceBatches(tx, kind, 'CANCELLED', [cancelled], cancelledAt);
    return cancelled;
  });
}

/** Returns a new batch in DRAFT of the client of the transaction. It has no number yet. */
export async function draftBatch(
  tx: Context,
  createdAt: Date,
  given: Pick<BatchRow, 'originatorId' | 'patrimonyId' | 'lineCount' | 'total' | 'fileName' | 'firstLine'>,
): Promise<BatchRow> {
  const { kind, id: credential, actor = kind } = tx.principal;
  const key = actor === 'CLIENT' && isUuid(credential) ? await findKeyById(tx, credential) : undefined;
  return {
    id: newId(createdAt.getTime()),
    number: 0,
    // Whoever acts for the client now belongs to its present account.
    sender: actorOf({ actorKind: actor, actorId: null }, null),
    senderKey: key?.fingerprint.toString('hex') ?? null,
    ...given,
    status: 'DRAFT',
    rejectionReason: null,
    rejectionRules: null,
    errorCount: 0,
    createdAt,
    submittedAt: null,
    processAfter: null,
    processedAt: null,
    cancelledAt: null,
  };
}

/** Returns where the first of some lines was in their file, if the others followed one by one. */
export function firstLineOf(lines: readonly { readonly line?: number }[]): number | null {
  const first = lines[0]?.line;
  return first !== undefined && lines.every(({ line }, index) => line === first + index) ? first : null;
}

/** Acts for the client itself, or for a person of its account who may send for it. @throws {ApiError} `notFound` of the kind for a batch that the caller may not see, FORBIDDEN, and the errors of the act */
export async function actOnBatch<Row extends BatchRow>(
  context: Context,
  kind: BatchKind<Row>,
  id: string,
  named: ClientAct,
  act: (client: Context) => Promise<Row>,
): Promise<Row> {
  if (context.principal.kind === 'CLIENT') return act(context);
  const { originatorId } = await requireBatch(context, kind, id);
  return actAsOriginator(context, originatorId, named, act);
}
