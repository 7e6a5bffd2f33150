import type { Context } from '../../../shared/context.js';
import type { MarketRow } from '../markets/market.store.js';
import { isSpent, lastRound, mayGoOn, restOf, type Rest } from './next-round.js';
import { noOutlook, type Outlook, type Settlement } from './order-after.js';
import type { OrderRow } from './order.store.js';
import { loadRoundTerms, type NewRound } from './round.store.js';
import type { Executed } from './settlement.js';

/** Routes what is left of an order by what the process has in memory; undefined where nothing can be sent. */
export type RouteRest = (
  context: Pick<Context, 'clock'>,
  order: OrderRow,
  market: MarketRow,
  rest: Rest,
) => NewRound | undefined;

/** A settled order that may have a rest. */
export interface Reaching extends Settlement {
  readonly executed: Executed;
  /** Undefined where nobody could send a further round. */
  readonly routeRest: RouteRest | undefined;
}

/** How an order goes on, and the round in which it does. */
export interface Planned extends Outlook {
  readonly next: NewRound | undefined;
}

const ending: Planned = { ...noOutlook, next: undefined };

/**
 * Decides in the transaction that settles the last execution of a round what becomes of the rest, so that an order is either open, with executions
 * to send, or over. Orders without a rest cost no statement.
 */
export async function planRounds(tx: Context, all: readonly Reaching[]): Promise<Planned[]> {
  const now = tx.clock.now();
  const asked = all.flatMap((one) => {
    const reached = { order: one.before, executions: one.executions, executed: one.executed };
    const rest = restOf(reached);
    if (rest === undefined) return [];
    const goesOn = one.routeRest !== undefined && mayGoOn(reached, one.reports, now);
    return goesOn || lastRound(one.executions) > 1 ? [{ one, reached, rest, goesOn }] : [];
  });
  const terms = await loadRoundTerms(
    tx,
    asked.map(({ one }) => one.before.id),
  );
  const planned = new Map(
    asked.map(({ one, reached, rest, goesOn }, index): [Reaching, Planned] => {
      const market = terms[index];
      if (market === undefined) return [one, ending];
      const next = goesOn && market.permitted ? one.routeRest?.(tx, one.before, market, rest) : undefined;
      const spent = next === undefined && isSpent(reached, rest, market.minOrderSize);
      return [one, { goesOn: next !== undefined, isSpent: spent, next }];
    }),
  );
  return all.map((one) => planned.get(one) ?? ending);
}
