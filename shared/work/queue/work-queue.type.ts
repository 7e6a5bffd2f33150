import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import { shownError } from '../../kernel/thrown.js';
import { describeEnum } from '../../graphql/describe-enum.js';
import type { WatchedQueue, WorkItemState } from './watched-queue.js';
import { mostCounted, type WatchedItem, type WorkCounts } from './watched-queue.store.js';

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
export class WorkItem {
  @Field(() => ID, { description: 'Its id in its queue.' })
  id!: string;

  @Field(() => WorkItemStateEnum, { description: 'State.' })
  state!: WorkItemState;

  @Field(() => Int, { nullable: true, description: 'Number of attempts; null where the queue does not count them.' })
  attempts!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Text of the last error, at most 300 characters, without e-mail addresses, tax ids and queries of URLs; null where the queue stores none: the log has it.',
  })
  lastError!: string | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'Time of the next attempt, in the past if it is due; while it is claimed, the end of the claim. Null if nobody attempts it.',
  })
  nextAttemptAt!: Date | null;
}

const counted = `at most ${mostCounted.toLocaleString('en')} are counted`;

@Directive('@shareable')
@ObjectType({ simpleResolvers: true, description: 'Work that is done later, by whichever process is free.' })
export class WorkQueueStatus {
  @Field(() => String, { description: 'Name.' })
  name!: string;

  @Field(() => Int, { description: `Items that a process can take now; of those that are open, ${counted}.` })
  due!: number;

  @Field(() => Int, { description: 'Items that a process works on; 0 where the database does not show them.' })
  claimed!: number;

  @Field(() => Int, { description: 'Items that wait for a later attempt.' })
  waiting!: number;

  @Field(() => Int, { description: 'Items among these on which an attempt failed.' })
  failing!: number;

  @Field(() => Int, { description: `Items that nobody attempts any more; ${counted}.` })
  givenUp!: number;

  @Field(() => Int, { description: `Items that an operator holds back; ${counted}.` })
  quarantined!: number;

  @Field(() => Date, { nullable: true, description: 'Since when the oldest due item is due; null when none is.' })
  oldestDueAt!: Date | null;

  @Field(() => Boolean, { description: 'Whether operators can have failing items attempted at once.' })
  canRetry!: boolean;

  @Field(() => Boolean, { description: 'Whether operators can hold failing items back.' })
  canQuarantine!: boolean;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [WorkItem], {
    description:
      'Items that fail, were given up or are held back: the first 50, those in quarantine last, the others by the time of their next attempt.',
  })
  items!: readonly WorkItem[];
}

export function toWorkQueueStatus(
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

export function toWorkItem({ id, state, attempts, lastError, dueAt }: WatchedItem): WorkItem {
  const isAttempted = state !== 'GIVEN_UP' && state !== 'QUARANTINED';
  return {
    id,
    state,
    attempts,
    lastError: lastError === null ? null : shownError(lastError),
    nextAttemptAt: isAttempted ? dueAt : null,
  };
}
