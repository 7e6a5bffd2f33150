import type { FastifyReply } from 'fastify';
import type { Logger } from '../../shared/log.js';
import { canRestart, cursorOf, subjectOf } from '../../shared/stream-place.js';
import type { GraphResultStream } from '../../shared/subgraph/executor.js';
import {
  completeEvent,
  eventOf,
  eventStream,
  heartbeat,
  heartbeatMs,
  lastEventIdHeader,
  placeOf,
  restartsHeader,
  subjectHeader,
} from './wire-format.js';

export interface SendOptions {
  /** Whether events carry the ids after which they are resumed. */
  readonly sendsIds: boolean;
  /** Whether a stream that has ended has nothing more to say, in this process or another. */
  readonly isComplete: () => boolean;
  readonly log: Logger;
}

/** Writes each result as an event, no faster than the gateway reads, until either side ends. */
export async function sendEvents(
  reply: FastifyReply,
  results: GraphResultStream,
  { sendsIds, isComplete, log }: SendOptions,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const subject = subjectOf(results);
  const idOf = (thing: object) => (sendsIds ? cursorOf(thing) : undefined);
  const beginsAfter = idOf(results);
  raw.writeHead(200, {
    'content-type': eventStream,
    'cache-control': 'no-store',
    ...(subject === undefined ? {} : { [subjectHeader]: subject }),
    ...(beginsAfter === undefined ? {} : { [lastEventIdHeader]: beginsAfter }),
    ...(canRestart(results) ? { [restartsHeader]: 'true' } : {}),
  });
  raw.flushHeaders();
  const leave = () => void endStream(results, log);
  raw.once('close', leave);
  // If the caller disconnected while the subscription began, `close` was emitted before anyone listened.
  if (raw.destroyed) leave();
  // Says how far the reader is, so that the id is not too old where nothing happens for days.
  const beats = setInterval(() => {
    const id = idOf(results);
    raw.write(id === undefined ? heartbeat : placeOf(id));
  }, heartbeatMs);
  try {
    for await (const response of results) {
      if (!raw.write(eventOf(response, idOf(response)))) await drained(raw);
    }
    if (isComplete()) raw.end(completeEvent);
  } finally {
    clearInterval(beats);
    raw.off('close', leave).end();
  }
}

/** Ends a stream early. Nobody can do anything about a source that fails meanwhile but read about it in the log. */
export async function endStream(results: GraphResultStream, log: Logger): Promise<void> {
  try {
    await results.return?.();
  } catch (error) {
    log.warn({ err: error }, 'A subscription could not be ended');
  }
}

function drained(raw: FastifyReply['raw']): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      raw.off('drain', done).off('close', done);
      resolve();
    };
    raw.once('drain', done).once('close', done);
    if (raw.destroyed) done();
  });
}
