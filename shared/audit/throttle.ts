import { networkOf } from '../network.js';
import type { AuditEntry } from './entry.js';

/** Entries of one kind from one actor and network that are written one by one in a minute; the others are counted. */
export const writtenOfAKind = 10;
/** Entries that one process writes one by one in a minute for each group of callers, of all kinds. */
export const writtenOfAll = 600;
/** Kinds that are counted apart in a minute for each group of callers; what comes besides is counted as one. */
export const kindsCounted = 256;
const windowMs = 60_000;

/** Keeps a flood from filling the disk: what comes too often becomes one entry a minute that says how often. */
export interface Throttle {
  /** The entries to write now that one comes: itself, or nothing; and the counts of the minute before, where one has passed. */
  take(entry: AuditEntry, nowMs: number): AuditEntry[];
  /** The counts that are due: those of a minute that has passed, or all. */
  due(nowMs: number, all?: boolean): AuditEntry[];
}

interface Tally {
  last: AuditEntry;
  seen: number;
  counted: number;
}

/** What one group of callers has noted in the minute under way. */
interface Budget {
  readonly tallies: Map<string, Tally>;
  others?: Tally;
  written: number;
}

/** Callers that cannot use up the budget of another group: whoever is trusted less could otherwise hide who is trusted more. */
type Group = 'operators' | 'accounts' | 'anonymous';

export function createThrottle(): Throttle {
  let beganMs = Number.NEGATIVE_INFINITY;
  let budgets = newBudgets();

  const due: Throttle['due'] = (nowMs, all = false) => {
    // A clock that was set back begins a new minute, too.
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

/** An anonymous caller is its network, however many addresses of it it comes from. */
function kindOf({ actorKind, actorId, source, action, outcome }: AuditEntry): string {
  const actor = actorKind === 'ANONYMOUS' ? [networkOf(actorId)] : [actorId, networkOf(source)];
  return JSON.stringify([actorKind, ...actor, action, outcome]);
}

function countsOf({ tallies, others }: Budget): AuditEntry[] {
  return [...tallies.values(), ...(others === undefined ? [] : [others])]
    .filter(({ counted }) => counted > 0)
    .map(({ last, counted }) => ({ ...last, occurrences: counted }));
}

/** Stands for many actors, sources and actions that are not told apart. */
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
    reason: `Further actors and sources of the same minute, the last of them ${entry.source}`,
  };
}
