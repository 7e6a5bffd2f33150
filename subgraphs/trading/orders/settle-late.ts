import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/errors.js';
import { clientCurrencies, postJournals, type Journal, type Posting } from '../ledger/post-journals.js';
import type { Change } from './announce-order.js';
import { beyondJournal } from './beyond.js';
import { executedOf, givenOf, journalOf, orderAfter, termsOf, type Settlement } from './order-after.js';
import { settleFill } from './settlement.js';

/**
 * Settles fills of an order that was over, and whose hold is closed, from the client's available funds. A fill that these cannot pay is
 * the house's own trade, and not part of the order.
 */
export async function settleLate(
  tx: Context,
  { before: order, executions, fills: { client, beyond } }: Settlement,
): Promise<Change> {
  const payer = { kind: 'AVAILABLE', walletId: order.walletId, currency: givenOf(order) } as const;
  const paid: Journal[] = [];
  let executed = executedOf(order);
  for (const fill of client) {
    const settled = settleFill(termsOf(order), executed, fill);
    const journal = journalOf(order, fill, settled);
    const postings = [...settled.postings, { account: payer, amount: settled.spent.negated() }];
    try {
      await inTransaction(tx, (inner) => postJournals(inner, [{ ...journal, postings }]));
      paid.push({ ...journal, postings });
      executed = settled.after;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'INSUFFICIENT_BALANCE')) throw error;
      const { venue, tradeId } = fill;
      tx.log.error({ order: order.id, venue, tradeId }, 'A late fill is taken over: its client cannot pay it');
      await postJournals(tx, [{ ...journal, cause: 'order.late', postings: postings.map(onOwnAccount) }]);
    }
  }
  await postJournals(
    tx,
    beyond.map((fill) => beyondJournal(order, fill)),
  );
  const after = orderAfter(tx, order, executions, executed);
  return { before: order, after, currencies: clientCurrencies(paid, givenOf(order)) };
}

/** Returns the same posting with the house in place of the client. */
function onOwnAccount({ account, amount }: Posting): Posting {
  return {
    account: account.kind === 'AVAILABLE' ? { kind: 'PRINCIPAL', currency: account.currency } : account,
    amount,
  };
}
