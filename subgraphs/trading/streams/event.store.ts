import type { Context } from '../../../shared/context.js';
import type { WalletRef } from '../ledger/balance.store.js';
import type { Channel, ChannelRef, StoredEvent } from './channel.js';

/** An event with the channel of which it is. */
export interface AddedEvent extends StoredEvent {
  readonly channel: Channel;
}

interface EventRow {
  readonly channel: Channel;
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly data: unknown;
}

const columns = `channel, event_id AS "eventId", occurred_at AS "occurredAt", data`;

/**
 * Adds and numbers events of a wallet: one for each order, given as JSON text, in their order, and one of what it holds in some
 * currencies, where there are any. The heads stay locked until the transaction ends, in one order for everybody: `orders` before
 * `balance`. A clock that is put back does not put events back.
 * @returns fewer than were given when `synthetic` is not that of the wallet
 */
export async function insertEvents(
  { manager, clock }: Context,
  { id, synthetic }: WalletRef,
  orders: readonly string[],
  currencies: readonly string[],
): Promise<readonly AddedEvent[]> {
  const rows: EventRow[] = await manager.query(
    `WITH held AS (
       SELECT code, round(coalesce(sum(balance) FILTER (WHERE kind = 'AVAILABLE'), 0), decimals) AS available,
         round(coalesce(sum(balance) FILTER (WHERE kind = 'LOCKED'), 0), decimals) AS locked
       FROM trading.ledger_accounts AS account JOIN trading.currencies AS currency ON currency.code = account.currency
       WHERE account.owner = $1::uuid::text AND account.kind IN ('AVAILABLE', 'LOCKED') AND account.synthetic = $2
         AND account.stripe = 0 AND code = ANY ((SELECT $4::text[])::text[])
       GROUP BY code, decimals
     ), given AS MATERIALIZED (
       SELECT 'orders' AS channel, data::json, position FROM unnest((SELECT $3::text[])) WITH ORDINALITY AS one (data, position)
       UNION ALL
       SELECT 'balance', json_build_object('wallets', coalesce(json_agg(json_build_object('currency', code, 'available', available::text,
         'locked', locked::text, 'total', (available + locked)::text) ORDER BY code), '[]')), 1 FROM held HAVING cardinality($4) > 0
     ), head AS (
       INSERT INTO trading.stream_heads AS head (wallet_id, synthetic, channel, last_event_id, last_at)
       SELECT $1, $2, channel, count(*), $5::timestamptz FROM given GROUP BY channel ORDER BY channel DESC
       ON CONFLICT (wallet_id, channel) DO UPDATE SET last_event_id = head.last_event_id + excluded.last_event_id,
         last_at = greatest(head.last_at, excluded.last_at) WHERE head.synthetic = excluded.synthetic
       RETURNING channel, last_event_id, last_at
     )
     INSERT INTO trading.stream_events (wallet_id, channel, event_id, occurred_at, data)
     SELECT $1, channel, last_event_id + 1 - row_number() OVER (PARTITION BY channel ORDER BY position DESC), last_at, data
     FROM given JOIN head USING (channel)
     RETURNING ${columns}`,
    [id, synthetic, orders, currencies, clock.now()],
  );
  return rows.map(toEvent);
}

/** The number of the last event of a channel of a wallet; 0 where there was none. */
export async function readHead({ manager }: Context, { wallet, channel }: ChannelRef): Promise<number> {
  const [row]: { last: string }[] = await manager.query(
    'SELECT last_event_id AS last FROM trading.stream_heads WHERE wallet_id = $1 AND channel = $2',
    [wallet.id, channel],
  );
  return Number(row?.last ?? 0);
}

/** The same of many, in their order. */
export async function readHeads({ manager }: Context, refs: readonly ChannelRef[]): Promise<readonly number[]> {
  const rows: { last: string }[] = await manager.query(
    `SELECT coalesce(last_event_id, 0) AS last
     FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted (wallet_id, channel, position)
     LEFT JOIN trading.stream_heads USING (wallet_id, channel) ORDER BY position`,
    [refs.map(({ wallet }) => wallet.id), refs.map(({ channel }) => channel)],
  );
  return rows.map(({ last }) => Number(last));
}

const select = `SELECT ${columns} FROM trading.stream_events WHERE wallet_id = $1 AND channel = $2 AND event_id > $3`;

/** The first events after one, by number, at most `limit`. */
export async function listEventsAfter(
  { manager }: Context,
  { wallet, channel }: ChannelRef,
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const rows: EventRow[] = await manager.query(`${select} ORDER BY event_id LIMIT $4`, [
    wallet.id,
    channel,
    after,
    limit,
  ]);
  return rows.map(toEvent);
}

/** The last events after one, by number, at most `limit`. */
export async function listLatestEventsAfter(
  { manager }: Context,
  { wallet, channel }: ChannelRef,
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const rows: EventRow[] = await manager.query(`${select} ORDER BY event_id DESC LIMIT $4`, [
    wallet.id,
    channel,
    after,
    limit,
  ]);
  return rows.reverse().map(toEvent);
}

/** Deletes events that happened before a moment, at most `limit`, and returns how many they were. */
export async function deleteEventsBefore({ manager }: Context, before: Date, limit: number): Promise<number> {
  const [, count]: [unknown, number] = await manager.query(
    `DELETE FROM trading.stream_events WHERE (wallet_id, channel, event_id) IN (
       SELECT wallet_id, channel, event_id FROM trading.stream_events WHERE occurred_at < $1 ORDER BY occurred_at LIMIT $2)`,
    [before, limit],
  );
  return count;
}

function toEvent({ channel, eventId, occurredAt, data }: EventRow): AddedEvent {
  return { channel, eventId: Number(eventId), timestamp: occurredAt.toISOString(), data };
}
