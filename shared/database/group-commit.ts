import type { EntityManager } from 'typeorm';
import { createContext, type Context } from '../context.js';
import { ApiError } from '../errors.js';
import { outcomeUnknown } from '../outcome-unknown.js';
import { inTransaction } from './transaction.js';
import { unavailability } from './unavailable.js';

/** What one caller brings to a group. */
export interface Member<Item> {
  /** The caller's own: who it is, and its idempotency key. */
  readonly context: Context;
  readonly item: Item;
}

/** Says of a member that it is to have a transaction of its own. */
export const alone = Symbol('alone');

export interface GroupOptions<Item, Result> {
  /**
   * Does the work of some members in one transaction, and returns what each gets, in their order. For one that cannot go with the others
   * it writes nothing and returns `alone`: that one is called again by itself, and then it must be done, or throw what its caller hears.
   */
  readonly work: (tx: Context, members: readonly Member<Item>[]) => Promise<readonly (Result | typeof alone)[]>;
  /** What an item has for itself while it is under way: members of two groups never wait for each other's locks. */
  readonly lockOf: (item: Item) => string;
  /** Whether an item goes in a group without others of the same lock. */
  readonly isSingle?: (item: Item) => boolean;
  /** Groups under way at once. */
  readonly lanes?: number;
  /** Members of a group at most. */
  readonly most?: number;
}

/**
 * Commits what many callers want together (group commit): whoever comes while a group is under way is part of the next, so that under
 * load an act costs rows, and neither round trips nor a commit of its own; nobody waits for others to come. Everybody's work is done
 * whole, or not at all: a group that fails for a reason of its data is undone, and each of it is done by itself. Inside of a transaction
 * the work is done as a part of that, at once.
 * @throws what `work` throws of a member that is alone; UNAVAILABLE to all of a group while the database cannot serve
 */
export function groupCommit<Item, Result>(
  options: GroupOptions<Item, Result>,
): (context: Context, item: Item) => Promise<Result> {
  const queues = new WeakMap<EntityManager, (one: Waiting<Item, Result>) => void>();
  return (context, item) => {
    const { manager, onCommit } = context;
    if (onCommit !== undefined) return byItself(options.work, { context, item });
    const add = queues.get(manager) ?? createQueue(options);
    queues.set(manager, add);
    return new Promise((resolve, reject) => {
      add({ context, item, resolve, reject });
    });
  };
}

interface Waiting<Item, Result> extends Member<Item> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

type Work<Item, Result> = GroupOptions<Item, Result>['work'];

/** The members of one database that wait or are under way. @returns what adds one */
function createQueue<Item, Result>({
  work,
  lockOf,
  isSingle = () => false,
  lanes = 2,
  most = 64,
}: GroupOptions<Item, Result>): (one: Waiting<Item, Result>) => void {
  let waiting: Waiting<Item, Result>[] = [];
  const locked = new Set<string>();
  let running = 0;
  let isWoken = false;

  /** Takes those that have waited longest and whose locks are free. */
  const takeGroup = () => {
    const group: Waiting<Item, Result>[] = [];
    const taken = new Set<string>();
    const closed = new Set<string>(locked);
    waiting = waiting.filter((one) => {
      const lock = lockOf(one.item);
      const single = isSingle(one.item);
      const fits = group.length < most && !closed.has(lock) && !(single && taken.has(lock));
      if (fits) group.push(one);
      // What comes later to the same lock stays behind it.
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
  /** Begins what can begin, once everything is here that has arrived together. */
  const wake = () => {
    if (isWoken) return;
    isWoken = true;
    setImmediate(() => {
      isWoken = false;
      while (running < lanes) {
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

/** Ends when each of a group has its result or its error; never fails itself. */
async function runGroup<Item, Result>(
  work: Work<Item, Result>,
  group: readonly Waiting<Item, Result>[],
): Promise<void> {
  const results = await together(work, group).catch((error: unknown) => {
    for (const { context, reject } of group) reject(toldTo(context, error));
    return [];
  });
  const ends = results.map(async (result, index) => {
    const one = group[index];
    if (result === alone && one !== undefined) await byItself(work, one).then(one.resolve, one.reject);
    else if (result !== alone) one?.resolve(result);
  });
  await Promise.all(ends);
}

/** @throws what stops all of them: what each would fail for, too */
async function together<Item, Result>(
  work: Work<Item, Result>,
  group: readonly Member<Item>[],
): Promise<readonly (Result | typeof alone)[]> {
  const [first] = group;
  if (first === undefined || group.length === 1) return group.map(() => alone);
  const { clock, log, manager, bus } = first.context;
  const context = createContext({ clock, log, manager, bus });
  try {
    return await inTransaction(context, async (tx) => {
      const results = await work(tx, group);
      if (results.length !== group.length) throw new Error(`${group.length} members got ${results.length} results`);
      return results;
    });
  } catch (error) {
    if (stopsAll(error)) throw error;
    context.log.info({ err: error, members: group.length }, 'A group was undone; each of it is done by itself');
    return group.map(() => alone);
  }
}

/** Whether it is no use to try again one by one: the database is away, or may have committed the group. */
function stopsAll(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'UNAVAILABLE';
  const reason = unavailability(error)?.reason;
  return reason !== undefined && reason !== 'conflict' && reason !== 'slow';
}

/** Where nobody knows whether the group was committed, each is told what it can do. */
function toldTo({ idempotency }: Context, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  return outcomeUnknown('The database', idempotency, error.cause);
}

async function byItself<Item, Result>(work: Work<Item, Result>, member: Member<Item>): Promise<Result> {
  const [result] = await inTransaction(member.context, (tx) => work(tx, [member]));
  if (result === undefined || result === alone) throw new Error('What was alone was not done');
  return result;
}
