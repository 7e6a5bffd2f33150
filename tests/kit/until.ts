import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

type Truthy<T> = Exclude<T, undefined | null | false | 0 | 0n | ''>;

const isTruthy = <T>(value: T): value is Truthy<T> => Boolean(value);

/**
 * Asks `probe` until it gives something truthy, and returns that. A probe that throws, an assertion say, is asked again.
 * Fake timers stop neither its pauses nor its end.
 * @param what names what is waited for: "the delivery of event 2".
 * @throws after `within` milliseconds, with what the probe gave or threw last.
 */
export async function until<T>(
  what: string,
  probe: () => T | Promise<T>,
  { within = 60_000 } = {},
): Promise<Truthy<T>> {
  const over = new AbortController();
  const { signal } = over;
  let last: { readonly shown: string; readonly cause?: unknown } = { shown: 'no answer' };
  const asked = async () => {
    for (let pauseMs = 20; ; pauseMs = Math.min(200, pauseMs * 1.1)) {
      try {
        const value = await probe();
        if (isTruthy(value)) return value;
        last = { shown: inspect(value) };
      } catch (cause) {
        last = { shown: cause instanceof Error ? cause.message : inspect(cause), cause };
      }
      await sleep(pauseMs, undefined, { signal });
    }
  };
  const ended = sleep(within, undefined, { signal }).then(() => {
    throw new Error(`Waited ${within} ms for ${what}; seen last: ${last.shown}`, { cause: last.cause });
  });
  try {
    return await Promise.race([asked(), ended]);
  } finally {
    over.abort();
  }
}
