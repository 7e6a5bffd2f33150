import type { Context } from '../../../../shared/kernel/context.js';

/** The house's accounts at a venue by the books, in one snapshot. */
export interface VenueAccounts {
  /**
   * Whether anything of the house is under way there, or fills are missing that the venue has reported. A resting order does not count: the funds that
   * the venue has set aside for it are still the house's.
   */
  readonly unsettled: boolean;
  /** The number of postings to the accounts. */
  readonly movements: string;
  /** The house's balances there, as decimal text, in every currency. */
  readonly held: ReadonlyMap<string, string>;
}

interface Row {
  readonly unsettled: boolean;
  readonly movements: string;
  readonly held: readonly { readonly currency: string; readonly amount: string }[];
}

const isUnsettled = (row: string) =>
  `(${row}.state IN ('SENDING', 'OPEN', 'UNKNOWN') OR ${row}.filled_amount < ${row}.reported_amount)`;

/** Reads the accounts of a venue. In the ledger the house's holdings are negative. */
export async function readVenueAccounts(
  { manager }: Context,
  { name, synthetic }: { readonly name: string; readonly synthetic: boolean },
): Promise<VenueAccounts> {
  const row = await manager.one<Row>(
    `WITH account AS (
       SELECT code AS currency, coalesce(-sum(balance), 0) AS amount, coalesce(sum(entry_count), 0) AS movements
       FROM trading.currencies
       LEFT JOIN trading.ledger_accounts ON owner = $1 AND kind = 'VENUE' AND currency = code AND synthetic = $2
       GROUP BY code
     )
     SELECT sum(movements)::text AS movements, json_agg(json_build_object('currency', currency, 'amount', amount::text)) AS held,
       EXISTS (SELECT FROM trading.executions AS sent WHERE venue = $1 AND synthetic = $2 AND ${isUnsettled('sent')}
           AND NOT (state = 'OPEN' AND filled_amount >= reported_amount AND next_look_at IS NULL))
         OR EXISTS (SELECT FROM trading.hedges AS hedge JOIN trading.hedge_orders AS sent USING (quote_id)
           WHERE hedge.state = 'OPEN' AND hedge.synthetic = $2 AND venue = $1 AND ${isUnsettled('sent')}) AS unsettled
     FROM account`,
    [name, synthetic],
  );
  return { ...row, held: new Map(row.held.map(({ currency, amount }) => [currency, amount])) };
}
