import type { Principal } from '../../shared/context.js';
import { ApiError } from '../../shared/errors.js';
import type { Answer, AnswerStream } from '../../shared/subgraph/executor.js';
import type { BoundedSocket } from '../graphql/bounded-socket.js';
import type { Channel } from './channels.js';
import { eventFrame, eventOf, apiErrorIn } from './server-frames.js';
import type { SharedRuns } from './shared-runs.js';

/** A channel of a socket that has begun. */
export interface Subscription {
  readonly channel: Channel;
  /** By whose right it goes on. */
  token: string;
  readonly principal: Principal;
  /** Ends it: no frame of it is sent any more. */
  end(): void;
}

/** What a run of a channel writes to, and tells when it breaks. */
export interface Outlet {
  readonly send: BoundedSocket['send'];
  /** The run has ended although nobody ended it. */
  readonly failed: (channel: Channel, error: unknown) => void;
}

/** Bytes of a channel that are queued before it waits for the connection: above the mark at which a slow reader is watched. */
const maxAheadBytes = 131_072;

/**
 * Sends every event of a channel, in its order. While the connection does not take them the stream is not read on, which costs no memory;
 * the socket closes if that lasts.
 */
export function sendAll(channel: Channel, stream: AnswerStream, { send, failed }: Outlet): () => void {
  let ended = false;
  const pump = async () => {
    let ahead = 0;
    for (;;) {
      const { done, value } = await stream.next();
      if (ended) return;
      if (done === true) throw new Error('The graph ended a subscription');
      const frame = eventFrame(channel.labels, eventOf(value));
      const sent = send(frame);
      ahead += frame.length;
      if (ahead < maxAheadBytes) continue;
      await sent;
      ahead = 0;
    }
  };
  const end = () => {
    if (ended) return;
    ended = true;
    stream.return?.().catch(() => undefined);
  };
  pump().catch((error: unknown) => {
    if (ended) return;
    end();
    failed(channel, error);
  });
  return end;
}

/** Sends the latest frame of a channel whose readers share one run: a connection that is slow gets fewer. */
export function sendLatest(
  channel: Channel,
  runs: SharedRuns,
  start: () => Promise<AnswerStream | Answer>,
  { send, failed }: Outlet,
): () => void {
  let sending = false;
  let next: Buffer | undefined;
  const offer = (frame: Buffer) => {
    if (sending) {
      next = frame;
      return;
    }
    sending = true;
    void send(frame).then(() => {
      sending = false;
      const latest = next;
      next = undefined;
      if (latest !== undefined) offer(latest);
    });
  };
  const leave = runs.join(channel, start, {
    offer,
    fail: (error) => {
      failed(channel, error);
    },
  });
  return () => {
    leave();
    next = undefined;
  };
}

/** The stream of a subscription. @throws {ApiError} where the graph did not begin it */
export function begun(answer: AnswerStream | Answer): AnswerStream {
  if ('next' in answer) return answer;
  throw apiErrorIn(answer);
}

/** Says that a channel cannot begin for another company than the one that has it. */
export function ofAnotherCompany(): ApiError {
  return new ApiError('CONFLICT', { message: 'The channel belongs to the token of another company on this socket' });
}
