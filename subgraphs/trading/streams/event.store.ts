import type { Context } from '../../../shared/context.js';
import type { WalletRef } from '../ledger/balance.store.js';
import type { Channel, ChannelRef, StoredEvent } from './channel.js';

/** An event that is to be added; `data` is JSON text. */
export interface NewEventRow {
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly channel: Channel;
  readonly data: string;
}

/** An event with the channel of which it is. */
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

// Heads are locked in one order, whoever adds: `orders` before `balance`, then by wallet.
const headOrder = 'ORDER BY channel DESC, wallet_id';
// A clock that is put back does not put events back.
const moveHead = `ON CONFLICT (wallet_id, channel) DO UPDATE SET last_event_id = head.last_event_id + excluded.last_event_id,
    last_at = greatest(head.last_at, excluded.last_at) WHERE head.synthetic = excluded.synthetic`;
const columns = `wallet_id AS "walletId", channel, event_id AS "eventId", occurred_at AS "occurredAt", data`;

/**
 * Adds events and numbers them, in the order in which they are given. Their heads stay locked until the transaction ends.
 * @throws when a wallet is not of the world that an event says
 */
export async function insertEvents(
  { manager, clock }: Context,
  events: readonly NewEventRow[],
): Promise<readonly AddedEvent[]> {
  const rows: EventRow[] = await manager.query(
    `WITH given AS MATERIALIZED (
       SELECT * FROM unnest($1::uuid[], $2::boolean[], $3::text[], $4::text[]) WITH ORDINALITY
         AS given (wallet_id, synthetic, channel, data, position)
     ), head AS (
       INSERT INTO trading.stream_heads AS head (wallet_id, synthetic, channel, last_event_id, last_at)
       SELECT wallet_id, synthetic, channel, count(*), $5::timestamptz FROM given GROUP BY wallet_id, synthetic, channel ${headOrder}
       ${moveHead}
       RETURNING wallet_id, channel, last_event_id, last_at
     )
     INSERT INTO trading.stream_events (wallet_id, channel, event_id, occurred_at, data)
     SELECT wallet_id, channel,
       last_event_id + 1 - row_number() OVER (PARTITION BY wallet_id, channel ORDER BY position DESC), last_at, data::json
     FROM given JOIN head USING (wallet_id, channel) ORDER BY position
     RETURNING ${columns}`,
    [
      events.map(({ walletId }) => walletId),
      events.map(({ synthetic }) => synthetic),
      events.map(({ channel }) => channel),
      events.map(({ data }) => data),
      clock.now(),
    ],
  );
  if (rows.length < events.length) throw new Error('An event is said to be of the other world than its wallet');
  return rows.map(toEvent);
}

/** Counts one more event of the balance of each wallet, and locks those heads until the transaction ends. */
export async function moveBalanceHeads({ manager, clock }: Context, wallets: readonly WalletRef[]): Promise<void> {
  const moved: unknown[] = await manager.query(
    `INSERT INTO trading.stream_heads AS head (wallet_id, synthetic, channel, last_event_id, last_at)
     SELECT wallet_id, synthetic, 'balance' AS channel, 1, $3::timestamptz FROM unnest($1::uuid[], $2::boolean[]) AS given (wallet_id, synthetic)
     ${headOrder} ${moveHead} RETURNING wallet_id`,
    [wallets.map(({ id }) => id), wallets.map(({ synthetic }) => synthetic), clock.now()],
  );
  if (moved.length < wallets.length) throw new Error('A balance is said to be of the other world than its wallet');
}

/**
 * Adds the event that `moveBalanceHeads` counted, with what each wallet holds now. A statement of its own, after that one: it sees
 * what the transaction that had the head locked before has committed.
 * @param currencies those that are told of; null is every one that the wallet has ever held
 */
export async function insertBalanceEvents(
  { manager }: Context,
  walletIds: readonly string[],
  currencies: readonly string[] | null,
): Promise<readonly AddedEvent[]> {
  const rows: EventRow[] = await manager.query(
    `INSERT INTO trading.stream_events (wallet_id, channel, event_id, occurred_at, data)
     SELECT head.wallet_id, head.channel, head.last_event_id, head.last_at,
       json_build_object('wallets', coalesce(held.balances, '[]'))
     FROM trading.stream_heads AS head CROSS JOIN LATERAL (
       SELECT json_agg(json_build_object('currency', code, 'available', available::text, 'locked', locked::text,
         'total', (available + locked)::text) ORDER BY code) AS balances
       FROM (
         SELECT code, round(coalesce(sum(balance) FILTER (WHERE kind = 'AVAILABLE'), 0), decimals) AS available,
           round(coalesce(sum(balance) FILTER (WHERE kind = 'LOCKED'), 0), decimals) AS locked
         FROM trading.ledger_accounts AS account JOIN trading.currencies AS currency ON currency.code = account.currency
         WHERE account.owner = head.wallet_id::text AND account.kind IN ('AVAILABLE', 'LOCKED')
           AND account.synthetic = head.synthetic AND account.entry_count > 0 AND ($2::text[] IS NULL OR code = ANY ($2))
         GROUP BY code, decimals
       ) AS balance
     ) AS held
     WHERE head.wallet_id = ANY ($1::uuid[]) AND head.channel = 'balance'
     RETURNING ${columns}`,
    [walletIds, currencies],
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

function toEvent({ walletId, channel, eventId, occurredAt, data }: EventRow): AddedEvent {
  return { walletId, channel, eventId: Number(eventId), timestamp: occurredAt.toISOString(), data };
}
