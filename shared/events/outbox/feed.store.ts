import type { Context } from '../../kernel/context.js';
import type { FeedPlace } from './event-cursor.js';
import type { PublishedEvent } from './outbox.js';

export interface FeedEvent extends Omit<PublishedEvent, 'sequence'>, FeedPlace {}

export interface EventSelection {
  readonly topics: readonly string[];
  /** Only events with one of these keys; any when omitted. */
  readonly keys?: readonly string[];
  /** Only events whose payload names one of these originators as `originatorId`; any when omitted. */
  readonly originatorIds?: readonly string[];
}

interface EventRow {
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly payload: unknown;
  readonly createdAt: Date;
  readonly publishedAt: Date;
  readonly position: string;
}

const columns = `id, topic, key, payload, created_at AS "createdAt", published_at AS "publishedAt", feed_position AS position`;

export async function readHead({ manager }: Pick<Context, 'manager'>): Promise<number> {
  const { last } = await manager.one<{ last: string }>('SELECT last FROM shared.outbox_head');
  return Number(last);
}

/** Returns the first events of some topics after a position, and the position up to which there are no others. */
export async function readFeed(
  { manager }: Pick<Context, 'manager'>,
  { topics, after, limit }: { readonly topics: readonly string[]; readonly after: number; readonly limit: number },
): Promise<{ readonly events: readonly FeedEvent[]; readonly upTo: number }> {
  // In one statement, so that the events and the head are of the same moment.
  const rows = await manager.rows<{ [Name in keyof EventRow]: EventRow[Name] | null } & { readonly last: string }>(
    `SELECT head.last, event.* FROM shared.outbox_head AS head LEFT JOIN LATERAL (
       SELECT ${columns} FROM shared.outbox WHERE feed_position > $1 AND topic = ANY ($2) ORDER BY feed_position LIMIT $3
     ) AS event ON true ORDER BY event.position`,
    [after, topics, limit],
  );
  const events = rows.filter((row): row is EventRow & { readonly last: string } => row.position !== null).map(toEvent);
  const last = events.length < limit ? Number(rows[0]?.last ?? after) : events.at(-1)?.position;
  return { events, upTo: last ?? after };
}

/** Feed positions above `after` up to `until`; `limit` is the most events to read. */
export interface FeedRange {
  readonly after: number;
  readonly until: number;
  readonly limit: number;
}

export async function readSelected(
  { manager }: Pick<Context, 'manager'>,
  selection: EventSelection,
  range: FeedRange,
): Promise<readonly FeedEvent[]> {
  const { from, parameters } = selected(selection, range);
  return (await manager.rows<EventRow>(`SELECT ${columns} ${from} ORDER BY feed_position LIMIT $4`, parameters)).map(
    toEvent,
  );
}

/** Returns how many events of a range are selected, at most `limit`. */
export function countSelected(
  { manager }: Pick<Context, 'manager'>,
  selection: EventSelection,
  range: FeedRange,
): Promise<number> {
  const { from, parameters } = selected(selection, range);
  return manager.countRows(`SELECT count(*)::int AS count FROM (SELECT ${from} LIMIT $4) AS event`, parameters);
}

/** Conditions are left out where they do not apply: one on an absent value would keep the indexes from being used. */
function selected({ topics, keys, originatorIds }: EventSelection, { after, until, limit }: FeedRange) {
  const filters = [
    { column: 'key', values: keys },
    { column: `payload ->> 'originatorId'`, values: originatorIds },
  ].filter(({ values }) => values !== undefined);
  const own = filters.map(({ column }, index) => ` AND ${column} = ANY ($${String(5 + index)})`);
  return {
    from: `FROM shared.outbox WHERE topic = ANY ($1) AND feed_position > $2 AND feed_position <= $3${own.join('')}`,
    parameters: [topics, after, until, limit, ...filters.map(({ values }) => values)],
  };
}

function toEvent({ id, topic, key, payload, createdAt, publishedAt, position }: EventRow): FeedEvent {
  return { id, topic, key, payload, createdAt: createdAt.toISOString(), publishedAt, position: Number(position) };
}
