import { setTimeout as delay } from 'node:timers/promises';

/** Duration in milliseconds of responses that must not reveal whether an e-mail has an account. */
export const evenAnswerMs = 250;

/**
 * Does the work and resolves no sooner than `evenAnswerMs` after the call: the work differs with and without an account,
 * but its duration must not.
 */
export async function respondEvenly<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.all([work(), delay(evenAnswerMs)]);
  return outcome;
}
