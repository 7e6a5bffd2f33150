import { readTogether, type Reads } from '../../../shared/database/read-together.js';
import { arraysOf } from '../../../shared/arrays-of.js';
import { Decimal } from '../../../shared/decimal.js';
import type { Book, Level, Side } from '../venues/venue.js';

/** The amount of clients' orders that a book may contain at one price. Decimal text. */
export interface RestingLevel {
  readonly venue: string;
  readonly side: Side;
  readonly price: string;
  /** In the base currency. */
  readonly amount: string;
}

/** A side of a book: only orders within its prices can be in it. */
interface ShownSide {
  readonly venue: string;
  readonly side: Side;
  readonly low: string;
  readonly high: string;
  /** An earliest time of the book. */
  readonly at: string;
}

/** Books of about the same time share a read. */
const sameTimeMs = 250;

/**
 * Returns the orders placed through the house, by any process, that books of a market may contain: of those that rest, or may rest, the part not known to be
 * filled; and whole those that were filled or cancelled since a book was read, which still shows them. Orders at other prices than the books' are left out.
 */
export async function restingIn(
  reads: Reads,
  { symbol, synthetic }: { readonly symbol: string; readonly synthetic: boolean },
  books: readonly Pick<Book, 'venue' | 'bids' | 'asks' | 'at'>[],
): Promise<readonly RestingLevel[]> {
  const sides = books.flatMap(({ venue, bids, asks, at }) => {
    const earliest = new Date(Math.floor(at.getTime() / sameTimeMs) * sameTimeMs).toISOString();
    return [...rangeOf('BUY', bids), ...rangeOf('SELL', asks)].map((one) => ({ venue, at: earliest, ...one }));
  });
  if (sides.length === 0) return [];
  return (await restingOf(reads, JSON.stringify({ symbol, synthetic, sides } satisfies Wanted))) ?? [];
}

function rangeOf(side: Side, levels: readonly Level[]): Pick<ShownSide, 'side' | 'low' | 'high'>[] {
  if (levels.length === 0) return [];
  const prices = levels.map(({ price }) => price);
  return [{ side, low: Decimal.min(...prices).toFixed(), high: Decimal.max(...prices).toFixed() }];
}

interface Wanted {
  readonly symbol: string;
  readonly synthetic: boolean;
  readonly sides: readonly ShownSide[];
}

const restingOf = readTogether<readonly RestingLevel[]>(async ({ manager }, keys) => {
  const wanted = keys.flatMap((key, position) => {
    const { sides, ...market } = JSON.parse(key) as Wanted;
    return sides.map((side) => ({ position, ...market, ...side }));
  });
  const rows = await manager.rows<{ position: number; levels: RestingLevel[] }>(
    `WITH wanted AS (
       SELECT * FROM unnest((SELECT $1::integer[]), $2::text[], $3::boolean[], $4::text[], $5::text[], $6::numeric[], $7::numeric[],
         $8::timestamptz[]) AS wanted (position, symbol, synthetic, venue, side, low, high, at)
     ), resting AS (
       SELECT position, wanted.venue, wanted.side, limit_price,
         CASE WHEN updated_at >= at THEN amount ELSE amount - filled_amount END AS amount
       FROM wanted JOIN trading.executions AS one USING (symbol, synthetic, venue, side)
       WHERE one.state IN ('SENDING', 'OPEN', 'UNKNOWN') AND one.time_in_force = 'GTC' AND limit_price BETWEEN low AND high
       UNION ALL
       SELECT position, wanted.venue, wanted.side, limit_price, amount
       FROM wanted JOIN trading.executions AS one USING (symbol, synthetic, venue, side)
       WHERE one.state IN ('FILLED', 'CANCELLED') AND one.time_in_force = 'GTC' AND updated_at >= at AND limit_price BETWEEN low AND high
     )
     SELECT position, json_agg(json_build_object('venue', venue, 'side', side, 'price', limit_price::text, 'amount', amount::text)) AS levels
     FROM (SELECT position, venue, side, limit_price, sum(amount) AS amount FROM resting GROUP BY position, venue, side, limit_price) AS level
     GROUP BY position`,
    [...arraysOf(wanted, 'position', 'symbol', 'synthetic', 'venue', 'side', 'low', 'high', 'at')],
  );
  return new Map(rows.map(({ position, levels }) => [keys[position] ?? '', levels]));
});
