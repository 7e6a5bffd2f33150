import type { Context } from '../../../shared/kernel/context.js';
import { groupCommit, type Member } from '../../../shared/database/group-commit.js';
import { Decimal, sum } from '../../../shared/kernel/decimal.js';
import { postBothWorlds, type Journal } from '../ledger/post-journals.js';
import { recordFills, unrecordedHedgeFills } from '../orders/fill.store.js';
import { keepChangedFills } from '../orders/settle-reports.js';
import { distinctFills, isComplete, reportedOn, resolvedOn, type Report, isSettled } from '../orders/report.js';
import { housePostings } from '../orders/settlement.js';
import type { Fill } from '../venues/venue.js';
import {
  hedgeOrdersOf,
  lockHedges,
  saveHedges,
  type HedgeOrderRow,
  type HedgeRow,
  type SavedHedge,
  findHedgeOrders,
  findHedgedQuote,
} from './hedge.store.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { recordAudit } from '../../../shared/security/audit/record.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError, byRule } from '../../../shared/kernel/errors.js';
import { looksBeforeQuarantine } from '../orders/call-venue.js';
import { resolvedReport, type Resolution } from '../orders/resolve-execution.js';

export interface HedgeNews {
  readonly quoteId: string;
  /** Reports on its child orders. */
  readonly reports: readonly Report[];
  /** Seconds until it is due again while it is open; null for fills that arrived by themselves, which change no plan. */
  readonly afterSeconds: number | null;
  readonly reason?: string;
  /** Whether the rest is too small for every venue: it then stays in PRINCIPAL, in both currencies. */
  readonly isRest?: boolean;
}

/** Settles each fill once, in one transaction with the ledger. A hedge without a rest ends: its gain or loss moves from PRINCIPAL to SPREAD. Concurrent calls share a transaction. */
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
  const settling = news.map((one, index): Settling => {
    const [hedge, orders] = [hedges[index], sent[index]];
    if (hedge === undefined || orders === undefined) throw new Error(`The hedge of ${one.quoteId} was not read`);
    return { hedge, orders, news: { ...one, reports: openReports(tx, orders, one.reports) } };
  });
  const given = settling.flatMap(({ orders, news: { reports } }) => {
    const own = new Set(orders.map(({ id }) => id));
    return reports.flatMap(({ fills = [] }) => fills).filter(({ clientOrderId }) => own.has(clientOrderId));
  });
  const { added: fills, changed } = await recordFills(tx, 'hedge_fills', distinctFills(given));
  const synthetic = new Set(
    settling.flatMap(({ hedge, orders }) => (hedge.synthetic ? orders.map(({ id }) => id) : [])),
  );
  await keepChangedFills(tx, changed, (id) => synthetic.has(id));
  const settled = settling.map((one) => {
    const own = new Set(one.orders.map(({ id }) => id));
    return settle(
      tx,
      one,
      fills.filter(({ clientOrderId }) => own.has(clientOrderId)),
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
  readonly orders: readonly HedgeOrderRow[];
  readonly journals: readonly Journal[];
}

interface Settling {
  readonly hedge: HedgeRow;
  readonly orders: readonly HedgeOrderRow[];
  readonly news: HedgeNews;
}

/** Returns the reports without those on orders that an operator has resolved: the resolution replaces the venue's report, which would count the same twice. */
function openReports(tx: Context, orders: readonly HedgeOrderRow[], reports: readonly Report[]): Report[] {
  const resolved = new Set(orders.filter(({ resolvedAt }) => resolvedAt !== null).map(({ id }) => id));
  return reports.filter((report) => {
    if (!resolved.has(report.executionId)) return true;
    const amount = sum((report.fills ?? []).map((fill) => fill.amount));
    tx.log.warn(
      { hedgeOrder: report.executionId, state: report.state, amount: amount.toFixed() },
      'A venue reported on a hedge order that an operator has resolved: the report changes nothing',
    );
    return false;
  });
}

function settle(tx: Context, { hedge, orders: before, news }: Settling, fills: readonly Fill[]): Settled {
  const { reports, afterSeconds, reason, isRest = false } = news;
  const sent = before.map((one) => resolvedOn(tx, reportedOn(one, reports, fills), reports));
  const hedgedAmount = sum([hedge.hedgedAmount, ...fills.map(({ amount }) => amount)]);
  const hedgedValue = sum([hedge.hedgedValue, ...fills.map(({ price, amount }) => price.times(amount))]);
  if (hedge.state === 'DONE') for (const fill of fills) logLate(tx, hedge, fill);
  const isOver = sent.every(isComplete) && (isRest || hedgedAmount.greaterThanOrEqualTo(hedge.amount));
  const after: HedgeRow = {
    ...hedge,
    state: isOver ? 'DONE' : hedge.state,
    hedgedAmount: hedgedAmount.toFixed(),
    hedgedValue: hedgedValue.toFixed(),
    reason: reason ?? (afterSeconds === null ? hedge.reason : null),
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

/** Alerts an operator to a fill of a hedge that is done: the house has traded twice, and PRINCIPAL holds the position. */
function logLate(tx: Context, { quoteId }: HedgeRow, { venue, tradeId, side, amount, price }: Fill): void {
  tx.log.error(
    { quote: quoteId, venue, tradeId, side, amount: amount.toFixed(), price: price.toFixed() },
    'A fill of a hedge arrived after its end: its position stays in PRINCIPAL',
  );
}

function journalOf(hedge: HedgeRow, fill: Fill): Journal {
  return {
    key: `hedge:${fill.venue}:${fill.tradeId}`,
    cause: 'quote.hedge',
    causeId: hedge.quoteId,
    synthetic: hedge.synthetic,
    postings: housePostings(hedge, fill),
  };
}

/** Returns the journals that end a hedge: its gain or loss becomes the house's. */
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

/** Returns the gain of a hedge against the quoted price, in the quote currency, truncated to 18 decimals; a loss is negative. */
function gainOf({ side, amount, quotedValue, hedgedAmount, hedgedValue }: HedgeRow): Decimal {
  const quoted = new Decimal(quotedValue).times(hedgedAmount).dividedBy(amount);
  const gain = side === 'BUY' ? quoted.minus(hedgedValue) : new Decimal(hedgedValue).minus(quoted);
  return gain.toDecimalPlaces(18, Decimal.ROUND_DOWN);
}

/** Most are known already by the response. A fill that belongs to nobody is logged. @returns the fills of child orders that are being sent: they wait for the response */
export async function settleLateHedgeFills(context: Context, fills: readonly Fill[]): Promise<Fill[]> {
  const ids = new Set(fills.map(({ clientOrderId }) => clientOrderId).filter(isUuid));
  const orders = new Map((await findHedgeOrders(context, [...ids])).map((one) => [one.id, one]));
  const orderOf = ({ clientOrderId }: Fill) => orders.get(clientOrderId.toLowerCase());
  for (const fill of fills) if (orderOf(fill) === undefined) logUnknown(context, fill);
  const late = await unrecordedHedgeFills(
    context,
    fills.filter((fill) => orderOf(fill)?.isSending === false),
  );
  const byQuote = groupBy(late, (fill) => orderOf(fill)?.quoteId ?? '');
  await Promise.all(
    [...byQuote].map(([quoteId, own]) =>
      settleHedge(context, { quoteId, reports: reportsOf(own), afterSeconds: null }),
    ),
  );
  return fills.filter((fill) => orderOf(fill)?.isSending === true);
}

function reportsOf(fills: readonly Fill[]): Report[] {
  return [...groupBy(fills, ({ clientOrderId }) => clientOrderId)].map(([executionId, own]) => ({
    executionId,
    fills: own,
  }));
}

function logUnknown({ log }: Context, { venue, tradeId, clientOrderId, symbol, side, amount, price }: Fill): void {
  log.error(
    { venue, tradeId, clientOrderId, symbol, side, amount: amount.toFixed(), price: price.toFixed() },
    'A venue reported a fill of an order that the house did not send',
  );
}

/** Whether an operator may resolve a hedge order: it is not settled, and was looked up in vain often enough. */
export function waitsForOperator(order: HedgeOrderRow): boolean {
  return !isSettled(order) && order.state !== 'SENDING' && order.looks >= looksBeforeQuarantine;
}

/** Later reports of its venue change nothing; the rest of the hedge is traded again. @returns the id of its quote @throws {ApiError} NOT_FOUND; CONFLICT; BAD_REQUEST */
export function resolveHedgeOrder(context: Context, id: string, resolution: Resolution): Promise<string> {
  return inTransaction(context, (tx) => resolve(tx, id, resolution));
}

async function resolve(tx: Context, id: string, resolution: Resolution): Promise<string> {
  const quoteId = isUuid(id) ? await findHedgedQuote(tx, id) : undefined;
  if (quoteId === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such hedge order' });
  // From here on no other transaction can settle anything of the hedge.
  const hedges = await lockHedges(tx, [quoteId]);
  const [orders = []] = await hedgeOrdersOf(tx, hedges);
  const order = orders.find((one) => one.id === id.toLowerCase());
  const [hedge] = hedges;
  if (hedge === undefined || order === undefined || !waitsForOperator(order))
    throw new ApiError('CONFLICT', byRule('HEDGE_ORDER_NOT_WAITING'));
  const report = resolvedReport(tx, order, hedge.quote, resolution);
  const after = await settleHedge(tx, { quoteId, reports: [report], afterSeconds: 0 });
  const { outcome, amount = null, price = null, reason } = resolution;
  await recordAudit(tx, {
    action: 'resolveHedgeOrder',
    subject: { type: 'hedgeOrder', id: order.id },
    before: { state: order.state, hedgedAmount: hedge.hedgedAmount },
    after: {
      state: after.state,
      hedgedAmount: after.hedgedAmount,
      quoteId,
      outcome,
      amount,
      price,
      reason: reason.trim(),
    },
  });
  return quoteId;
}
