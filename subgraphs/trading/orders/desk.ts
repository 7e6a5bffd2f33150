import type { Context } from '../../../shared/kernel/context.js';
import type { Decimal } from '../../../shared/kernel/decimal.js';
import type { MarketData } from '../markets/market-data.js';
import type { Fill } from '../venues/venue.js';
import type { ExecutionRow } from './execution.store.js';
import type { OrderRow } from './order.store.js';
import type { Report } from './report.js';
import type { SettledRound } from './settle-reports.js';

export interface Sendable extends SettledRound {
  /** When the commit began, by `performance.now()`. */
  readonly begunMs: number;
}

/** Communicates with venues about the executions of this process. */
export interface Desk {
  /** Identifies this process in its executions. */
  readonly session: string;
  readonly markets: MarketData;
  /** The house's available funds at a venue, at most some seconds old. */
  funds(venue: string, currency: string): Decimal;
  decimals(currency: string): number;
  /**
   * Sends the executions of a round that were committed with an order, once, settles the venues' reports, and does the same with each further round. Those that
   * could not be sent in time are REJECTED: another process may have looked them up in vain meanwhile.
   * @param begunMs when their commit began, by `performance.now()`; see `placeAtVenue`
   * @throws inside of a transaction, as `cancel` and `look` do
   */
  send(context: Context, orderId: string, executions: readonly ExecutionRow[], begunMs: number): Promise<OrderRow>;
  cancel(context: Context, orderId: string, executions: readonly ExecutionRow[]): Promise<OrderRow>;
  /** Looks up executions whose outcome is unknown; what is left of the order after them may be sent again. */
  look(context: Context, orderId: string, executions: readonly ExecutionRow[]): Promise<OrderRow>;
  /** Settles fills that arrived by themselves. The next round of the order, where there is one, is then to be sent. */
  settle(context: Context, orderId: string, reports: readonly Report[]): Promise<Sendable>;
  sending(): string[];
  /** Keeps a fill of an execution that is being sent, since most come with the response too. @returns false where it is not being sent */
  keep(fill: Fill): boolean;
  /** Returns the fills that no response contained. */
  takeKept(): Fill[];
  /** Reads currencies and the house's funds. Runs before the first order, and from time to time. */
  refresh(context: Context): Promise<void>;
}
