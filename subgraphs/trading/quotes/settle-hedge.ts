import type { Context } from '../../../shared/context.js';
import { groupCommit, type Member } from '../../../shared/database/group-commit.js';
import { Decimal, sum } from '../../../shared/decimal.js';
import { postBothWorlds, type Journal } from '../ledger/post-journals.js';
import { distinctFills, isComplete, reportedOn, type Report } from '../orders/report.js';
import { housePostings } from '../orders/settlement.js';
import type { Fill } from '../venues/venue.js';
import {
  hedgeOrdersOf,
  insertHedgeFills,
  lockHedges,
  saveHedges,
  type HedgeOrderRow,
  type HedgeRow,
  type SavedHedge,
} from './hedge.store.js';

/** What became known of a hedge. */
export interface HedgeNews {
  readonly quoteId: string;
  /** Of its child orders. */
  readonly reports: readonly Report[];
  /** When it is looked at again while it is open. */
  readonly afterSeconds: number;
  /** Why nothing could be sent for it. */
  readonly reason?: string;
  /** Whether no venue takes what is left of it, because it is too little: that stays in PRINCIPAL, in both currencies. */
  readonly isRest?: boolean;
}

/**
 * Settles what became known of child orders of a hedge: each fill once, in one transaction with the ledger. A hedge of which nothing is
 * left ends with that: what the house gained or lost of the part that was traded moves from PRINCIPAL to SPREAD. Hedges that are settled
 * at the same time share a transaction.
 */
export const settleHedge = groupCommit<HedgeNews, HedgeRow>({
  work: settleHedges,
  lockOf: ({ quoteId }) => quoteId,
  isSingle: () => true,
});

async function settleHedges(tx: Context, members: readonly Member<HedgeNews>[]): Promise<HedgeRow[]> {
  const news = members.map(({ item }) => item);
  const hedges = await lockHedges(
    tx,
    news.map(({ quoteId }) => quoteId),
  );
  const sent = await hedgeOrdersOf(tx, hedges);
  const own = sent.map((orders) => new Set(orders.map(({ id }) => id)));
  const given = news.flatMap(({ reports }, index) =>
    reports.flatMap(({ fills = [] }) => fills).filter(({ clientOrderId }) => own[index]?.has(clientOrderId)),
  );
  const fills = await insertHedgeFills(tx, distinctFills(given));
  const settled = news.map((one, index) => {
    const [hedge, orders, ids] = [hedges[index], sent[index], own[index]];
    if (hedge === undefined || orders === undefined) throw new Error(`The hedge of ${one.quoteId} was not read`);
    return settle(
      hedge,
      orders,
      one,
      fills.filter(({ clientOrderId }) => ids?.has(clientOrderId)),
    );
  });
  await saveHedges(
    tx,
    settled,
    settled.flatMap(({ orders }) => orders),
  );
  await postBothWorlds(
    tx,
    settled.flatMap(({ journals }) => journals),
  );
  return settled.map(({ after }) => after);
}

interface Settled extends SavedHedge {
  /** Child orders of which something was reported. */
  readonly orders: readonly HedgeOrderRow[];
  readonly journals: readonly Journal[];
}

/** @param fills of its child orders that were not known */
function settle(
  hedge: HedgeRow,
  before: readonly HedgeOrderRow[],
  { reports, afterSeconds, reason, isRest = false }: HedgeNews,
  fills: readonly Fill[],
): Settled {
  const sent = before.map((one) => reportedOn(one, reports, fills));
  const hedgedAmount = sum([hedge.hedgedAmount, ...fills.map(({ amount }) => amount)]);
  const hedgedValue = sum([hedge.hedgedValue, ...fills.map(({ price, amount }) => price.times(amount))]);
  const isOver = sent.every(isComplete) && (isRest || hedgedAmount.greaterThanOrEqualTo(hedge.amount));
  const after: HedgeRow = {
    ...hedge,
    state: isOver ? 'DONE' : hedge.state,
    hedgedAmount: hedgedAmount.toFixed(),
    hedgedValue: hedgedValue.toFixed(),
    reason: reason ?? null,
  };
  return {
    after,
    afterSeconds,
    orders: sent.filter((one, index) => one !== before[index]),
    journals: [
      ...fills.map((fill) => journalOf(hedge, fill)),
      ...(hedge.state === 'OPEN' && isOver ? endOf(after) : []),
    ],
  };
}

/** What the house's own position and the venue exchange. */
function journalOf(hedge: HedgeRow, fill: Fill): Journal {
  return {
    key: `hedge:${fill.venue}:${fill.tradeId}`,
    cause: 'quote.hedge',
    causeId: hedge.quoteId,
    synthetic: hedge.synthetic,
    postings: housePostings(hedge, fill),
  };
}

/** The end of a hedge: its gain or loss becomes the house's. */
function endOf(hedge: HedgeRow): Journal[] {
  const { quoteId, synthetic, quote } = hedge;
  const gain = gainOf(hedge);
  if (gain.isZero()) return [];
  return [
    {
      key: `hedge.end:${quoteId}`,
      cause: 'quote.hedge',
      causeId: quoteId,
      synthetic,
      postings: [
        { account: { kind: 'PRINCIPAL', currency: quote }, amount: gain.negated() },
        { account: { kind: 'SPREAD', currency: quote }, amount: gain },
      ],
    },
  ];
}

/** What a hedge gained against the quoted price, in the quote currency, truncated to 18 decimals; below zero it is a loss. */
function gainOf({ side, amount, quoteAmount, hedgedAmount, hedgedValue }: HedgeRow): Decimal {
  const quoted = new Decimal(quoteAmount).times(hedgedAmount).dividedBy(amount);
  const gain = side === 'BUY' ? quoted.minus(hedgedValue) : new Decimal(hedgedValue).minus(quoted);
  return gain.toDecimalPlaces(18, Decimal.ROUND_DOWN);
}
