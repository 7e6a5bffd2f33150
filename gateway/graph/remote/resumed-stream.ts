import { setTimeout as sleep } from 'node:timers/promises';
import { asyncIterator, finished } from '../../../shared/kernel/async-iterator.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { placed } from '../../../shared/kernel/stream-place.js';
import type { GraphResult, GraphResultStream } from '../../../shared/graphql/executor.js';
import { failure } from '../../../shared/graphql/mask.js';
import type { StreamFrame } from './wire-format.js';

export interface Upstream {
  readonly frames: AsyncGenerator<StreamFrame, undefined>;
  readonly beginsAfter: string | undefined;
  /** See `StreamPlace`. */
  readonly subject: string | undefined;
  readonly restarts: boolean;
}

export interface ResumedStreamOptions {
  /** Begins the stream after an id; without one, as its document says. Rejects while the subgraph cannot be reached. */
  readonly open: (lastId: string) => Promise<Upstream | GraphResult>;
  /** The id after which the first stream was begun; empty where there was none. */
  readonly firstId: string;
  readonly abort: AbortController;
  readonly context: Context;
  /** For tests: for how long a lost subgraph is awaited, in milliseconds. */
  readonly patienceMs?: number | undefined;
}

/** Maximum start time of a process; after it the readers get an error, and subscribe again by themselves. */
const usualPatienceMs = 60_000;
const firstDelayMs = 100;
const longestDelayMs = 5_000;
/** A connection that held for this long has recovered: the next loss is a new one. */
const recoveredMs = 10_000;

/** After a loss the stream goes on after the last id, unnoticed by its reader; after too long a one it ends with UNAVAILABLE. */
export function resumedStream(first: Upstream, options: ResumedStreamOptions): GraphResultStream {
  const { abort, context } = options;
  const { subject, restarts } = first;
  let { frames } = first;
  let lastId = first.beginsAfter ?? options.firstId;
  let hasEnded = false;
  /** Whether everything up to `lastId` was read and nothing is under way, as far as the subgraph has said. */
  let isSettled = first.beginsAfter !== undefined;
  let isBehind = false;
  const isOver = () => hasEnded;
  const loss = patience(options.patienceMs ?? usualPatienceMs);

  /** Begins the stream again. Returns the result that ends it, where it cannot go on. */
  const resume = async (thrown: unknown): Promise<GraphResult | undefined> => {
    let cause: unknown = thrown;
    // Begun again, the stream would miss what happened meanwhile.
    if (lastId === '' && !restarts) return failure(lost(cause), context);
    while (await loss.wait(abort.signal)) {
      try {
        const begun = await options.open(lastId);
        if (!('frames' in begun)) {
          if (!isUnavailable(begun)) return begun;
          continue;
        }
        if (begun.subject !== subject) break;
        ({ frames } = begun);
        lastId = begun.beginsAfter ?? lastId;
        // Without an id it has begun with the whole state; else a heartbeat says when everything that was missed has come.
        isBehind = lastId !== '';
        loss.opened();
        return undefined;
      } catch (error) {
        cause = error;
      }
    }
    return failure(lost(cause), context);
  };
  const next = async (): Promise<IteratorResult<GraphResult, undefined>> => {
    while (!isOver()) {
      try {
        const { done, value } = await frames.next();
        if (done === true) break;
        lastId = value.id ?? lastId;
        const { id, result } = value;
        isSettled = result === undefined;
        if (isSettled) isBehind = false;
        if (result === undefined) continue;
        loss.recovered();
        return { done: false, value: placed(result, { cursor: () => id }) };
      } catch (error) {
        if (isOver()) break;
        context.log.warn({ err: error }, 'The stream of a subgraph was lost');
        isBehind = true;
        isSettled = false;
        const last = await resume(error);
        if (last === undefined || isOver()) continue;
        end();
        return { done: false, value: last };
      }
    }
    return finished;
  };
  const end = () => {
    hasEnded = true;
    abort.abort();
  };
  const stream = asyncIterator<GraphResult>(next, end);
  const place = { isBehind: () => isBehind, cursor: () => (isSettled ? lastId : undefined) };
  return placed(stream, subject === undefined ? place : { ...place, subject });
}

/** Spreads attempts over time, ever less often and at random, so that not all streams of all gateways come at once; until the patience is over. */
function patience(patienceMs: number) {
  let attempts = 0;
  let lostAt: number | undefined;
  let openedAt = performance.now();
  const recovered = () => {
    attempts = 0;
    lostAt = undefined;
  };
  return {
    recovered,
    opened: () => {
      openedAt = performance.now();
    },
    /** Resolves before the next attempt; with false when there is to be none. */
    wait: async (signal: AbortSignal): Promise<boolean> => {
      const now = performance.now();
      if (now - openedAt > recoveredMs && lostAt !== undefined && openedAt > lostAt) recovered();
      lostAt ??= now;
      if (signal.aborted || now - lostAt > patienceMs) return false;
      const longest = Math.min(longestDelayMs, firstDelayMs * 2 ** attempts);
      attempts += 1;
      await sleep((0.5 + Math.random() / 2) * longest, undefined, { signal, ref: false }).catch(() => undefined);
      return !signal.aborted;
    },
  };
}

function isUnavailable({ errors }: GraphResult): boolean {
  return errors?.some(({ extensions }) => extensions['code'] === 'UNAVAILABLE') === true;
}

function lost(cause: unknown): ApiError {
  const message = 'The source of these events is not available at the moment: subscribe again after the last event';
  return new ApiError('UNAVAILABLE', { message, retryAfterSeconds: 1, cause });
}
