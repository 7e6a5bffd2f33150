import type { Context } from '../../../shared/context.js';
import { alone, groupCommit, type Member } from '../../../shared/database/group-commit.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/decimal.js';
import { ApiError } from '../../../shared/errors.js';
import { groupBy } from '../../../shared/group-by.js';
import {
  clientCurrencies,
  postBothWorlds,
  postJournals,
  type HoldChange,
  type Journal,
  type Posting,
} from '../ledger/post-journals.js';
import type { Fill } from '../venues/venue.js';
import { announceOrders, type Change } from './announce-order.js';
import { beyondJournal, divideFills, type Divided } from './beyond.js';
import { executionsOfOrders, insertFills, type ExecutionRow } from './execution.store.js';
import { eventOf, isOpen, moved } from './order.js';
import { lockOrders, saveOrders, type LockedOrder, type OrderRow } from './order.store.js';
import { distinctFills, isSettled, reportedOn, resolvedOn, type Report } from './report.js';
import { settleFill, type Executed, type Settled, type SettledOrder } from './settlement.js';

/**
 * Settles reports on executions of one order: each fill once, in one transaction with the order's new state, the ledger and
 * the events. Reports may come late, repeatedly and in any order. None of them undoes another: an execution that has
 * ended stays so. Amounts that a venue executed beyond its request belong to the house, never to the client.
 */
export function settleReports(context: Context, orderId: string, reports: readonly Report[]): Promise<OrderRow> {
  return settle(context, { orderId, reports });
}

interface Reported {
  readonly orderId: string;
  readonly reports: readonly Report[];
}

const settle = groupCommit<Reported, OrderRow>({
  work: settleOrders,
  lockOf: ({ orderId }) => orderId,
  isSingle: () => true,
});

/** An order with its reports, and the resulting changes. */
interface Settlement {
  readonly before: LockedOrder;
  /** The executions before and after the reports. */
  readonly known: readonly ExecutionRow[];
  readonly executions: readonly ExecutionRow[];
  readonly fills: Divided;
}

async function settleOrders(tx: Context, members: readonly Member<Reported>[]): Promise<(OrderRow | typeof alone)[]> {
  const ids = members.map(({ item }) => item.orderId);
  const orders = await lockOrders(tx, ids);
  const executions = await executionsOfOrders(tx, ids);
  // A late fill of a closed order is tried against the client's available funds, separately for each order.
  const isApart = (order: LockedOrder | undefined) =>
    members.length > 1 && order !== undefined && !isOpen(order.status);
  const settling = members.flatMap(({ item: { reports } }, index) => {
    const [before, known] = [orders[index], executions[index]];
    return before === undefined || known === undefined || isApart(before) ? [] : [{ before, known, reports }];
  });
  const settled = settlementsOf(tx, settling, await newFills(tx, settling));
  const changes = settled.every(({ before }) => isOpen(before.status))
    ? await settleOpen(tx, settled)
    : await Promise.all(settled.map((one) => settleLate(tx, one)));
  await saveOrders(
    tx,
    changes.map(({ after }) => after),
    settled.flatMap(({ known, executions: all }) => all.filter((execution, index) => execution !== known[index])),
  );
  await announceOrders(tx, changes);
  const after = new Map(changes.map((change) => [change.after.id, change.after]));
  return ids.map((id) => after.get(id) ?? alone);
}

interface Settling {
  readonly before: LockedOrder;
  readonly known: readonly ExecutionRow[];
  readonly reports: readonly Report[];
}

/** Returns the new fills of the executions of these orders only, in the order in which they were traded. */
async function newFills(tx: Context, settling: readonly Settling[]): Promise<Fill[]> {
  const given = settling.flatMap(({ known, reports }) => {
    const own = new Set(known.map(({ id }) => id));
    return reports.flatMap(({ fills = [] }) => fills).filter(({ clientOrderId }) => own.has(clientOrderId));
  });
  const added = await insertFills(tx, distinctFills(given));
  return added.sort((left, right) => left.at.getTime() - right.at.getTime() || (left.tradeId < right.tradeId ? -1 : 1));
}

function settlementsOf(tx: Context, settling: readonly Settling[], fills: readonly Fill[]): Settlement[] {
  const byExecution = groupBy(fills, ({ clientOrderId }) => clientOrderId);
  return settling.map(({ before, known, reports }) => {
    const own = known.flatMap(({ id }) => byExecution.get(id) ?? []);
    const divided = divideFills(known, own);
    for (const { venue, tradeId, amount } of divided.beyond) {
      tx.log.error(
        { order: before.id, venue, tradeId, amount: amount.toFixed() },
        'The platform takes over a fill that no client requested',
      );
    }
    const executions = known.map((one) => resolvedOn(tx, reportedOn(one, reports, own), reports));
    return { before, known, executions, fills: divided };
  });
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

/** Returns the order after a change of its executions. A closed order keeps its status: late fills only add to the executed amount. */
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

/** Returns the currency that the client pays with. */
const givenOf = ({ side, base, quote }: LockedOrder): string => (side === 'BUY' ? quote : base);

/** Settles fills of open orders against their holds, and releases the remainder for orders that are over. */
async function settleOpen(tx: Context, settlements: readonly Settlement[]): Promise<Change[]> {
  const all = settlements.map((one) => ({ before: one.before, ...openJournals(tx, one) }));
  await postBothWorlds(
    tx,
    all.flatMap(({ journals, beyond }) => [...journals, ...beyond]),
  );
  return all.map(({ before, after, journals }) => ({
    before,
    after,
    currencies: clientCurrencies(journals, givenOf(before)),
  }));
}

interface Journals {
  readonly after: LockedOrder;
  readonly journals: readonly Journal[];
  /** Journals of fills that belong to the house. */
  readonly beyond: readonly Journal[];
}

function openJournals(tx: Context, { before: order, executions, fills: { client, beyond } }: Settlement): Journals {
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
    // The last fill releases the remainder; an order that ends otherwise has a journal for that.
    journals.push(
      last === undefined
        ? { key: `order.release:${causeId}`, cause: 'order.end', causeId, synthetic, holds: [release] }
        : { ...last, holds: [...(last.holds ?? []), release] },
    );
  }
  return { after, journals, beyond: beyond.map((fill) => beyondJournal(order, fill)) };
}

/**
 * Settles fills of an order that was over, and whose hold is closed, from the client's available funds. A fill that these cannot pay is
 * the house's own trade, and not part of the order.
 */
async function settleLate(
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
      const { id, tradeId } = { id: order.id, tradeId: fill.tradeId };
      tx.log.error({ order: id, venue: fill.venue, tradeId }, 'A late fill is taken over: its client cannot pay it');
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
