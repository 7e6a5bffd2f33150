import { Directive, ObjectType } from 'type-graphql';
import { shownError } from '../../kernel/thrown.js';
import { describeEnum } from '../../graphql/describe-enum.js';
import type { WatchedQueue, WorkItemState } from './watched-queue.js';
import { mostCounted, type WatchedItem, type WorkCounts } from './watched-queue.store.js';
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
export class WorkItem extends fields({
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
export class WorkQueueStatus extends fields({
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
