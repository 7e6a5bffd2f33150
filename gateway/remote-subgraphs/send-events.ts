import type { FastifyReply } from 'fastify';
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
}

/** Writes each result as an event, no faster than the gateway reads, until either side ends. */
export async function sendEvents(
  reply: FastifyReply,
  answers: GraphResultStream,
  { sendsIds, isComplete }: SendOptions,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  const subject = subjectOf(answers);
  const idOf = (thing: object) => (sendsIds ? cursorOf(thing) : undefined);
  const beginsAfter = idOf(answers);
  raw.writeHead(200, {
    'content-type': eventStream,
    'cache-control': 'no-store',
    ...(subject === undefined ? {} : { [subjectHeader]: subject }),
    ...(beginsAfter === undefined ? {} : { [lastEventIdHeader]: beginsAfter }),
    ...(canRestart(answers) ? { [restartsHeader]: 'true' } : {}),
  });
  raw.flushHeaders();
  raw.once('close', () => void answers.return?.());
  // If the caller disconnected while the subscription began, `close` was emitted before anyone listened.
  if (raw.destroyed) void answers.return?.();
  // Says how far the reader is, so that the id is not too old where nothing happens for days.
  const beats = setInterval(() => {
    const id = idOf(answers);
    raw.write(id === undefined ? heartbeat : placeOf(id));
  }, heartbeatMs);
  try {
    for await (const response of answers) {
      if (!raw.write(eventOf(response, idOf(response)))) await drained(raw);
    }
    if (isComplete()) raw.end(completeEvent);
  } finally {
    clearInterval(beats);
    raw.end();
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
