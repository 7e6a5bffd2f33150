import { Arg, Ctx, Directive, ID, Int, Mutation, Query, Resolver, ObjectType } from 'type-graphql';
import { actNamed } from '../../registry.js';
import type { Context } from '../../kernel/context.js';
import { ApiError } from '../../kernel/errors.js';
import { Access } from '../../graphql/access.js';
import { AtMost } from '../../graphql/constraint.js';
import type { Role } from '../../graphql/roles.js';
import { quarantineWork, releaseWork, retryWork } from './steer-items.js';
import type { WatchedQueue, WorkItemState } from './watched-queue.js';
import { countWork, listTroubled, mostCounted, type WatchedItem, type WorkCounts } from './watched-queue.store.js';
import { shownError } from '../../kernel/thrown.js';
import { describeEnum } from '../../graphql/describe-enum.js';
import { fields, flag, id, int, list, nullable, of, text } from '../../graphql/fields.js';

const WorkItemStateEnum = describeEnum<WorkItemState>(
  'WorkItemState',
  'State of an item of a work queue.',
  {
    DUE: 'A process can take it now',
    CLAIMED: 'A process works on it',
    WAITING: 'It waits for a later attempt',
    GIVEN_UP: 'All its attempts failed, and nobody makes another',
    QUARANTINED: 'An operator holds it back: nobody attempts it until it is released',
  },
  {
    DUE: ['A fazer', 'Due'],
    CLAIMED: ['Em andamento', 'Under way'],
    WAITING: ['Aguarda nova tentativa', 'Waits for another attempt'],
    GIVEN_UP: ['Tentativas esgotadas', 'Given up'],
    QUARANTINED: ['Em quarentena', 'In quarantine'],
  },
);

@Directive('@shareable')
@ObjectType({
  simpleResolvers: true,
  description: 'An item of a work queue: an attempt on it failed, or it is held back.',
})
class WorkItem extends fields({
  id: id('Its id in its queue.'),
  state: of(() => WorkItemStateEnum, 'State.'),
  attempts: nullable.int('Number of attempts; null where the queue does not count them.'),
  lastError: nullable.text(
    'Text of the last error, at most 300 characters, without e-mail addresses, tax ids and queries of URLs; null where the queue stores none: the log has it.',
  ),
  nextAttemptAt: nullable.time(
    'Time of the next attempt, in the past if it is due; while it is claimed, the end of the claim. Null if nobody attempts it.',
  ),
}) {}

const counted = `at most ${mostCounted.toLocaleString('en')} are counted`;

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'Work that is done later, by whichever process is free.' })
class WorkQueueStatus extends fields({
  name: text('Name.'),
  due: int(`Items that a process can take now; of those that are open, ${counted}.`),
  claimed: int('Items that a process works on; 0 where the database does not show them.'),
  waiting: int('Items that wait for a later attempt.'),
  failing: int('Items among these on which an attempt failed.'),
  givenUp: int(`Items that nobody attempts any more; ${counted}.`),
  quarantined: int(`Items that an operator holds back; ${counted}.`),
  oldestDueAt: nullable.time('Since when the oldest due item is due; null when none is.'),
  canRetry: flag('Whether operators can have failing items attempted at once.'),
  canQuarantine: flag('Whether operators can hold failing items back.'),
  items: list(
    () => WorkItem,
    'Items that fail, were given up or are held back: the first 50, those in quarantine last, the others by the time of their next attempt.',
    { assumedSize: 20 },
  ),
}) {}

function toWorkQueueStatus(
  { name, retryAt, quarantine }: WatchedQueue,
  counts: WorkCounts,
  items: readonly WatchedItem[],
): WorkQueueStatus {
  return {
    name,
    ...counts,
    canRetry: retryAt !== undefined,
    canQuarantine: quarantine !== undefined,
    items: items.map(toWorkItem),
  };
}

function toWorkItem({ id, state, attempts, lastError, dueAt }: WatchedItem): WorkItem {
  const isAttempted = state !== 'GIVEN_UP' && state !== 'QUARANTINED';
  return {
    id,
    state,
    attempts,
    lastError: lastError === null ? null : shownError(lastError),
    nextAttemptAt: isAttempted ? dueAt : null,
  };
}

interface WorkQueueGraph {
  /** The domain in the names of root fields, as `Trading` in `retryTradingWork`, and in descriptions, as `trading`. */
  readonly domain: string;
  readonly words: string;
  readonly role: Role;
  readonly queues: readonly WatchedQueue[];
}

const shownItems = 50;

const queueText = 'Name of the queue.';
const itemText = 'Id of the item.';

/** Resolvers of `<domain>WorkQueues` and its mutations. Each domain has its own, since no subgraph reads the tables of another. */
export function workQueueResolvers(graph: WorkQueueGraph): [object, ...object[]] {
  return [
    listResolver(graph),
    ...(graph.queues.some(({ retryAt }) => retryAt !== undefined) ? [retryResolver(graph)] : []),
    ...(graph.queues.some(({ quarantine }) => quarantine !== undefined) ? [quarantineResolver(graph)] : []),
  ];
}

function listResolver({ domain, words, queues }: WorkQueueGraph): object {
  @Resolver()
  class WorkQueueListResolver {
    @Access('operator', 'read')
    @Directive('@listSize(assumedSize: 3)')
    @Query(() => [WorkQueueStatus], {
      name: `${domain.slice(0, 1).toLowerCase()}${domain.slice(1)}WorkQueues`,
      description: `The work queues of ${words}: ${queues.map(({ name }) => `\`${name}\``).join(', ')}. Errors: 401 and 403 for callers who are not operators.`,
    })
    async list(@Ctx() context: Context): Promise<WorkQueueStatus[]> {
      return Promise.all(
        queues.map(async (queue) =>
          toWorkQueueStatus(queue, await countWork(context, queue), await listTroubled(context, queue, shownItems)),
        ),
      );
    }
  }
  return new WorkQueueListResolver();
}

function retryResolver({ domain, words, role, queues }: WorkQueueGraph): object {
  const action = actNamed(`retry${domain}Work`);
  const named = finder(queues, ({ retryAt }) => retryAt !== undefined);
  @Resolver()
  class WorkRetryResolver {
    @Access('operator', role)
    @Mutation(() => Int, {
      name: action,
      description: `Makes failing items of a queue of ${words} due at once, and returns their number: one item, or at most 1,000. Items that are due already or being worked on are left alone, so that a second call does nothing. Errors: 401 and 403 without the role \`${role}\`; 404; 409 for an item that is being worked on, has not failed, or is in quarantine.`,
    })
    async retry(
      @Ctx() context: Context,
      @AtMost({ maxLength: 60 })
      @Arg('queue', () => String, { description: queueText })
      queue: string,
      @Arg('id', () => ID, { nullable: true, description: 'Id of the item; all failing ones when omitted.' })
      id: string | null | undefined,
    ): Promise<number> {
      return retryWork(context, named(queue), { action, id: id ?? null });
    }
  }
  return new WorkRetryResolver();
}

function quarantineResolver({ domain, words, role, queues }: WorkQueueGraph): object {
  const [holding, releasing] = [actNamed(`quarantine${domain}Work`), actNamed(`release${domain}Work`)];
  const named = finder(queues, ({ quarantine }) => quarantine !== undefined);
  @Resolver()
  class WorkQuarantineResolver {
    @Access('operator', role)
    @Mutation(() => WorkItem, {
      name: holding,
      description: `Holds a failing item of a queue of ${words} back: nobody attempts it until it is released. One that is held back stays so. Errors: 400 for the reason; 401 and 403 without the role \`${role}\`; 404; 409 for an item that is being worked on, or has not failed.`,
    })
    async quarantine(
      @Ctx() context: Context,
      @AtMost({ maxLength: 60 })
      @Arg('queue', () => String, { description: queueText })
      queue: string,
      @Arg('id', () => ID, { description: itemText })
      id: string,
      @Arg('reason', () => String, { description: 'Reason for the audit log, 1 to 500 characters on one line.' })
      reason: string,
    ): Promise<WorkItem> {
      return toWorkItem(await quarantineWork(context, named(queue), { action: holding, id, reason }));
    }

    @Access('operator', role)
    @Mutation(() => WorkItem, {
      name: releasing,
      description: `Makes an item of a queue of ${words} that was held back due at once. One that is not held back stays as it is. Errors: 401 and 403 without the role \`${role}\`; 404.`,
    })
    async release(
      @Ctx() context: Context,
      @AtMost({ maxLength: 60 })
      @Arg('queue', () => String, { description: queueText })
      queue: string,
      @Arg('id', () => ID, { description: itemText })
      id: string,
    ): Promise<WorkItem> {
      return toWorkItem(await releaseWork(context, named(queue), { action: releasing, id }));
    }
  }
  return new WorkQuarantineResolver();
}

function finder(queues: readonly WatchedQueue[], permits: (queue: WatchedQueue) => boolean) {
  const possible = queues.filter(permits);
  return (name: string): WatchedQueue => {
    const queue = possible.find((one) => one.name === name);
    if (queue !== undefined) return queue;
    const names = possible.map((one) => one.name).join(', ');
    throw new ApiError('NOT_FOUND', { message: `No such queue permits this, only: ${names}` });
  };
}
