import { networkOf } from '../../kernel/network.js';
import type { AuditEntry } from './entry.js';

/** Entries of one kind from one actor and network that are written individually per minute; further ones are counted. */
export const writtenOfAKind = 10;
/** Entries of all kinds that one process writes individually per minute for each group of callers. */
export const writtenOfAll = 600;
/** Kinds that are counted separately per minute for each group of callers; all further kinds share one count. */
export const kindsCounted = 256;
const windowMs = 60_000;

/** Keeps a flood of entries from filling the disk: entries that come too often become one entry per minute with their count. */
export interface Throttle {
  /** Returns the entries to write now: the given entry or none, and the counts of the previous minute if it has ended. */
  take(entry: AuditEntry, nowMs: number): AuditEntry[];
  /** Returns the counts that are due: the counts of an ended minute, or all. */
  due(nowMs: number, all?: boolean): AuditEntry[];
}

interface Tally {
  last: AuditEntry;
  seen: number;
  counted: number;
}

interface Budget {
  readonly tallies: Map<string, Tally>;
  others?: Tally;
  written: number;
}

/** Groups of callers with separate budgets: a less trusted caller must not use up the budget of a more trusted one and so hide its acts. */
type Group = 'operators' | 'accounts' | 'anonymous';

export function createThrottle(): Throttle {
  let beganMs = Number.NEGATIVE_INFINITY;
  let budgets = newBudgets();

  const due: Throttle['due'] = (nowMs, all = false) => {
    // A clock that was set back starts a new minute, too.
    if (!all && nowMs >= beganMs && nowMs < beganMs + windowMs) return [];
    const counts = Object.values(budgets).flatMap(countsOf);
    beganMs = nowMs;
    budgets = newBudgets();
    return counts;
  };

  return {
    take: (entry, nowMs) => {
      const counts = due(nowMs);
      return isWritten(budgets[groupOf(entry)], entry) ? [...counts, entry] : counts;
    },
    due,
  };
}

function newBudgets(): Record<Group, Budget> {
  const budget = (): Budget => ({ tallies: new Map(), written: 0 });
  return { operators: budget(), accounts: budget(), anonymous: budget() };
}

function groupOf({ actorKind, outcome }: AuditEntry): Group {
  if (actorKind === 'OPERATOR' || actorKind === 'SYSTEM') return 'operators';
  return actorKind === 'ANONYMOUS' && outcome !== 'DONE' ? 'anonymous' : 'accounts';
}

function isWritten(budget: Budget, entry: AuditEntry): boolean {
  const kind = kindOf(entry);
  let tally = budget.tallies.get(kind);
  if (tally === undefined) {
    if (budget.tallies.size >= kindsCounted) {
      budget.others = { last: severalOf(entry), seen: 0, counted: (budget.others?.counted ?? 0) + 1 };
      return false;
    }
    tally = { last: entry, seen: 0, counted: 0 };
    budget.tallies.set(kind, tally);
  }
  tally.last = entry;
  tally.seen += 1;
  if (tally.seen <= writtenOfAKind && budget.written < writtenOfAll) {
    budget.written += 1;
    return true;
  }
  tally.counted += 1;
  return false;
}

/** An anonymous caller is identified by its network, however many of its addresses it uses. */
function kindOf({ actorKind, actorId, source, action, outcome }: AuditEntry): string {
  const actor = actorKind === 'ANONYMOUS' ? [networkOf(actorId)] : [actorId, networkOf(source)];
  return JSON.stringify([actorKind, ...actor, action, outcome]);
}

function countsOf({ tallies, others }: Budget): AuditEntry[] {
  return [...tallies.values(), ...(others === undefined ? [] : [others])]
    .filter(({ counted }) => counted > 0)
    .map(({ last, counted }) => ({ ...last, occurrences: counted }));
}

function severalOf(entry: AuditEntry): AuditEntry {
  return {
    ...entry,
    actorKind: 'SEVERAL',
    actorId: 'several',
    actorName: null,
    credentialId: 'several',
    source: 'several',
    action: 'several',
    subjectType: null,
    subjectId: null,
    before: null,
    after: null,
    reason: `Further actors and sources in the same minute, the last source ${entry.source}`,
  };
}
