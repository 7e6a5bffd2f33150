import { setTimeout as delay } from 'node:timers/promises';

/** How long an answer takes that must not tell whether an e-mail has an account, in milliseconds. */
export const evenAnswerMs = 250;

/**
 * Does the work and answers no sooner than `evenAnswerMs` after the call: the work differs with and without an account,
 * its time must not.
 */
export async function answerEvenly<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.all([work(), delay(evenAnswerMs)]);
  return outcome;
}
