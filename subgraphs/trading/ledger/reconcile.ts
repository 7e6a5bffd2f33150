import type { Context } from '../../../shared/kernel/context.js';
import { allowLongStatements } from '../../../shared/database/long-statements.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import type { Discrepancy } from './finding.store.js';
import type { Invariant } from './ledger.type.js';
import { keepFindings } from './findings.acts.js';
import {
  countStrayEntries,
  findInBalances,
  findInEntries,
  findInProvedMonth,
  monthsToProve,
  proveMonth,
  provedMonths,
} from './ledger.store.js';

/** A month of entries takes some seconds for every ten million. */
const longestStatementMs = 15 * 60_000;
const dayMs = 86_400_000;

/** Checks everything that the balances can prove by themselves; runs every minute. @returns the discrepancies, which are stored and halt their currencies */
export async function reconcileBalances(context: Context): Promise<readonly Discrepancy[]> {
  const found = await findInBalances(context);
  await keepFindings(context, found);
  return found;
}

/** Months that are over are proved once and then represented by their sums; one of these is read again each night, in turn. @returns the stored discrepancies, which halt their currencies */
export async function proveLedger(context: Context): Promise<readonly Discrepancy[]> {
  const unproved = await proveMonths(context);
  const found = await inSnapshot(context, async (tx) => {
    const months = await provedMonths(tx);
    const [again] = months.slice(Math.floor(context.clock.now().getTime() / dayMs) % Math.max(1, months.length));
    const stray = await countStrayEntries(tx);
    return [
      ...(await findInBalances(tx)),
      ...(await findInEntries(tx, endOf(months.at(-1)))),
      ...(again === undefined ? [] : await findInProvedMonth(tx, again)),
      ...(stray === 0 ? [] : [wholeLedger('ENTRIES_HAVE_A_MONTH', '', 'none', `${stray} or more`)]),
    ];
  });
  const all = [...unproved, ...found];
  await keepFindings(context, all);
  return all;
}

/** Proves the months that are over, up to the first that does not add up. */
async function proveMonths(context: Context): Promise<Discrepancy[]> {
  for (const month of await monthsToProve(context)) {
    const proved = await inTransaction(context, async (tx) => {
      await allowLongStatements(tx.manager, longestStatementMs);
      return proveMonth(tx, month);
    });
    if (!proved) return [wholeLedger('MONTH_ADDS_UP', month, 'proved', 'it does not add up')];
  }
  return [];
}

function wholeLedger(invariant: Invariant, subject: string, expected: string, actual: string): Discrepancy {
  return { invariant, currency: null, synthetic: null, subject, expected, actual };
}

/** Returns the end of a month; a time before all others if there is no month. */
function endOf(month: string | undefined): string {
  if (month === undefined) return '-infinity';
  const end = new Date(`${month}T00:00:00Z`);
  end.setUTCMonth(end.getUTCMonth() + 1);
  return end.toISOString();
}

function inSnapshot<T>(context: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  return inTransaction(context, async (tx) => {
    await tx.manager.execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await allowLongStatements(tx.manager, longestStatementMs);
    return work(tx);
  });
}
