import type { Context } from '../../../shared/kernel/context.js';
import { alone, groupCommit, type Member } from '../../../shared/database/group-commit.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import type { Fill } from '../venues/venue.js';
import { announceOrders, type Change } from './announce-order.js';
import {
  divideFills,
  beyondJournal,
  executedOf,
  givenOf,
  journalOf,
  orderAfter,
  termsOf,
  type Outlook,
  type Settlement,
  isSpent,
  lastRound,
  mayGoOn,
  restOf,
  type Rest,
  noOutlook,
} from './next-round.js';
import { executionsOfOrders, type ExecutionRow } from './execution.store.js';
import { recordFills, type ChangedFill } from './fill.store.js';
import { isOpen } from './order.js';
import {
  lockOrders,
  saveOrders,
  type LockedOrder,
  type OrderRow,
  insertRounds,
  type NewRound,
  loadRoundTerms,
} from './order.store.js';
import { distinctFills, reportedOn, resolvedOn, type Report } from './report.js';
import {
  clientCurrencies,
  postBothWorlds,
  type HoldChange,
  type Journal,
  postJournals,
  type Posting,
} from '../ledger/post-journals.js';
import { settleFill, type Executed } from './settlement.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { keepFindings } from '../ledger/findings.acts.js';
import type { MarketRow } from '../markets/market.store.js';

/**
 * Settles reports on executions of one order: each fill once, in one transaction with the order's new state, the ledger and the events.
 * Reports may come late, repeatedly and in any order. No report undoes another: an execution that has ended stays so. Amounts that a
 * venue executed beyond its request belong to the house, never to the client. The unfilled rest of a round is not sent again.
 */
export async function settleReports(context: Context, orderId: string, reports: readonly Report[]): Promise<OrderRow> {
  const { order } = await settle(context, { orderId, reports, routeRest: undefined });
  return order;
}

/** Commits with the reports the order's next round, if there is one: its executions must then be sent. @param routeRest routes what is left of the order */
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

/** Booked fills stay, and an operator books the difference. @param isSynthetic whether an order is synthetic, by its id at the venue */
export async function keepChangedFills(
  tx: Context,
  changed: readonly ChangedFill[],
  isSynthetic: (clientOrderId: string) => boolean,
): Promise<void> {
  const findings = changed.map(({ fill: { venue, tradeId, clientOrderId, symbol }, recorded, reported }) => ({
    invariant: 'VENUE_BALANCE' as const,
    currency: symbol.split('/')[0] ?? null,
    synthetic: isSynthetic(clientOrderId),
    subject: `venue ${venue}, trade ${tradeId}`.slice(0, 200),
    expected: recorded,
    actual: reported,
  }));
  await keepFindings(tx, findings);
}

/** Settles from the client's available funds; a fill that these cannot pay is the house's own trade, and not part of the order. */
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

function onOwnAccount({ account, amount }: Posting): Posting {
  return {
    account: account.kind === 'AVAILABLE' ? { kind: 'PRINCIPAL', currency: account.currency } : account,
    amount,
  };
}

interface Settling extends Settlement {
  readonly routeRest: RouteRest | undefined;
}

interface SettledChange extends Change {
  readonly next: NewRound | undefined;
}

/** Settles fills of open orders against their holds, decides about their next rounds, and releases the remainder for orders that are over. */
async function settleOpen(tx: Context, settlements: readonly Settling[]): Promise<SettledChange[]> {
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

/** Routes what is left of an order by what the process has in memory; undefined where nothing can be sent. */
export type RouteRest = (
  context: Pick<Context, 'clock'>,
  order: OrderRow,
  market: MarketRow,
  rest: Rest,
) => NewRound | undefined;

export interface Reaching extends Settlement {
  readonly executed: Executed;
  /** Undefined where nobody could send a further round. */
  readonly routeRest: RouteRest | undefined;
}

export interface Planned extends Outlook {
  readonly next: NewRound | undefined;
}

const ending: Planned = { ...noOutlook, next: undefined };

/** Decides in the transaction that settles a round's last execution, so that an order is either open, with executions to send, or over. Orders without a rest cost no statement. */
async function planRounds(tx: Context, all: readonly Reaching[]): Promise<Planned[]> {
  const now = tx.clock.now();
  const asked = all.flatMap((one) => {
    const reached = { order: one.before, executions: one.executions, executed: one.executed };
    const rest = restOf(reached);
    if (rest === undefined) return [];
    const goesOn = one.routeRest !== undefined && mayGoOn(reached, one.reports, now);
    return goesOn || lastRound(one.executions) > 1 ? [{ one, reached, rest, goesOn }] : [];
  });
  const terms = await loadRoundTerms(
    tx,
    asked.map(({ one }) => one.before.id),
  );
  const planned = new Map(
    asked.map(({ one, reached, rest, goesOn }, index): [Reaching, Planned] => {
      const market = terms[index];
      if (market === undefined) return [one, ending];
      const next = goesOn && market.permitted ? one.routeRest?.(tx, one.before, market, rest) : undefined;
      const spent = next === undefined && isSpent(reached, rest, market.minOrderSize);
      return [one, { goesOn: next !== undefined, isSpent: spent, next }];
    }),
  );
  return all.map((one) => planned.get(one) ?? ending);
}
