import { Decimal } from '../../../shared/decimal.js';
import type { Journal } from '../ledger/post-journals.js';
import type { Fill } from '../venues/venue.js';
import type { ExecutionRow } from './execution.store.js';
import { lastRound } from './next-round.js';
import type { OrderRow } from './order.store.js';
import { housePostings } from './settlement.js';

/** Fills of an order, by owner. */
export interface Divided {
  readonly client: readonly Fill[];
  /**
   * The house's fills: those a venue executed beyond the requested amount, beyond what an operator has settled with the client, or of a round whose rest
   * was sent again.
   */
  readonly beyond: readonly Fill[];
}

/**
 * Divides new fills: the client gets at most the amount of each execution, and nothing more once an operator has resolved it, or what it left was sent again. A fill that
 * is partly the client's is split; the venue's fee stays with the client's part.
 * @param executions as they were before these fills
 * @param fills in the order in which they were traded
 */
export function divideFills(executions: readonly ExecutionRow[], fills: readonly Fill[]): Divided {
  const last = lastRound(executions);
  const left = new Map(
    executions.map(({ id, round, amount, filledAmount, resolvedAt }) => [
      id,
      resolvedAt === null && round === last ? Decimal.max(0, new Decimal(amount).minus(filledAmount)) : new Decimal(0),
    ]),
  );
  const client: Fill[] = [];
  const beyond: Fill[] = [];
  for (const fill of fills) {
    const own = Decimal.min(fill.amount, left.get(fill.clientOrderId) ?? 0);
    const rest = fill.amount.minus(own);
    left.set(fill.clientOrderId, (left.get(fill.clientOrderId) ?? new Decimal(0)).minus(own));
    if (own.greaterThan(0)) client.push({ ...fill, amount: own });
    if (rest.greaterThan(0)) beyond.push({ ...fill, amount: rest, ...(own.isZero() ? {} : { fee: new Decimal(0) }) });
  }
  return { client, beyond };
}

/** Returns the journal between the house's own position and the venue for a fill that is not the client's. */
export function beyondJournal(order: OrderRow, fill: Fill): Journal {
  return {
    key: `fill:${fill.venue}:${fill.tradeId}:beyond`,
    cause: 'order.beyond',
    causeId: order.id,
    synthetic: order.synthetic,
    postings: housePostings(order, fill),
  };
}
