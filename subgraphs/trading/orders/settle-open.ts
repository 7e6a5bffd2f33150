import type { Context } from '../../../shared/context.js';
import { clientCurrencies, postBothWorlds, type HoldChange, type Journal } from '../ledger/post-journals.js';
import type { Change } from './announce-order.js';
import { beyondJournal } from './beyond.js';
import { executedOf, givenOf, journalOf, orderAfter, termsOf, type Outlook, type Settlement } from './order-after.js';
import { isOpen } from './order.js';
import type { LockedOrder } from './order.store.js';
import { planRounds, type RouteRest } from './plan-rounds.js';
import type { NewRound } from './round.store.js';
import { settleFill, type Executed } from './settlement.js';

/** A settled order, and the round in which what is left of it is sent again. */
export interface Settling extends Settlement {
  readonly routeRest: RouteRest | undefined;
}

export interface SettledChange extends Change {
  readonly next: NewRound | undefined;
}

/** Settles fills of open orders against their holds, decides about their next rounds, and releases the remainder for orders that are over. */
export async function settleOpen(tx: Context, settlements: readonly Settling[]): Promise<SettledChange[]> {
  const filled = settlements.map((one) => ({ ...one, ...fillsOf(one) }));
  const planned = await planRounds(tx, filled);
  const all = filled.map((one, index) => ({ ...one, ...closed(tx, one, planned[index]), next: planned[index]?.next }));
  await postBothWorlds(
    tx,
    all.flatMap(({ journals, before, fills: { beyond } }) => [
      ...journals,
      ...beyond.map((fill) => beyondJournal(before, fill)),
    ]),
  );
  return all.map(({ before, after, journals, next }) => ({
    before,
    after,
    currencies: clientCurrencies(journals, givenOf(before)),
    next,
  }));
}

interface Filled {
  readonly executed: Executed;
  /** One for each fill of the client. */
  readonly journals: readonly Journal[];
}

function fillsOf({ before: order, fills: { client } }: Settlement): Filled {
  const { holdId } = order;
  let executed = executedOf(order);
  const journals = client.map((fill): Journal => {
    const settled = settleFill(termsOf(order), executed, fill);
    executed = settled.after;
    const spends: HoldChange[] =
      holdId === null || settled.spent.isZero() ? [] : [{ act: 'spend', id: holdId, amount: settled.spent }];
    return { ...journalOf(order, fill, settled), holds: spends };
  });
  return { executed, journals };
}

/** Returns the order after its fills, and the journals with the release of the remainder where it is over. */
function closed(
  tx: Context,
  { before: order, executions, executed, journals }: Settlement & Filled,
  outlook: Outlook | undefined,
): { readonly after: LockedOrder; readonly journals: readonly Journal[] } {
  const { holdId, id: causeId, synthetic } = order;
  const after = orderAfter(tx, order, executions, executed, outlook);
  if (holdId === null || isOpen(after.status)) return { after, journals };
  const release: HoldChange = { act: 'release', id: holdId };
  const last = journals.at(-1);
  // The last fill releases the remainder; an order that ends otherwise has a journal for that.
  if (last === undefined) {
    const key = `order.release:${causeId}`;
    return { after, journals: [{ key, cause: 'order.end', causeId, synthetic, holds: [release] }] };
  }
  return { after, journals: journals.with(-1, { ...last, holds: [...(last.holds ?? []), release] }) };
}
