import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { bindSubject, subjectOf } from '../../../shared/graphql/in-steps.js';
import { takeTurn } from './account.store.js';

/** Duration in milliseconds of responses that must not reveal whether an e-mail has an account. */
export const evenAnswerMs = 250;

/** What a key is bound to once the work is committed: the same for every e-mail. */
const done = 'done';

/**
 * Does the work and resolves no sooner than `evenAnswerMs` after the call: the work differs with and without an account,
 * but its duration must not. Work that an earlier run of the same request has committed is not done again.
 */
export async function respondEvenly(context: Context, work: () => Promise<void>): Promise<void> {
  const isDone = subjectOf(context) !== undefined;
  await Promise.all([isDone ? undefined : work(), delay(evenAnswerMs)]);
}

/** Does work on one e-mail in a transaction, one after another, at most once for an idempotency key. */
export async function onTurnOf(context: Context, email: string, work: (tx: Context) => Promise<void>): Promise<void> {
  await inTransaction(context, async (tx) => {
    await takeTurn(tx, email);
    await work(tx);
    await bindSubject(tx, done);
  });
}
