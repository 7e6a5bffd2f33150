import { createContext, type Context } from '../kernel/context.js';
import { ApiError } from '../kernel/errors.js';
import { outcomeUnknown } from '../kernel/outcome-unknown.js';
import type { Manager } from './manager.js';
import { inTransaction } from './transaction.js';
import { unavailability } from './unavailable.js';

export interface Member<Item> {
  readonly context: Context;
  readonly item: Item;
}

export const alone = Symbol('alone');

export interface GroupOptions<Item, Result> {
  /** Processes several members in one transaction, in order. A member for which it returns `alone`, without having written anything, is run again in a group of its own. */
  readonly work: (tx: Context, members: readonly Member<Item>[]) => Promise<readonly (Result | typeof alone)[]>;
  /** The lock that an item holds while its group runs: members of two groups never wait for each other's locks. */
  readonly lockOf: (item: Item) => string;
  /** Whether an item may not share a group with others of the same lock. */
  readonly isSingle?: (item: Item) => boolean;
}

/**
 * Group commit: callers during a group's run form the next one, so under load a call costs rows, neither round trips nor a commit. A group that fails
 * by its data is rolled back and run one by one. Inside a transaction the work is a part of it. @throws the error of `work`; UNAVAILABLE to all of a group
 */
export function groupCommit<Item, Result>(
  options: GroupOptions<Item, Result>,
): (context: Context, item: Item) => Promise<Result> {
  const queues = new WeakMap<Manager, (one: Waiting<Item, Result>) => void>();
  return (context, item) => {
    const { manager, onCommit } = context;
    const { original } = manager;
    if (onCommit !== undefined) return byItself(options.work, { context, item });
    const add = queues.get(original) ?? createQueue(options);
    queues.set(original, add);
    return new Promise((resolve, reject) => add({ context, item, resolve, reject }));
  };
}

interface Waiting<Item, Result> extends Member<Item> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Groups of one database that run at the same time. */
const maxGroups = 2;
const maxMembers = 64;

type Work<Item, Result> = GroupOptions<Item, Result>['work'];

/** Creates the queue of one database. @returns the function that adds a member */
function createQueue<Item, Result>({
  work,
  lockOf,
  isSingle = () => false,
}: GroupOptions<Item, Result>): (one: Waiting<Item, Result>) => void {
  let waiting: Waiting<Item, Result>[] = [];
  const locked = new Set<string>();
  let running = 0;
  let isWoken = false;

  /** Takes the members that have waited longest and whose locks are free. */
  const takeGroup = () => {
    const group: Waiting<Item, Result>[] = [];
    const taken = new Set<string>();
    const closed = new Set<string>(locked);
    waiting = waiting.filter((one) => {
      const lock = lockOf(one.item);
      const single = isSingle(one.item);
      const fits = group.length < maxMembers && !closed.has(lock) && !(single && taken.has(lock));
      if (fits) group.push(one);
      // Later members with the same lock stay behind it.
      if (!fits || single) closed.add(lock);
      taken.add(lock);
      return !fits;
    });
    return group;
  };
  const run = async (group: readonly Waiting<Item, Result>[]) => {
    const locks = new Set(group.map(({ item }) => lockOf(item)));
    for (const lock of locks) locked.add(lock);
    running += 1;
    await runGroup(work, group);
    running -= 1;
    for (const lock of locks) locked.delete(lock);
    wake();
  };
  /** Starts as many groups as possible, after everything that arrived together has been added. */
  const wake = () => {
    if (isWoken) return;
    isWoken = true;
    setImmediate(() => {
      isWoken = false;
      while (running < maxGroups) {
        const group = takeGroup();
        if (group.length === 0) return;
        void run(group);
      }
    });
  };
  return (one) => {
    waiting.push(one);
    wake();
  };
}

/** Resolves when every member of a group has its result or error; never rejects. */
async function runGroup<Item, Result>(
  work: Work<Item, Result>,
  group: readonly Waiting<Item, Result>[],
): Promise<void> {
  const results = await together(work, group).catch((error: unknown) => {
    for (const { context, reject } of group) reject(errorFor(context, error));
    return [];
  });
  const ends = results.map(async (result, index) => {
    const one = group[index];
    if (result === alone && one !== undefined) await byItself(work, one).then(one.resolve, one.reject);
    else if (result !== alone) one?.resolve(result);
  });
  await Promise.all(ends);
}

/** @throws an error that every member would fail with on its own, too */
async function together<Item, Result>(
  work: Work<Item, Result>,
  group: readonly Member<Item>[],
): Promise<readonly (Result | typeof alone)[]> {
  const [first] = group;
  if (first === undefined || group.length === 1) return group.map(() => alone);
  const { clock, log, manager, bus } = first.context;
  // Statements that several callers share belong to the trace of none.
  const context = createContext({ clock, log, manager: manager.original, bus });
  try {
    return await inTransaction(context, async (tx) => {
      const results = await work(tx, group);
      if (results.length !== group.length) throw new Error(`${group.length} members have ${results.length} results`);
      return results;
    });
  } catch (error) {
    if (stopsAll(error)) throw error;
    context.log.info(
      { err: error, members: group.length },
      'A group was rolled back; its members are committed one by one',
    );
    return group.map(() => alone);
  }
}

/** Whether retrying one by one is pointless: the database is unavailable, or may have committed the group. */
function stopsAll(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'UNAVAILABLE';
  const reason = unavailability(error)?.reason;
  return reason !== undefined && reason !== 'conflict' && reason !== 'slow';
}

/** Returns the error for one member: where it is unknown whether the group was committed, it says what the caller can do next. */
function errorFor({ idempotency }: Context, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  return outcomeUnknown('the database', idempotency, error.cause);
}

async function byItself<Item, Result>(work: Work<Item, Result>, member: Member<Item>): Promise<Result> {
  const [result] = await inTransaction(member.context, (tx) => work(tx, [member]));
  if (result === undefined || result === alone) throw new Error('A single member has no result');
  return result;
}
