import { readTogether, type Reads } from '../../../shared/database/read-together.js';
import type { Side } from '../venues/venue.js';

/** The amount of clients' orders that rests, or may rest, at one price of a venue. Decimal text. */
export interface RestingLevel {
  readonly venue: string;
  readonly side: Side;
  readonly price: string;
  /** In the base currency: the part not known to be filled. */
  readonly amount: string;
}

/** Returns the resting orders in a market that were placed through the house, by any process. */
export async function restingIn(reads: Reads, symbol: string, synthetic: boolean): Promise<readonly RestingLevel[]> {
  return (await restingOf(reads, `${symbol} ${synthetic ? 'synthetic' : 'real'}`)) ?? [];
}

const restingOf = readTogether<readonly RestingLevel[]>(async ({ manager }, keys) => {
  const wanted = keys.map((key) => key.split(' '));
  const rows = await manager.rows<{ position: string; levels: RestingLevel[] }>(
    `SELECT position, json_agg(json_build_object('venue', venue, 'side', side, 'price', limit_price::text, 'amount', amount::text)) AS levels
     FROM (
       SELECT wanted.position, one.venue, one.side, one.limit_price, sum(one.amount - one.filled_amount) AS amount
       FROM unnest((SELECT $1::text[]), $2::boolean[]) WITH ORDINALITY AS wanted (symbol, synthetic, position)
       JOIN trading.executions AS one ON one.symbol = wanted.symbol AND one.synthetic = wanted.synthetic
       WHERE one.state IN ('SENDING', 'OPEN', 'UNKNOWN') AND one.time_in_force = 'GTC'
       GROUP BY wanted.position, one.venue, one.side, one.limit_price
     ) AS level GROUP BY position`,
    [wanted.map(([symbol]) => symbol), wanted.map(([, world]) => world === 'synthetic')],
  );
  return new Map(rows.map(({ position, levels }) => [keys[Number(position) - 1] ?? '', levels]));
});
