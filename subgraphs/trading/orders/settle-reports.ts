import type { Context } from '../../../shared/context.js';
import { alone, groupCommit, type Member } from '../../../shared/database/group-commit.js';
import { groupBy } from '../../../shared/group-by.js';
import type { Fill } from '../venues/venue.js';
import { announceOrders } from './announce-order.js';
import { divideFills } from './beyond.js';
import { executionsOfOrders, type ExecutionRow } from './execution.store.js';
import { recordFills } from './fill.store.js';
import { keepChangedFills } from './keep-changed-fills.js';
import { isOpen } from './order.js';
import { lockOrders, saveOrders, type LockedOrder, type OrderRow } from './order.store.js';
import type { RouteRest } from './plan-rounds.js';
import { distinctFills, reportedOn, resolvedOn, type Report } from './report.js';
import { insertRounds } from './round.store.js';
import { settleLate } from './settle-late.js';
import { settleOpen, type SettledChange, type Settling } from './settle-open.js';

/**
 * Settles reports on executions of one order: each fill once, in one transaction with the order's new state, the ledger and
 * the events. Reports may come late, repeatedly and in any order. None of them undoes another: an execution that has
 * ended stays so. Amounts that a venue executed beyond its request belong to the house, never to the client. What is left after a round
 * is not sent again.
 */
export async function settleReports(context: Context, orderId: string, reports: readonly Report[]): Promise<OrderRow> {
  const { order } = await settle(context, { orderId, reports, routeRest: undefined });
  return order;
}

/**
 * Settles reports likewise, and commits with them the next round of the order, if there is one: its executions must then be sent.
 * @param routeRest routes what is left of the order
 */
export function settleRound(
  context: Context,
  orderId: string,
  reports: readonly Report[],
  routeRest: RouteRest,
): Promise<SettledRound> {
  return settle(context, { orderId, reports, routeRest });
}

export interface SettledRound {
  readonly order: OrderRow;
  /** The executions of its next round: committed, and not sent. */
  readonly next: readonly ExecutionRow[];
}

interface Reported {
  readonly orderId: string;
  readonly reports: readonly Report[];
  readonly routeRest: RouteRest | undefined;
}

const settle = groupCommit<Reported, SettledRound>({
  work: settleOrders,
  lockOf: ({ orderId }) => orderId,
  isSingle: () => true,
});

async function settleOrders(
  tx: Context,
  members: readonly Member<Reported>[],
): Promise<(SettledRound | typeof alone)[]> {
  const ids = members.map(({ item }) => item.orderId);
  const orders = await lockOrders(tx, ids);
  const executions = await executionsOfOrders(tx, ids);
  // A late fill of a closed order is tried against the client's available funds, separately for each order.
  const isApart = (order: LockedOrder | undefined) =>
    members.length > 1 && order !== undefined && !isOpen(order.status);
  const settling = members.flatMap(({ item: { reports, routeRest } }, index) => {
    const [before, known] = [orders[index], executions[index]];
    return before === undefined || known === undefined || isApart(before)
      ? []
      : [{ before, known, reports, routeRest }];
  });
  const settled = settlementsOf(tx, settling, await newFills(tx, settling));
  const changes: SettledChange[] = [];
  if (settled.every(({ before }) => isOpen(before.status))) changes.push(...(await settleOpen(tx, settled)));
  else for (const one of settled) changes.push({ ...(await settleLate(tx, one)), next: undefined });
  await saveOrders(
    tx,
    changes.map(({ after }) => after),
    settled.flatMap(({ known, executions: all }) => all.filter((execution, index) => execution !== known[index])),
  );
  await insertRounds(
    tx,
    changes.flatMap(({ next }) => next ?? []),
  );
  await announceOrders(tx, changes);
  const results = new Map(changes.map(({ after, next }) => [after.id, { order: after, next: next?.executions ?? [] }]));
  return ids.map((id) => results.get(id) ?? alone);
}

/** An order with the reports on it. */
type Heard = Pick<Settling, 'before' | 'known' | 'reports' | 'routeRest'>;

/** Returns the new fills of the executions of these orders only, in the order in which they were traded. */
async function newFills(tx: Context, settling: readonly Heard[]): Promise<Fill[]> {
  const given = settling.flatMap(({ known, reports }) => {
    const own = new Set(known.map(({ id }) => id));
    return reports.flatMap(({ fills = [] }) => fills).filter(({ clientOrderId }) => own.has(clientOrderId));
  });
  const { added, changed } = await recordFills(tx, 'fills', distinctFills(given));
  const synthetic = new Set(
    settling.flatMap(({ before, known }) => (before.synthetic ? known.map(({ id }) => id) : [])),
  );
  await keepChangedFills(tx, changed, (id) => synthetic.has(id));
  return added.sort((left, right) => left.at.getTime() - right.at.getTime() || (left.tradeId < right.tradeId ? -1 : 1));
}

function settlementsOf(tx: Context, settling: readonly Heard[], fills: readonly Fill[]): Settling[] {
  const byExecution = groupBy(fills, ({ clientOrderId }) => clientOrderId);
  return settling.map(({ before, known, reports, routeRest }) => {
    const own = known.flatMap(({ id }) => byExecution.get(id) ?? []);
    const divided = divideFills(known, own);
    for (const { venue, tradeId, amount } of divided.beyond) {
      tx.log.error(
        { order: before.id, venue, tradeId, amount: amount.toFixed() },
        'The platform takes over a fill that no client requested',
      );
    }
    const executions = known.map((one) => resolvedOn(tx, reportedOn(one, reports, own), reports));
    return { before, known, reports, executions, fills: divided, routeRest };
  });
}
