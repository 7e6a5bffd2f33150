import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { WalletRef } from '../ledger/ledger.store.js';

export interface AddedEvent extends StoredEvent {
  readonly walletId: string;
  readonly channel: Channel;
}

interface EventRow {
  readonly walletId: string;
  readonly channel: Channel;
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly data: unknown;
}

/** The input for new events of a wallet: orders as JSON text, in their order, and the currencies whose balances to report. */
export interface NewEvents {
  readonly wallet: WalletRef;
  readonly orders: readonly string[];
  readonly currencies: readonly string[];
}

const columns = `wallet_id AS "walletId", channel, event_id AS "eventId", occurred_at AS "occurredAt", data`;

/**
 * Inserts and numbers events of wallets, each of which is listed once: one event for each order, and one with the balances of the given currencies, if
 * any. The heads stay locked until the transaction ends, in the same order in every transaction: by wallet, `orders` before `balance`. A clock that is
 * set back does not move the times of events back.
 * @returns fewer events than requested if `synthetic` differs from a wallet's
 */
export async function insertEvents(
  { manager, clock }: Context,
  all: readonly NewEvents[],
): Promise<readonly AddedEvent[]> {
  const orders = all.flatMap(({ wallet, orders: own }) => own.map((data) => ({ id: wallet.id, data })));
  const held = all.flatMap(({ wallet, currencies }) => currencies.map((code) => ({ id: wallet.id, code })));
  const rows = await manager.rows<EventRow>(
    `WITH wallet AS (
       SELECT * FROM unnest((SELECT $1::uuid[]), $2::boolean[]) AS wallet (wallet_id, synthetic)
     ), held AS (
       SELECT wallet.wallet_id, code, round(coalesce(sum(balance) FILTER (WHERE kind = 'AVAILABLE'), 0), decimals) AS available,
         round(coalesce(sum(balance) FILTER (WHERE kind = 'LOCKED'), 0), decimals) AS locked
       FROM unnest((SELECT $5::uuid[]), $6::text[]) AS wanted (wallet_id, code)
       JOIN wallet USING (wallet_id) JOIN trading.currencies AS currency USING (code)
       JOIN trading.ledger_accounts AS account ON account.owner = wallet.wallet_id::text AND account.kind IN ('AVAILABLE', 'LOCKED')
         AND account.currency = code AND account.synthetic = wallet.synthetic AND account.stripe = 0
       GROUP BY wallet.wallet_id, code, decimals
     ), given AS MATERIALIZED (
       SELECT wallet_id, 'orders' AS channel, data::json, position
       FROM unnest((SELECT $3::uuid[]), $4::text[]) WITH ORDINALITY AS one (wallet_id, data, position)
       UNION ALL
       SELECT wallet_id, 'balance', json_build_object('wallets', coalesce(json_agg(json_build_object('currency', code, 'available',
         available::text, 'locked', locked::text, 'total', (available + locked)::text) ORDER BY code) FILTER (WHERE code IS NOT NULL), '[]')), 1
       FROM (SELECT DISTINCT wallet_id FROM unnest((SELECT $5::uuid[])) AS wanted (wallet_id)) AS updated LEFT JOIN held USING (wallet_id)
       GROUP BY wallet_id
     ), head AS (
       INSERT INTO trading.stream_heads AS head (wallet_id, synthetic, channel, last_event_id, last_at)
       SELECT wallet_id, synthetic, channel, count(*), $7::timestamptz FROM given JOIN wallet USING (wallet_id)
       GROUP BY wallet_id, synthetic, channel ORDER BY wallet_id, channel DESC
       ON CONFLICT (wallet_id, channel) DO UPDATE SET last_event_id = head.last_event_id + excluded.last_event_id,
         last_at = greatest(head.last_at, excluded.last_at) WHERE head.synthetic = excluded.synthetic
       RETURNING wallet_id, channel, last_event_id, last_at
     )
     INSERT INTO trading.stream_events (wallet_id, channel, event_id, occurred_at, data)
     SELECT wallet_id, channel, last_event_id + 1 - row_number() OVER (PARTITION BY wallet_id, channel ORDER BY position DESC), last_at, data
     FROM given JOIN head USING (wallet_id, channel)
     RETURNING ${columns}`,
    [
      all.map(({ wallet }) => wallet.id),
      all.map(({ wallet }) => wallet.synthetic),
      ...arraysOf(orders, 'id', 'data'),
      ...arraysOf(held, 'id', 'code'),
      clock.now(),
    ],
  );
  return rows.map(toEvent);
}

/** Returns the number of the last event of a channel of a wallet; 0 if there is none. */
export async function readHead({ manager }: Context, { wallet, channel }: ChannelRef): Promise<number> {
  const row = await manager.row<{ last: string }>(
    'SELECT last_event_id AS last FROM trading.stream_heads WHERE wallet_id = $1 AND channel = $2',
    [wallet.id, channel],
  );
  return Number(row?.last ?? 0);
}

export async function readHeads({ manager }: Context, refs: readonly ChannelRef[]): Promise<readonly number[]> {
  const rows = await manager.rows<{ last: string }>(
    `SELECT coalesce(last_event_id, 0) AS last
     FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted (wallet_id, channel, position)
     LEFT JOIN trading.stream_heads USING (wallet_id, channel) ORDER BY position`,
    [refs.map(({ wallet }) => wallet.id), refs.map(({ channel }) => channel)],
  );
  return rows.map(({ last }) => Number(last));
}

const select = `SELECT ${columns} FROM trading.stream_events WHERE wallet_id = $1 AND channel = $2 AND event_id > $3`;

export async function listEventsAfter(
  { manager }: Context,
  { wallet, channel }: ChannelRef,
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const rows = await manager.rows<EventRow>(`${select} ORDER BY event_id LIMIT $4`, [wallet.id, channel, after, limit]);
  return rows.map(toEvent);
}

export async function listLatestEventsAfter(
  { manager }: Context,
  { wallet, channel }: ChannelRef,
  after: number,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const rows = await manager.rows<EventRow>(`${select} ORDER BY event_id DESC LIMIT $4`, [
    wallet.id,
    channel,
    after,
    limit,
  ]);
  return rows.reverse().map(toEvent);
}

export function deleteEventsBefore({ manager }: Context, before: Date, limit: number): Promise<number> {
  return manager.execute(
    `DELETE FROM trading.stream_events WHERE (wallet_id, channel, event_id) IN (
       SELECT wallet_id, channel, event_id FROM trading.stream_events WHERE occurred_at < $1 ORDER BY occurred_at LIMIT $2)`,
    [before, limit],
  );
}

function toEvent({ walletId, channel, eventId, occurredAt, data }: EventRow): AddedEvent {
  return { walletId, channel, eventId: Number(eventId), timestamp: occurredAt.toISOString(), data };
}

export type Channel = 'orders' | 'balance';

export interface ChannelRef {
  readonly wallet: WalletRef;
  readonly channel: Channel;
}

export interface StoredEvent {
  /** Increases by one with each event of the channel of the wallet. */
  readonly eventId: number;
  /** ISO 8601 in UTC. */
  readonly timestamp: string;
  /** JSON. */
  readonly data: unknown;
}

export function topicOf(walletId: string, channel: Channel): string {
  return `trading.stream:${walletId}:${channel}`;
}
