import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { Fill } from '../venues/venue.js';
import type { OrderFill } from './order.type.js';

/** A fill that a venue reports differently than it is recorded: both as text, with amount, price, fee and order. */
export interface ChangedFill {
  readonly fill: Fill;
  readonly recorded: string;
  readonly reported: string;
}

export interface RecordedFills {
  readonly added: Fill[];
  readonly changed: readonly ChangedFill[];
}

const tables = {
  fills: { owner: 'execution_id', more: ', liquidity, recorded_at' },
  hedge_fills: { owner: 'hedge_order_id', more: '' },
} as const;

const textOf = (row: string, owner: string) =>
  `format('%s at %s, fee %s %s, order %s', trim_scale(${row}.amount), trim_scale(${row}.price), trim_scale(${row}.venue_fee),
    ${row}.venue_fee_currency, ${row}.${owner})`;
const valuesOf = (row: string, owner: string) =>
  `(${row}.${owner}, ${row}.price, ${row}.amount, ${row}.venue_fee, ${row}.venue_fee_currency)`;

/** Records fills, each once. A known one stays as it is recorded, whatever the venue reports later. */
export async function recordFills(
  { manager, clock }: Context,
  table: keyof typeof tables,
  fills: readonly Fill[],
): Promise<RecordedFills> {
  if (fills.length === 0) return { added: [], changed: [] };
  const { owner, more } = tables[table];
  const columns = `venue, trade_id, ${owner}, price, amount, venue_fee, venue_fee_currency, traded_at${more}`;
  const rows = await manager.rows<
    Pick<Fill, 'venue' | 'tradeId'> & { isNew: boolean; recorded: string; reported: string }
  >(
    `WITH given AS (
       SELECT *, $1::timestamptz AS recorded_at FROM unnest((SELECT $2::text[]), $3::text[], $4::uuid[], $5::numeric[], $6::numeric[], $7::numeric[],
         $8::text[], $9::timestamptz[], $10::text[])
         AS one (venue, trade_id, ${owner}, price, amount, venue_fee, venue_fee_currency, traded_at, liquidity)
     ), added AS (
       INSERT INTO trading.${table} (${columns}) SELECT ${columns} FROM given ORDER BY venue, trade_id
       ON CONFLICT DO NOTHING RETURNING venue, trade_id, true AS is_new
     )
     SELECT venue, trade_id AS "tradeId", is_new IS TRUE AS "isNew", ${textOf('known', owner)} AS recorded, ${textOf('given', owner)} AS reported
     FROM given LEFT JOIN added USING (venue, trade_id) LEFT JOIN trading.${table} AS known USING (venue, trade_id)
     WHERE is_new OR known.amount IS NOT NULL AND ${valuesOf('known', owner)} <> ${valuesOf('given', owner)}`,
    [clock.now(), ...valuesFrom(fills)],
  );
  const byTrade = new Map(fills.map((fill) => [tradeOf(fill), fill]));
  const found = rows.flatMap((row) => {
    const fill = byTrade.get(tradeOf(row));
    return fill === undefined ? [] : [{ ...row, fill }];
  });
  return {
    added: found.filter(({ isNew }) => isNew).map(({ fill }) => fill),
    changed: found.filter(({ isNew }) => !isNew),
  };
}

export async function unrecordedHedgeFills({ manager }: Context, fills: readonly Fill[]): Promise<Fill[]> {
  if (fills.length === 0) return [];
  const known = await manager.rows<Pick<Fill, 'venue' | 'tradeId'>>(
    `SELECT venue, trade_id AS "tradeId"
     FROM unnest((SELECT $1::text[]), $2::text[], $3::uuid[], $4::numeric[], $5::numeric[], $6::numeric[], $7::text[], $8::timestamptz[], $9::text[])
       AS given (venue, trade_id, hedge_order_id, price, amount, venue_fee, venue_fee_currency, traded_at, liquidity)
     JOIN trading.hedge_fills AS known USING (venue, trade_id)
     WHERE ${valuesOf('known', 'hedge_order_id')} = ${valuesOf('given', 'hedge_order_id')}`,
    valuesFrom(fills),
  );
  const recorded = new Set(known.map(tradeOf));
  return fills.filter((fill) => !recorded.has(tradeOf(fill)));
}

function valuesFrom(fills: readonly Fill[]): unknown[] {
  return [
    ...arraysOf(fills, 'venue', 'tradeId', 'clientOrderId'),
    fills.map(({ price }) => price.toFixed()),
    fills.map(({ amount }) => amount.toFixed()),
    fills.map(({ fee }) => fee.toFixed()),
    ...arraysOf(fills, 'feeCurrency', 'at', 'liquidity'),
  ];
}

/** Returns the key of a trade: venues number their trades independently. */
export function tradeOf({ venue, tradeId }: Pick<Fill, 'venue' | 'tradeId'>): string {
  return `${venue}\n${tradeId}`;
}

export function fillsOf({ manager }: Context, orderId: string, limit: number): Promise<Shape<OrderFill>[]> {
  return manager.rows(
    `SELECT fill.venue, fill.trade_id AS "tradeId", fill.price, fill.amount, fill.liquidity, fill.traded_at AS "tradedAt"
     FROM trading.fills AS fill JOIN trading.executions AS execution ON execution.id = fill.execution_id
     WHERE execution.order_id = $1 ORDER BY fill.traded_at, fill.trade_id LIMIT $2`,
    [orderId, limit],
  );
}
