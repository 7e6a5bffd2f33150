import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import type { Account } from '../ledger/account.js';
import { postJournals, type Journal } from '../ledger/post-journals.js';
import { distinctFills, reportedOn, type Report } from '../orders/report.js';
import type { Fill } from '../venues/venue.js';
import {
  hedgeOrdersOf,
  insertHedgeFills,
  lockHedge,
  saveHedge,
  saveHedgeOrders,
  type HedgeOrderRow,
  type HedgeRow,
} from './hedge.store.js';

/**
 * Settles what became known of child orders of a hedge: each fill once, in one transaction with the ledger.
 * @param afterSeconds when the hedge is looked at again
 */
export function settleHedge(
  context: Context,
  quoteId: string,
  reports: readonly Report[],
  afterSeconds: number,
): Promise<void> {
  return inTransaction(context, async (tx) => {
    const hedge = await lockHedge(tx, quoteId);
    const sent = await hedgeOrdersOf(tx, hedge);
    const own = new Set(sent.map(({ id }) => id));
    const given = distinctFills(reports.flatMap(({ fills = [] }) => fills)).filter((fill) =>
      own.has(fill.clientOrderId),
    );
    const known = await insertHedgeFills(tx, given);
    const fills = given.filter(({ tradeId }) => known.has(tradeId));
    await saveHedgeOrders(
      tx,
      sent.map((one) => reportedOn(one, reports, fills)),
    );
    const added = (of: (fill: Fill) => Decimal) => fills.reduce((sum, fill) => sum.plus(of(fill)), new Decimal(0));
    const after = {
      ...hedge,
      hedgedAmount: added(({ amount }) => amount)
        .plus(hedge.hedgedAmount)
        .toFixed(),
      hedgedValue: added(({ price, amount }) => price.times(amount))
        .plus(hedge.hedgedValue)
        .toFixed(),
      reason: null,
    };
    await saveHedge(tx, after, afterSeconds);
    await postJournals(
      tx,
      fills.map((fill) => journalOf(hedge, fill)),
    );
  });
}

/** What the house's own position and the venue exchange. */
function journalOf({ quoteId, synthetic, side, base, quote }: HedgeRow, fill: Fill): Journal {
  const value = fill.price.times(fill.amount);
  const sign = side === 'BUY' ? 1 : -1;
  const venue = (currency: string): Account => ({ kind: 'VENUE', venue: fill.venue, currency });
  return {
    key: `hedge:${fill.venue}:${fill.tradeId}`,
    cause: 'quote.hedge',
    causeId: quoteId,
    synthetic,
    postings: [
      { account: venue(quote), amount: value.times(sign) },
      { account: { kind: 'PRINCIPAL', currency: quote }, amount: value.times(-sign) },
      { account: venue(base), amount: fill.amount.times(-sign) },
      { account: { kind: 'PRINCIPAL', currency: base }, amount: fill.amount.times(sign) },
      { account: venue(fill.feeCurrency), amount: fill.fee },
      { account: { kind: 'VENUE_FEES', currency: fill.feeCurrency }, amount: fill.fee.negated() },
    ],
  };
}

/** Whether a child order has ended at its venue and all of its fills are here. */
export function isSettled({ state, filledAmount, reportedAmount }: HedgeOrderRow): boolean {
  const hasEnded = state === 'FILLED' || state === 'CANCELLED' || state === 'REJECTED';
  return hasEnded && new Decimal(filledAmount).greaterThanOrEqualTo(reportedAmount);
}

/**
 * Ends a hedge: what the house gained or lost of the part that was traded moves from PRINCIPAL to SPREAD. A part that no venue takes
 * stays in PRINCIPAL, in both currencies. Ending it again changes nothing.
 */
export function finishHedge(context: Context, quoteId: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    const hedge = await lockHedge(tx, quoteId);
    const sent = await hedgeOrdersOf(tx, hedge);
    if (hedge.state === 'DONE' || !sent.every(isSettled)) return;
    await saveHedge(tx, { ...hedge, state: 'DONE' }, 0);
    const gain = gainOf(hedge);
    if (gain.isZero()) return;
    await postJournals(tx, [
      {
        key: `hedge.end:${quoteId}`,
        cause: 'quote.hedge',
        causeId: quoteId,
        synthetic: hedge.synthetic,
        postings: [
          { account: { kind: 'PRINCIPAL', currency: hedge.quote }, amount: gain.negated() },
          { account: { kind: 'SPREAD', currency: hedge.quote }, amount: gain },
        ],
      },
    ]);
  });
}

/** What a hedge gained against the quoted price, in the quote currency, truncated to 18 decimals; below zero it is a loss. */
function gainOf({ side, amount, quoteAmount, hedgedAmount, hedgedValue }: HedgeRow): Decimal {
  const quoted = new Decimal(quoteAmount).times(hedgedAmount).dividedBy(amount);
  const gain = side === 'BUY' ? quoted.minus(hedgedValue) : new Decimal(hedgedValue).minus(quoted);
  return gain.toDecimalPlaces(18, Decimal.ROUND_DOWN);
}

/** Looks at a hedge again after some seconds. @param reason why nothing could be sent for it */
export function putOff(context: Context, quoteId: string, reason: string, seconds: number): Promise<void> {
  return inTransaction(context, async (tx) => saveHedge(tx, { ...(await lockHedge(tx, quoteId)), reason }, seconds));
}
