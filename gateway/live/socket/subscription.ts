import type { Principal } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import type { GraphResult, GraphResultStream } from '../../../shared/graphql/executor.js';
import type { BoundedSocket } from '../../graphql/bounded-socket.js';
import type { Channel } from './channels.js';
import { eventFrame, eventOf, apiErrorIn } from './server-frames.js';
import type { SharedRuns } from '../shared-runs.js';

/** A running channel of a socket. */
export interface Subscription {
  readonly channel: Channel;
  /** The access token that currently authorizes it. */
  token: string;
  readonly principal: Principal;
  /** Ends the channel: none of its frames is sent any more. */
  end(): void;
}

/** Destination of a channel's frames, and of its failure. */
export interface Outlet {
  readonly send: BoundedSocket['send'];
  /** Called when the run has ended although nobody ended it. */
  readonly failed: (channel: Channel, error: unknown) => void;
}

/** Maximum number of bytes of a channel that are queued before it waits for the connection: above the mark at which a slow reader is watched. */
const maxAheadBytes = 131_072;

/**
 * Sends every event of a channel, in order. While the connection does not accept them the stream is not read, which costs no memory;
 * the socket closes if that lasts.
 */
export function sendAll(channel: Channel, stream: GraphResultStream, { send, failed }: Outlet): () => void {
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

/**
 * Sends the latest frame of a channel whose readers share one run: a slow connection gets fewer frames.
 * @param stream shows that this reader may read the channel
 */
export function sendLatest(
  channel: Channel,
  runs: SharedRuns<Buffer>,
  stream: GraphResultStream,
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
  const key = JSON.stringify([channel.key, channel.variables]);
  const make = (result: GraphResult) => Buffer.from(eventFrame(channel.labels, eventOf(result)));
  const membership = runs.join(
    key,
    { make, startsWithLatest: true, needsSubject: false },
    {
      offer,
      wantsMore: () => true,
      end: (error) => failed(channel, error ?? new Error('The graph ended a subscription')),
    },
  );
  // Always taken: prices have no subject in which two streams of a channel could differ.
  membership.supply(stream);
  return () => {
    membership.leave();
    next = undefined;
  };
}

/** Returns the stream of a subscription. @throws {ApiError} where the graph did not begin it */
export function begun(result: GraphResultStream | GraphResult): GraphResultStream {
  if ('next' in result) return result;
  throw apiErrorIn(result);
}

/** Returns the error for a channel that another company's token on the same socket has begun. */
export function ofAnotherCompany(): ApiError {
  return new ApiError('CONFLICT', {
    message: 'This socket is subscribed to the channel with the token of another company: use another socket',
  });
}
