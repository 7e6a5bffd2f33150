import type { Context } from '../../../shared/context.js';
import type { Decimal } from '../../../shared/decimal.js';
import type { MarketData } from '../markets/market-data.js';
import type { Fill } from '../venues/venue.js';
import type { ExecutionRow } from './execution.store.js';
import type { OrderRow } from './order.store.js';

/** Communicates with venues about the executions of this process. */
export interface Desk {
  /** Identifies this process in its executions. */
  readonly session: string;
  readonly markets: MarketData;
  /** The house's available funds at a venue, at most some seconds old. */
  funds(venue: string, currency: string): Decimal;
  /** Decimals of a currency. */
  decimals(currency: string): number;
  /**
   * Sends the executions that were committed with an order, once, and settles the venues' reports. Those that could not be sent
   * in time are REJECTED: another process may have looked them up in vain meanwhile.
   * @param begunMs when their commit began, by `performance.now()`; see `placeAtVenue`
   * @throws inside of a transaction, as `cancel` and `look` do
   */
  send(context: Context, orderId: string, executions: readonly ExecutionRow[], begunMs: number): Promise<OrderRow>;
  /** Asks the venues to cancel executions, and settles their reports. */
  cancel(context: Context, orderId: string, executions: readonly ExecutionRow[]): Promise<OrderRow>;
  /** Looks up executions whose outcome is unknown. */
  look(context: Context, orderId: string, executions: readonly ExecutionRow[]): Promise<OrderRow>;
  /** Returns the executions that are being sent now. */
  sending(): string[];
  /**
   * Keeps a fill of an execution that is being sent, since most fills come with the response too; the others are left for `takeKept`.
   * @returns false where the execution is not being sent
   */
  keep(fill: Fill): boolean;
  /** Returns the fills that no response contained. */
  takeKept(): Fill[];
  /** Reads currencies and the house's funds. Runs before the first order, and from time to time. */
  refresh(context: Context): Promise<void>;
}
