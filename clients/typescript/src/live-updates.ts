import type { LastroClient } from './client.js';
import { LastroError, LastroNetworkError } from './errors.js';
import { openSocket, SocketClosed } from './live-socket.js';
import type { LiveChannel, LiveOptions, LiveUpdate, LiveWebSocket } from './live-types.js';
import type { TradingSession } from './trading-session.js';
import { backoff, wait } from './wait.js';

const firstPauseMs = 250;
/** A connection that lived shorter is a failure like those before it: a server that closes at once is not asked again at once. */
const settledMs = 10_000;
/** The token of a channel has expired or was revoked. */
const tokenRejected = 4401;

/**
 * Yields the updates of channels. A lost connection is opened again, and `orders` and `balance` continue after the last event that was
 * yielded: each event comes once and in order. A slow reader gets only the latest prices.
 * @throws LastroError if connecting again does not help: a wrong credential, an unknown market, a missing scope
 */
export function liveUpdates<Channel extends LiveChannel>(
  client: LastroClient,
  options: LiveOptions<Channel>,
): AsyncGenerator<LiveUpdate<Channel>, void, undefined>;
export async function* liveUpdates(
  client: LastroClient,
  options: LiveOptions,
): AsyncGenerator<LiveUpdate, void, undefined> {
  const { origin, session, profileId, synthetic } = client.connection;
  const WebSocket = options.webSocket ?? globalWebSocket();
  if (session === undefined) throw new TypeError('Live updates need a credential: pass trading to createClient');
  const { signal, onState } = options;
  const lastEventIds = new Map<string, number>(Object.entries(options.lastEventIds ?? {}));
  let failures = 0;
  let liveAt = Infinity;
  for (let rejected = false; !isAborted(signal);) {
    onState?.('connecting');
    let reason: unknown;
    const token = await tokenOf(session, (error) => (reason = error));
    if (token === undefined) {
      failures += 1;
    } else {
      const onLive = () => {
        [liveAt, rejected] = [Date.now(), false];
        onState?.('live');
      };
      const socket = openSocket({
        url: `${origin.replace(/^http/, 'ws')}/ws`,
        WebSocket,
        options,
        profileId: options.profileId ?? profileId,
        synthetic: options.synthetic ?? synthetic,
        token,
        accessToken: session.accessToken,
        lastEventIds,
        onLive,
      });
      const abort = () => {
        socket.close();
      };
      signal?.addEventListener('abort', abort, { once: true });
      try {
        for await (const update of socket.updates) {
          if (update.channel === 'orders' || update.channel === 'balance') {
            // A reset has no state yet: where its snapshot is lost, it has to come again.
            if (update.type === 'reset') lastEventIds.delete(update.channel);
            else lastEventIds.set(update.channel, update.eventId);
          }
          yield update;
          if (isAborted(signal)) return;
        }
        // The reader was too slow. The server has not failed, whatever happened before.
        failures = 0;
      } catch (error) {
        reason = error;
        if (isRejection(error)) {
          // One more login; a second rejection is final.
          if (rejected) throw error;
          rejected = true;
          session.discard(token);
        } else if (!mayPass(error)) throw error;
        failures = Date.now() - liveAt >= settledMs ? 1 : failures + 1;
      } finally {
        signal?.removeEventListener('abort', abort);
        socket.close();
        liveAt = Infinity;
      }
    }
    if (isAborted(signal)) return;
    onState?.('waiting', reason);
    if (failures > 0) await wait(backoff(failures, firstPauseMs), signal).catch(() => undefined);
  }
}

/** The same as `liveUpdates` for callbacks. */
export function followLiveUpdates<Channel extends LiveChannel>(
  client: LastroClient,
  {
    onUpdate,
    ...options
  }: LiveOptions<Channel> & { readonly onUpdate: (update: LiveUpdate<Channel>) => void | Promise<void> },
): { close(): void; readonly done: Promise<void> } {
  const closing = new AbortController();
  const signal = options.signal === undefined ? closing.signal : AbortSignal.any([options.signal, closing.signal]);
  const follow = async () => {
    for await (const update of liveUpdates(client, { ...options, signal })) await onUpdate(update);
  };
  return {
    close: () => closing.abort(),
    /** Fulfilled when the updates were closed; rejected as `liveUpdates` throws, or with an error of `onUpdate`. */
    done: follow(),
  };
}

/** Returns a token; undefined where the server cannot be reached at the moment. */
async function tokenOf(session: TradingSession, onFailure: (error: unknown) => void): Promise<string | undefined> {
  try {
    return await session.accessToken();
  } catch (error) {
    if (!mayPass(error)) throw error;
    onFailure(error);
    return undefined;
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof SocketClosed
    ? error.closeCode === tokenRejected
    : error instanceof LastroError && error.status === 401;
}

/** Whether the next connection may succeed. */
function mayPass(error: unknown): boolean {
  if (error instanceof LastroNetworkError) return true;
  return error instanceof LastroError && (error.status === 429 || (error.status ?? 0) >= 500);
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function globalWebSocket(): new (url: string) => LiveWebSocket {
  if (typeof WebSocket === 'undefined') {
    throw new TypeError('There is no global WebSocket: pass webSocket, such as that of the package ws');
  }
  return WebSocket;
}
