import { createContext, type Context, type ContextParts, type Principal } from '../../../shared/kernel/context.js';
import { ApiError, apiErrorFrom } from '../../../shared/kernel/errors.js';
import { newId } from '../../../shared/kernel/ids.js';
import { lazyChild } from '../../../shared/kernel/log.js';
import { demand } from '../../../shared/graphql/access.js';
import { suits, type Callers } from '../../http/route-policy.js';
import { errorOfGraph } from '../../graph/graph-error.js';
import type { Graph } from '../../graph/graph.js';
import { countReader } from '../metrics.js';
import type { SharedRuns } from '../shared-runs.js';
import type { SubscriptionLimiter } from '../subscription-limiter.js';
import type { Prepared } from '../../graph/operation.js';
import type { BoundedSocket } from '../../graphql/bounded-socket.js';
import type { HeldMessages } from '../../graphql/socket-limits.js';
import type { CostBudget } from '../../graph/limits/cost-budget.js';
import { channelsOf, type Channel } from './channels.js';
import { readFrame, type ChannelChoice, type SubscribeFrame } from './read-frame.js';
import { errorFrame, plainFrame, eventFrame, eventOf } from './server-frames.js';
import type { GraphResult, GraphResultStream } from '../../../shared/graphql/executor.js';

export interface ConnectionParts {
  readonly graph: Graph;
  readonly prepared: Readonly<Record<Channel['kind'], Prepared>>;
  readonly callers: Callers;
  readonly runs: SharedRuns<Buffer>;
  readonly limiter: SubscriptionLimiter;
  readonly context: Pick<ContextParts, 'clock' | 'log' | 'manager' | 'bus' | 'audit'>;
  costBudgetOf(principal: Principal, ip: string): CostBudget;
  /** Runs work in a place among the requests in flight. @throws {ApiError} UNAVAILABLE when there is none */
  placed<T>(ip: string, work: () => Promise<T>): Promise<T>;
}

export interface Peer extends Pick<BoundedSocket, 'send' | 'close'> {
  readonly ip: string;
  readonly userAgent: string | undefined;
  readonly held: HeldMessages;
  readonly requestId: string;
  readonly failed: (error: unknown) => void;
  /** Caller of the last valid token, who pays for frames. */
  principal: Principal;
}

const maxChannels = 100;
/** Cost of beginning a channel, in points of the company's GraphQL limit. Channels of a wallet begin with a snapshot, or a replay, from the database. */
const points: Readonly<Record<Channel['kind'], number>> = { ticker: 1, depth: 1, orders: 10, balance: 10 };
const unauthorized = 4401;
/** Scope that the credential of every channel must have, for as long as the channel lasts. */
const scope = 'read';

/** The server side of PROTOCOL.md on one socket: frames are handled one after the other, in their order. */
export class Connection {
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #outlet: Outlet;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(
    private readonly parts: ConnectionParts,
    private readonly peer: Peer,
  ) {
    this.#outlet = {
      send: peer.send,
      failed: (channel, error) => this.#broke(channel, error),
    };
  }

  receive(data: Buffer): void {
    const { held, failed } = this.peer;
    try {
      held.demand();
    } catch (error) {
      this.#refuse(apiErrorFrom(error));
      return;
    }
    const work = this.#last.then(() => this.#handle(data)).catch(failed);
    this.#last = work;
    held.hold(data.length, work);
  }

  /** Checks the tokens of the socket's channels again; closes the socket when one is no longer valid, or may no longer read. */
  async recheck(): Promise<void> {
    for (const token of new Set([...this.#subscriptions.values()].map((one) => one.token))) {
      if ((await this.#callerBy(token))?.scopes.includes(scope) === true) continue;
      // The client may have renewed the token meanwhile.
      const held = [...this.#subscriptions.values()].some((one) => one.token === token);
      if (held) this.peer.close(unauthorized, 'The access token has expired, was revoked, or lost the scope read');
      return;
    }
  }

  end(): void {
    this.#closed = true;
    for (const subscription of this.#subscriptions.values()) subscription.end();
    this.#subscriptions.clear();
  }

  async #handle(data: Buffer): Promise<void> {
    if (this.#closed) return;
    try {
      const frame = readFrame(data);
      if (frame.action === 'ping') void this.peer.send(plainFrame('pong', { timestamp: this.#now() }));
      else if (frame.action === 'unsubscribe') this.#unsubscribe(frame);
      else await this.#subscribe(frame);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#refuse(error);
    }
  }

  async #subscribe(frame: SubscribeFrame): Promise<void> {
    const channels = channelsOf(frame);
    const { token, lastEventId } = frame;
    const principal = token == null ? undefined : await this.#callerBy(token);
    if (token == null || principal === undefined) throw new ApiError('INVALID_ACCESS_TOKEN');
    this.peer.principal = principal;
    // Before anything is renewed: the graph does not check the scopes of a channel that has begun.
    demand({ level: 'trader', scope }, { principal });
    for (const channel of channels) {
      if (this.#closed) return;
      const wanted = { channel, token, principal, lastEventId: lastEventId ?? null };
      await this.#begin(wanted).catch((error: unknown) => {
        // An error that the client may know is sent to it; the other channels continue.
        const apiError = apiErrorFrom(error);
        if (apiError.code === 'INTERNAL') throw error;
        this.#refuse(apiError, channel);
      });
    }
  }

  async #begin({ channel, token, principal, lastEventId }: Wanted): Promise<void> {
    const known = this.#subscriptions.get(channel.key);
    if (known !== undefined) {
      if (known.principal.ownerId !== principal.ownerId) throw ofAnotherCompany();
      known.token = token;
      void this.peer.send(plainFrame('subscribed', { ...channel.labels, renewed: true }));
      return;
    }
    if (this.#subscriptions.size >= maxChannels)
      throw new ApiError('TOO_MANY_REQUESTS', {
        message: `A socket holds at most ${maxChannels} channels: unsubscribe from one first, or open another socket`,
      });
    const { parts, peer } = this;
    await parts.costBudgetOf(principal, peer.ip).spend(points[channel.kind]);
    const variables = channel.shared
      ? channel.variables
      : { ...channel.variables, lastEventId: lastEventId?.toString() ?? null };
    // Also for a shared channel: a stream that could begin shows that this caller may read it.
    const context = this.#context(principal);
    const subscribe = () => parts.graph.subscribe(parts.prepared[channel.kind], variables, context);
    const begin = () => parts.limiter.within(context, subscribe);
    const stream = begun(await parts.placed(peer.ip, begin));
    if (this.#closed) {
      await stream.return?.();
      return;
    }
    parts.callers.touch(principal);
    void peer.send(plainFrame('subscribed', channel.labels));
    const stop = channel.shared
      ? sendLatest(channel, parts.runs, stream, this.#outlet)
      : sendAll(channel, stream, this.#outlet);
    const forget = countReader('socket');
    const end = () => {
      forget();
      stop();
    };
    this.#subscriptions.set(channel.key, { channel, token, principal, end });
  }

  #unsubscribe(choice: ChannelChoice): void {
    for (const channel of channelsOf(choice)) {
      const subscription = this.#subscriptions.get(channel.key);
      if (subscription === undefined) {
        this.#refuse(
          new ApiError('INVALID_CHANNEL', { message: 'The socket is not subscribed to this channel' }),
          channel,
        );
        continue;
      }
      this.#subscriptions.delete(channel.key);
      subscription.end();
      void this.peer.send(plainFrame('unsubscribed', channel.labels));
    }
  }

  /** Reports a channel that ended by itself: the client connects again, and continues where it was. */
  #broke(channel: Channel, error: unknown): void {
    const subscription = this.#subscriptions.get(channel.key);
    if (this.#closed || subscription === undefined) return;
    this.#subscriptions.delete(channel.key);
    subscription.end();
    this.#refuse(apiErrorFrom(error), channel);
    this.peer.failed(error);
  }

  #refuse(error: ApiError, channel?: Channel): void {
    // For a market that does not exist, this transport reports that the channel does not exist.
    const reported =
      error.code === 'MARKET_NOT_AVAILABLE' ? new ApiError('INVALID_CHANNEL', { message: error.message }) : error;
    void this.peer.send(errorFrame(reported, this.peer.requestId, channel?.labels));
  }

  /** Returns the company that a token belongs to; undefined when it is not a valid access token. */
  async #callerBy(token: string): Promise<Principal | undefined> {
    const { ip, requestId } = this.peer;
    const principal = await this.parts.callers.authenticate({ bearer: token }, { ip, requestId });
    return principal !== undefined && suits('trader', principal) ? principal : undefined;
  }

  #context(principal: Principal): Context {
    const { context } = this.parts;
    const { ip, userAgent } = this.peer;
    const requestId = newId();
    return createContext({
      ...context,
      requestId,
      principal,
      ip,
      userAgent,
      log: lazyChild(context.log, { requestId }),
    });
  }

  #now(): string {
    return this.parts.context.clock.now().toISOString();
  }
}

interface Wanted {
  readonly channel: Channel;
  readonly token: string;
  readonly principal: Principal;
  readonly lastEventId: number | null;
}

interface Subscription {
  readonly channel: Channel;
  token: string;
  readonly principal: Principal;
  /** Ends the channel: no further frame of it is sent. */
  end(): void;
}

interface Outlet {
  readonly send: BoundedSocket['send'];
  /** Called when the run has ended although nobody ended it. */
  readonly failed: (channel: Channel, error: unknown) => void;
}

/** Maximum number of bytes of a channel that are queued before it waits for the connection: above the mark at which a slow reader is watched. */
const maxAheadBytes = 131_072;

/** Sends every event in order. While the connection does not accept them the stream is not read; the socket closes if that lasts. */
function sendAll(channel: Channel, stream: GraphResultStream, { send, failed }: Outlet): () => void {
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

/** Sends a shared channel's latest frame: a slow connection gets fewer. @param stream shows that this reader may read the channel */
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
function begun(result: GraphResultStream | GraphResult): GraphResultStream {
  if ('next' in result) return result;
  throw errorOfGraph(result.errors?.[0]);
}

function ofAnotherCompany(): ApiError {
  return new ApiError('CONFLICT', {
    message: 'This socket is subscribed to the channel with the token of another company: use another socket',
  });
}
