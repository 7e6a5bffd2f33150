import { once } from 'node:events';
import WebSocket from 'ws';
import { median } from '../kit/statistics.mjs';
import { processorMs } from '../kit/usage.mjs';
import { startWorker } from '../kit/worker.mjs';

const sockets = 1_000;
export const symbols = ['BTC/BRL', 'ETH/BRL', 'USDT/BRL', 'BTC/USDT', 'ETH/USDT'];
/** Each of the two simulated exchanges quotes once a second. */
const changesEveryMs = 500;
const maxRounds = 5;

export const reader = () => startWorker(new URL('../trading/reader.mjs', import.meta.url));

/**
 * (o) Sends the tickers of five markets to 1,000 sockets, as often as they change, compared with a loop that sends the same texts as often. Measures the
 * processor time of the server's process per update received, above what it takes with a single reader: creating the texts is not counted.
 */
export async function measureFanOut({ platform, traders, timing }) {
  const url = `${platform.url.replace('http', 'ws')}/ws`;
  const frames = framesOf(traders[0]);
  const texts = await latestTexts(url, frames);
  const bare = startWorker(new URL('../sides/bare-sockets.mjs', import.meta.url));
  const bareUrl = `ws://127.0.0.1:${await bare.ask('listen')}`;
  const readers = reader();
  const sample = async (target, pid, list) => {
    await readers.ask('open', { url: target, readers: list });
    await readers.ask('count', { seconds: 1 });
    const before = processorMs([pid]);
    const { updates } = await readers.ask('count', { seconds: timing.seconds });
    const used = processorMs([pid]);
    await readers.ask('close');
    return { updates, ms: used === undefined ? undefined : used - before };
  };
  const samples = [];
  for (let round = 0; round < Math.min(maxRounds, timing.rounds); round += 1) {
    const many = await sample(url, platform.pid, Array(sockets).fill(frames));
    const one = await sample(url, platform.pid, [frames]);
    await bare.ask('send', { texts, everyMs: changesEveryMs });
    const loop = await sample(bareUrl, bare.pid, Array(sockets).fill([]));
    await bare.ask('stop');
    samples.push({ ours: perUpdate(many, one), bare: perUpdate(loop), rate: many.updates / timing.seconds });
  }
  await readers.stop();
  await bare.stop();
  return rowsOf(samples);
}

function rowsOf(samples) {
  const known = samples.every(({ ours, bare }) => ours !== undefined && bare !== undefined);
  const middle = (of) => (known ? median(samples.map(of)) : undefined);
  return [
    {
      name: '(o) tickers to 1,000 sockets: CPU an update of a bare `ws` loop ÷ ours',
      value: middle(({ ours, bare }) => bare / ours),
      unit: '',
      digits: 2,
      above: 0.8,
    },
    { name: '(o) our CPU an update', value: middle(({ ours }) => ours), unit: 'µs' },
    { name: "(o) the bare loop's", value: middle(({ bare }) => bare), unit: 'µs' },
    {
      name: '(o) updates/s that the 1,000 read',
      value: median(samples.map(({ rate }) => rate)),
      unit: '/s',
      digits: 0,
    },
  ];
}

/** Returns microseconds of processor time per update, without the server's other work. */
function perUpdate({ updates, ms }, idle = { updates: 0, ms: 0 }) {
  if (ms === undefined || idle.ms === undefined) return undefined;
  return ((ms - idle.ms) * 1000) / (updates - idle.updates);
}

/** Returns the frames that subscribe to the tickers of some markets. */
export function framesOf({ token }, names = symbols) {
  return names.map((symbol) => JSON.stringify({ action: 'subscribe', channel: `ticker:${symbol}`, token }));
}

/** Returns one update of each market, as the program sends it. */
async function latestTexts(url, frames) {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const texts = new Map();
  const complete = new Promise((resolve) => {
    socket.on('message', (bytes) => {
      const frame = JSON.parse(bytes);
      if (frame.type === 'update') texts.set(frame.channel, bytes.toString());
      if (texts.size === frames.length) resolve();
    });
  });
  for (const frame of frames) socket.send(frame);
  await complete;
  socket.terminate();
  return [...texts.values()];
}
