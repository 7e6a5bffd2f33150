import type { Context } from '../../../shared/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { Fault } from '../../../shared/errors.js';
import {
  clientCurrencies,
  postJournals,
  type HoldChange,
  type Journal,
  type Posting,
} from '../ledger/post-journals.js';
import type { Fill } from '../venues/venue.js';
import { announceOrder } from './announce-order.js';
import { beyondJournal, divideFills, type Divided } from './beyond.js';
import { executionsOf, insertFills, type ExecutionRow, type ExecutionState, type Outgoing } from './execution.store.js';
import { eventOf, isOpen, moved } from './order.js';
import { lockOrder, saveOrder, type LockedOrder, type OrderRow } from './order.store.js';
import { settleFill, type Executed, type Settled, type SettledOrder } from './settlement.js';

/** What became known of an execution. */
export interface Report {
  readonly executionId: string;
  readonly fills?: readonly Fill[];
  /** Where it stands since; as before when it is not given. */
  readonly state?: ExecutionState;
  /** What the venue says was executed in all. */
  readonly reported?: Decimal;
  readonly reason?: string;
  /** When it is to be looked up; never when it is not given. */
  readonly nextLookAt?: Date;
  /** Whether it was looked up for this. */
  readonly looked?: boolean;
  /** Whether an operator says so. */
  readonly resolved?: boolean;
}

/**
 * Settles what became known of executions of one order: each fill once, in one transaction with the order's new state, the ledger and
 * the events. Reports may come late, twice and in any order. What a report says is taken back by none: an execution that has
 * ended stays so. What a venue executed beyond what it was asked for is the house's, never the client's.
 */
export function settleReports(context: Context, orderId: string, reports: readonly Report[]): Promise<OrderRow> {
  return inTransaction(context, async (tx) => {
    const order = await lockOrder(tx, orderId);
    const before = await executionsOf(tx, orderId);
    const own = new Set(before.map(({ id }) => id));
    const given = reports.flatMap(({ fills = [] }) => fills).filter(({ clientOrderId }) => own.has(clientOrderId));
    const known = await insertFills(tx, distinctFills(given));
    const fills = distinctFills(given)
      .filter(({ tradeId }) => known.has(tradeId))
      .sort((left, right) => left.at.getTime() - right.at.getTime() || (left.tradeId < right.tradeId ? -1 : 1));
    const executions = before.map((execution) => resolvedOn(tx, reportedOn(execution, reports, fills), reports));
    const divided = divideFills(before, fills);
    for (const { venue, tradeId, amount } of divided.beyond) {
      tx.log.error(
        { order: orderId, venue, tradeId, amount: amount.toFixed() },
        'The house takes a fill that no client asked for',
      );
    }
    const { after, currencies } = isOpen(order.status)
      ? await settleOpen(tx, order, executions, divided)
      : await settleLate(tx, order, executions, divided);
    const reported = executions.filter((execution, index) => execution !== before[index]);
    await saveOrder(tx, after, reported);
    await announceOrder(tx, order, after, currencies);
    return after;
  });
}

/** Fills without those that are told twice. */
export function distinctFills(fills: readonly Fill[]): Fill[] {
  return [...new Map(fills.map((fill) => [`${fill.venue}\n${fill.tradeId}`, fill])).values()];
}

const ended: ReadonlySet<ExecutionState> = new Set<ExecutionState>(['FILLED', 'CANCELLED', 'REJECTED']);

/** An execution after what was reported of it; the same object where nothing was. */
export function reportedOn<Execution extends Outgoing>(
  execution: Execution,
  reports: readonly Report[],
  fills: readonly Fill[],
): Execution {
  const own = reports.filter(({ executionId }) => executionId === execution.id);
  const added = fills.filter(({ clientOrderId }) => clientOrderId === execution.id);
  if (own.length === 0) return execution;
  const filled = added.reduce((sum, { amount }) => sum.plus(amount), new Decimal(execution.filledAmount));
  const reported = Decimal.max(execution.reportedAmount, filled, ...own.map(({ reported: said }) => said ?? 0));
  const isWhole = filled.greaterThanOrEqualTo(execution.amount);
  const said = own.findLast(({ state }) => state !== undefined);
  const state = isWhole ? 'FILLED' : ended.has(execution.state) ? execution.state : (said?.state ?? execution.state);
  const complete = ended.has(state) && filled.greaterThanOrEqualTo(reported);
  // Fills that come by themselves say nothing of the rest: what was to be looked up still is.
  const planned = said === undefined ? execution.nextLookAt : null;
  const nextLookAt = own.findLast((one) => one.nextLookAt !== undefined)?.nextLookAt ?? planned;
  return {
    ...execution,
    state,
    reason: said?.reason ?? execution.reason,
    filledAmount: filled.toFixed(),
    reportedAmount: reported.toFixed(),
    looks: looksAfter(execution.looks, own),
    nextLookAt: complete ? null : nextLookAt,
  };
}

/** Whether nothing more of an execution is the client's: it has ended and its fills are here, or an operator has settled it. */
export function isSettled({ state, filledAmount, reportedAmount, resolvedAt }: ExecutionRow): boolean {
  return resolvedAt !== null || (ended.has(state) && new Decimal(filledAmount).greaterThanOrEqualTo(reportedAmount));
}

/** An operator's word stands for the venue's: no more than he says was executed. */
function resolvedOn({ clock }: Context, execution: ExecutionRow, reports: readonly Report[]): ExecutionRow {
  const isResolved = reports.some(({ executionId, resolved }) => executionId === execution.id && resolved === true);
  if (!isResolved) return execution;
  return { ...execution, reportedAmount: execution.filledAmount, nextLookAt: null, resolvedAt: clock.now() };
}

/** Looks one after the other: one that finds the execution open begins anew. */
function looksAfter(looks: number, reports: readonly Report[]): number {
  if (!reports.some(({ looked }) => looked === true)) return looks;
  return reports.some(({ state, nextLookAt }) => state === 'OPEN' && nextLookAt === undefined) ? 0 : looks + 1;
}

function executedOf(order: LockedOrder): Executed {
  return {
    amount: new Decimal(order.filledAmount),
    exactValue: new Decimal(order.exactValue),
    value: new Decimal(order.filledValue),
    exactFee: new Decimal(order.exactFee),
    fee: new Decimal(order.fee),
  };
}

function termsOf(order: LockedOrder): SettledOrder {
  return { ...order, makerFee: new Decimal(order.makerFee), takerFee: new Decimal(order.takerFee) };
}

/** The order after its executions stand so. A closed one changes no state: late fills only add to what was executed. */
function orderAfter(
  { clock }: Context,
  order: LockedOrder,
  executions: readonly ExecutionRow[],
  executed: Executed,
): LockedOrder {
  const now = clock.now();
  const standing = {
    status: order.status,
    settled: executions.every(isSettled),
    filledAmount: executed.amount,
    placedAmount: executions.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0)),
    amount: order.amount === null ? undefined : new Decimal(order.amount),
    allRejected: executions.every(({ state }) => state === 'REJECTED'),
    expired: order.expiresAt !== null && order.expiresAt <= now,
  };
  const event = eventOf(standing);
  const status = event === undefined ? order.status : moved(order.status, event);
  const closes = isOpen(order.status) && !isOpen(status);
  const reasons = executions.flatMap(({ venue, reason }) => (reason === null ? [] : [`${venue}: ${reason}`]));
  return {
    ...order,
    status,
    reason: closes && status !== 'FILLED' && reasons.length > 0 ? reasons.join('; ').slice(0, 500) : order.reason,
    filledAmount: executed.amount.toFixed(),
    filledValue: executed.value.toFixed(),
    exactValue: executed.exactValue.toFixed(),
    fee: executed.fee.toFixed(),
    exactFee: executed.exactFee.toFixed(),
    filledAt: closes && status === 'FILLED' ? now : order.filledAt,
    closedAt: closes ? now : order.closedAt,
  };
}

function journalOf(order: LockedOrder, fill: Fill, settled: Settled): Journal {
  const { synthetic, id: causeId } = order;
  return {
    key: `fill:${fill.venue}:${fill.tradeId}`,
    cause: 'order.fill',
    causeId,
    synthetic,
    postings: settled.postings,
  };
}

interface Changed {
  readonly after: LockedOrder;
  /** In which currencies the wallet has something else than before. */
  readonly currencies: readonly string[];
}

/** What the client gives. */
const givenOf = ({ side, base, quote }: LockedOrder): string => (side === 'BUY' ? quote : base);

/** Settles fills of an open order against its hold, and gives back what remains of that when the order is over. */
async function settleOpen(
  tx: Context,
  order: LockedOrder,
  executions: readonly ExecutionRow[],
  { client, beyond }: Divided,
): Promise<Changed> {
  const { holdId, id: causeId, synthetic } = order;
  let executed = executedOf(order);
  const journals: Journal[] = client.map((fill) => {
    const settled = settleFill(termsOf(order), executed, fill);
    executed = settled.after;
    const spends: HoldChange[] =
      holdId === null || settled.spent.isZero() ? [] : [{ act: 'spend', id: holdId, amount: settled.spent }];
    return { ...journalOf(order, fill, settled), holds: spends };
  });
  const after = orderAfter(tx, order, executions, executed);
  if (holdId !== null && !isOpen(after.status)) {
    const release: HoldChange = { act: 'release', id: holdId };
    const last = journals.pop();
    // The last fill gives back what remains; an order that ends otherwise has a journal for that.
    journals.push(
      last === undefined
        ? { key: `order.release:${causeId}`, cause: 'order.end', causeId, synthetic, holds: [release] }
        : { ...last, holds: [...(last.holds ?? []), release] },
    );
  }
  await postJournals(tx, [...journals, ...beyond.map((fill) => beyondJournal(order, fill))]);
  return { after, currencies: clientCurrencies(journals, givenOf(order)) };
}

/**
 * Settles fills of an order that was over, and whose hold is gone: from what the client has available. A fill that this cannot pay is
 * the house's own trade, and no part of the order.
 */
async function settleLate(
  tx: Context,
  order: LockedOrder,
  executions: readonly ExecutionRow[],
  { client, beyond }: Divided,
): Promise<Changed> {
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
      if (!(error instanceof Fault && error.code === 'INSUFFICIENT_BALANCE')) throw error;
      const { id, tradeId } = { id: order.id, tradeId: fill.tradeId };
      tx.log.error({ order: id, venue: fill.venue, tradeId }, 'The house takes a late fill that its client cannot pay');
      await postJournals(tx, [{ ...journal, cause: 'order.late', postings: postings.map(onOwnAccount) }]);
    }
  }
  await postJournals(
    tx,
    beyond.map((fill) => beyondJournal(order, fill)),
  );
  return { after: orderAfter(tx, order, executions, executed), currencies: clientCurrencies(paid, givenOf(order)) };
}

/** The same posting, with the house in the place of the client. */
function onOwnAccount({ account, amount }: Posting): Posting {
  return {
    account: account.kind === 'AVAILABLE' ? { kind: 'PRINCIPAL', currency: account.currency } : account,
    amount,
  };
}
