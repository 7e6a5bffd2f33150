// Live updates over the socket at /ws (gateway/socket/PROTOCOL.md): it connects again where a connection ends, and goes on behind the last event
// that it has, so that nothing is missed and nothing comes twice.
import { on, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

/** The server beats every 30 seconds: a connection that is silent for longer is dead. */
const silenceMs = 70_000;
/** How often it is looked whether the client has a new token. Subscribing again with it changes nothing else. */
const renewMs = 10_000;
const [shortestPauseMs, longestPauseMs] = [250, 30_000];

/** Whether connecting again does not mend it: a credential that is none, a channel that does not exist, a scope that is missing. */
const isFinal = ({ statusCode = 0 }) => statusCode >= 400 && statusCode < 500 && statusCode !== 429;

/**
 * Follows channels until the signal ends it, and yields each update: `{ channel, eventId, data, snapshot? }`.
 * @param {{ baseUrl: string, client: object, channels: string[], profileId?: string, synthetic?: boolean, signal: AbortSignal }} options
 */
export async function* follow({ client, signal, ...options }) {
  const last = new Map();
  for (let pauseMs = shortestPauseMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      for await (const frame of framesOf(await connect({ client, last, signal, ...options }), signal)) {
        if (frame.type === 'error') await answerError(client, frame);
        if (frame.type !== 'update') continue;
        pauseMs = shortestPauseMs;
        last.set(frame.channel, frame.eventId);
        yield frame;
      }
    } catch (error) {
      if (isFinal(error)) throw error;
      if (!signal.aborted) console.error(`The connection ended (${error.message}); connecting again`);
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function connect({ baseUrl, client, channels, profileId, synthetic = false, last, signal }) {
  let token = await client.accessToken();
  const socket = new WebSocket(`${baseUrl.replace(/^http/, 'ws')}/ws`);
  // Whoever waits for something of the socket hears of an error there.
  socket.on('error', () => undefined);
  signal.addEventListener('abort', () => socket.terminate(), { once: true });
  await once(socket, 'open', { signal });
  const subscribe = () => {
    for (const channel of channels) {
      const lastEventId = last.get(channel);
      socket.send(
        JSON.stringify({
          action: 'subscribe',
          channel,
          token,
          ...(profileId === undefined ? {} : { profileId }),
          ...(synthetic ? { synthetic } : {}),
          ...(lastEventId === undefined || !['orders', 'balance'].includes(channel) ? {} : { lastEventId }),
        }),
      );
    }
  };
  subscribe();
  const renewing = setInterval(async () => {
    try {
      const current = await client.accessToken();
      if (current === token) return;
      token = current;
      subscribe();
    } catch {
      socket.terminate();
    }
  }, renewMs);
  socket.once('close', () => clearInterval(renewing));
  return socket;
}

async function* framesOf(socket, signal) {
  const silent = setTimeout(() => socket.terminate(), silenceMs);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  try {
    for await (const [message] of on(socket, 'message', { close: ['close'], signal })) {
      silent.refresh();
      yield JSON.parse(message);
    }
    throw new Error(`code ${await closed}`);
  } finally {
    clearTimeout(silent);
    socket.terminate();
  }
}

/** What is passing is tried again on a new connection: 401 with a new token, 429 and 503 after a pause. */
async function answerError(client, { statusCode, message }) {
  if (statusCode !== 401) throw Object.assign(new Error(`${statusCode} ${message}`), { statusCode });
  await client.refresh();
  throw new Error(message);
}
