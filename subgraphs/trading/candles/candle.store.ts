import type { Context } from '../../../shared/kernel/context.js';
import { type HourCandle, type Interval, intervals, opensAt } from './tape.js';

export interface CandleRow {
  readonly openedAt: Date;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
}

export interface WriterLease {
  readonly synthetic: boolean;
  readonly epoch: string;
}

/** Acquires or renews the lease, by the database's clock; undefined while another process holds it. A new holder gets a new epoch. */
export async function takeWriterLease(
  { manager }: Context,
  { synthetic, holder, leaseMs }: { readonly synthetic: boolean; readonly holder: string; readonly leaseMs: number },
): Promise<WriterLease | undefined> {
  const rows = await manager.rows<{ readonly epoch: string }>(
    `INSERT INTO trading.candle_writers AS writer (synthetic, holder, epoch, held_until)
     VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond')
     ON CONFLICT (synthetic) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until,
       epoch = writer.epoch + CASE WHEN writer.holder = excluded.holder THEN 0 ELSE 1 END
     WHERE writer.holder = excluded.holder OR writer.held_until < clock_timestamp()
     RETURNING epoch`,
    [synthetic, holder, leaseMs],
  );
  return rows[0] && { synthetic, epoch: rows[0].epoch };
}

export async function dropWriterLease({ manager }: Context, holder: string): Promise<void> {
  await manager.execute('UPDATE trading.candle_writers SET held_until = clock_timestamp() WHERE holder = $1', [holder]);
}

/** A repetition changes nothing; totals of previous writers are kept and added to; without the lease nothing changes. Trades replace mid prices, never the reverse. */
export async function saveHours(
  { manager }: Context,
  { synthetic, epoch }: WriterLease,
  hours: readonly HourCandle[],
): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.candles AS known
       (synthetic, symbol, length, opened_at, open, high, low, close, volume, traded, first_at, last_at, epoch)
     SELECT $1, symbol, '1h', opened_at, open, high, low, close, volume, traded, first_at, last_at, $2
     FROM unnest($3::text[], $4::timestamptz[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[],
       $10::boolean[], $11::timestamptz[], $12::timestamptz[])
       AS hour (symbol, opened_at, open, high, low, close, volume, traded, first_at, last_at)
     ON CONFLICT (synthetic, symbol, length, opened_at) DO UPDATE SET
       open = CASE WHEN known.traded <> excluded.traded OR excluded.first_at < known.first_at
         THEN excluded.open ELSE known.open END,
       high = CASE WHEN known.traded <> excluded.traded THEN excluded.high ELSE greatest(known.high, excluded.high) END,
       low = CASE WHEN known.traded <> excluded.traded THEN excluded.low ELSE least(known.low, excluded.low) END,
       close = CASE WHEN known.traded <> excluded.traded OR excluded.last_at >= known.last_at
         THEN excluded.close ELSE known.close END,
       volume_before = CASE WHEN known.epoch = excluded.epoch THEN known.volume_before ELSE known.volume END,
       volume = CASE WHEN known.epoch = excluded.epoch THEN known.volume_before ELSE known.volume END + excluded.volume,
       traded = excluded.traded,
       first_at = CASE WHEN known.traded <> excluded.traded THEN excluded.first_at
         ELSE least(known.first_at, excluded.first_at) END,
       last_at = greatest(known.last_at, excluded.last_at),
       epoch = excluded.epoch
     WHERE known.epoch <= excluded.epoch AND (excluded.traded OR NOT known.traded)`,
    [
      synthetic,
      epoch,
      hours.map(({ symbol }) => symbol),
      hours.map(({ openedMs }) => new Date(openedMs)),
      hours.map(({ open }) => open.toFixed()),
      hours.map(({ high }) => high.toFixed()),
      hours.map(({ low }) => low.toFixed()),
      hours.map(({ close }) => close.toFixed()),
      hours.map(({ volume }) => volume.toFixed()),
      hours.map(({ traded }) => traded),
      hours.map(({ firstMs }) => new Date(firstMs)),
      hours.map(({ lastMs }) => new Date(lastMs)),
    ],
  );
}

/** The shorter candles from which each longer one is built. */
const madeOf: Readonly<Record<Exclude<Interval, '1h'>, Interval>> = { '4h': '1h', '1d': '1h', '1w': '1d' };

/** A repetition changes nothing. Hours without a trade count with their mid prices. @param length interval of the candles to build */
export async function rollUp(
  { manager }: Context,
  length: Exclude<Interval, '1h'>,
  {
    synthetic,
    symbols,
    moments,
  }: { readonly synthetic: boolean; readonly symbols: readonly string[]; readonly moments: readonly Date[] },
): Promise<void> {
  const span = { '4h': '4 hours', '1d': '24 hours', '1w': '168 hours' }[length];
  await manager.execute(
    `INSERT INTO trading.candles
       (synthetic, symbol, length, opened_at, open, high, low, close, volume, traded, first_at, last_at)
     SELECT $1, symbol, $2, bucket.opened_at, (array_agg(open ORDER BY part.opened_at))[1], max(high), min(low),
       (array_agg(close ORDER BY part.opened_at DESC))[1], sum(volume), bool_or(traded), min(first_at), max(last_at)
     FROM (SELECT DISTINCT date_bin($4::interval, moment, '2001-01-01T00:00:00Z') AS opened_at
           FROM unnest($5::timestamptz[]) AS moment) AS bucket
     JOIN trading.candles AS part ON part.synthetic = $1 AND part.symbol = ANY ($6) AND part.length = $3
       AND part.opened_at >= bucket.opened_at AND part.opened_at < bucket.opened_at + $4::interval
     GROUP BY symbol, bucket.opened_at
     ON CONFLICT (synthetic, symbol, length, opened_at) DO UPDATE SET open = excluded.open, high = excluded.high,
       low = excluded.low, close = excluded.close, volume = excluded.volume, traded = excluded.traded,
       first_at = excluded.first_at, last_at = excluded.last_at`,
    [synthetic, length, madeOf[length], span, moments, symbols],
  );
}

export interface CandleRange {
  readonly synthetic: boolean;
  readonly symbol: string;
  readonly length: Interval;
  readonly from: Date;
}

/** Lists the candles from a time on, oldest first, preceded by the last one before it, if any. */
export function listCandles(
  { manager }: Context,
  { synthetic, symbol, length, from }: CandleRange,
): Promise<CandleRow[]> {
  return manager.rows(
    `SELECT opened_at AS "openedAt", trim_scale(open)::text AS open, trim_scale(high)::text AS high, trim_scale(low)::text AS low,
       trim_scale(close)::text AS close, trim_scale(volume)::text AS volume
     FROM trading.candles
     WHERE synthetic = $1 AND symbol = $2 AND length = $3 AND opened_at >= coalesce(
       (SELECT max(opened_at) FROM trading.candles
        WHERE synthetic = $1 AND symbol = $2 AND length = $3 AND opened_at < $4), $4)
     ORDER BY opened_at`,
    [synthetic, symbol, length, from],
  );
}

/** Deletes short candles that can no longer be requested; the longer ones include them. */
export async function deleteCandlesBefore({ manager }: Context, length: Interval, before: Date): Promise<void> {
  await manager.execute('DELETE FROM trading.candles WHERE length = $1 AND opened_at < $2', [length, before]);
}

export async function hasCandles({ manager }: Context, synthetic: boolean): Promise<boolean> {
  const rows = await manager.rows<unknown>('SELECT 1 FROM trading.candles WHERE synthetic = $1 LIMIT 1', [synthetic]);
  return rows.length > 0;
}

export type NewCandle = Pick<HourCandle, 'openedMs' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'lastMs'>;

/** Inserts candles of the past; existing ones stay. */
export async function insertCandles(
  { manager }: Context,
  { synthetic, symbol, length }: Omit<CandleRange, 'from'>,
  candles: readonly NewCandle[],
): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.candles
       (synthetic, symbol, length, opened_at, open, high, low, close, volume, traded, first_at, last_at)
     SELECT $1, $2, $3, opened_at, open, high, low, close, volume, true, opened_at, last_at
     FROM unnest($4::timestamptz[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[], $9::numeric[], $10::timestamptz[])
       AS candle (opened_at, open, high, low, close, volume, last_at)
     ON CONFLICT DO NOTHING`,
    [
      synthetic,
      symbol,
      length,
      candles.map(({ openedMs }) => new Date(openedMs)),
      candles.map(({ open }) => open.toFixed()),
      candles.map(({ high }) => high.toFixed()),
      candles.map(({ low }) => low.toFixed()),
      candles.map(({ close }) => close.toFixed()),
      candles.map(({ volume }) => volume.toFixed()),
      candles.map(({ lastMs }) => new Date(lastMs)),
    ],
  );
}

export interface DayHour extends CandleRow {
  readonly symbol: string;
}

export function listHoursSince({ manager }: Context, synthetic: boolean, since: Date): Promise<DayHour[]> {
  return manager.rows(
    `SELECT symbol, opened_at AS "openedAt", open, high, low, close, volume FROM trading.candles
     WHERE synthetic = $1 AND symbol IN (SELECT symbol FROM trading.markets) AND length = '1h' AND opened_at >= $2
     ORDER BY opened_at`,
    [synthetic, since],
  );
}

interface CandleRequest {
  readonly synthetic: boolean;
  readonly symbol: string;
  readonly interval: Interval;
  /** Maximum number of candles, from 1. */
  readonly limit: number;
}

/** Returns the oldest first, with the current one. Times without data in between repeat the previous close with a volume of 0; nothing is filled in before the first candle. */
export async function readCandles(context: Context, request: CandleRequest): Promise<CandleRow[]> {
  const { synthetic, symbol, interval, limit } = request;
  const length = intervals[interval];
  const lastMs = opensAt(interval, context.clock.now().getTime());
  const fromMs = lastMs - (limit - 1) * length;
  const rows = await listCandles(context, { synthetic, symbol, length: interval, from: new Date(fromMs) });
  return fillGaps(rows, { fromMs, lastMs, length });
}

/** Returns one candle for each interval from the first that is known, at the earliest `fromMs`, to `lastMs`. */
export function fillGaps(
  rows: readonly CandleRow[],
  { fromMs, lastMs, length }: { readonly fromMs: number; readonly lastMs: number; readonly length: number },
): CandleRow[] {
  const byTime = new Map(rows.map((row) => [row.openedAt.getTime(), row]));
  const [first] = rows;
  if (first === undefined) return [];
  const filled: CandleRow[] = [];
  let before = first;
  for (let ms = Math.max(fromMs, first.openedAt.getTime()); ms <= lastMs; ms += length) {
    const { close } = before;
    const row = byTime.get(ms) ?? { openedAt: new Date(ms), open: close, high: close, low: close, close, volume: '0' };
    filled.push(row);
    before = row;
  }
  return filled;
}
