// A separate process: readers of live channels, who count the updates that they receive.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import { serveWorks } from '../kit/worker.mjs';

/** Sockets of one network, of which the program accepts 200. All of 127.0.0.0/8 is loopback on Linux. */
const perNetwork = 100;
/** Sockets that are being opened at once. */
const opening = 20;
/** The delay before retrying a channel for which the program had no capacity. */
const againMs = 1_000;
const unavailable = 503;
/** An update begins with `{"type":"update"`: a reader that subscribes to each channel once receives no other message that begins so. */
const letterAt = 9;
const letter = 'u'.charCodeAt(0);

const sockets = [];
let updates = 0;
let closed = 0;
/** When each update came first, by its time; undefined while nobody asks how late the others are. */
let firsts;
const lags = [];

serveWorks({ open, count, close });

/** Opens a socket for each list of frames, sends them, and waits until each subscription has begun. */
async function open({ url, readers }) {
  for (let from = 0; from < readers.length; from += opening) {
    const some = readers.slice(from, from + opening);
    sockets.push(...(await Promise.all(some.map((frames, index) => openReader(url, frames, from + index)))));
  }
}

async function openReader(url, frames, index) {
  const localAddress = `127.0.5.${Math.floor(index / perNetwork) + 1}`;
  const socket = new WebSocket(url, { localAddress, perMessageDeflate: false });
  await once(socket, 'open');
  socket.once('close', () => (closed += 1));
  await begun(socket, frames);
  return socket;
}

function begun(socket, frames) {
  return new Promise((resolve, reject) => {
    let left = frames.length;
    socket.on('message', (bytes) => {
      if (bytes[letterAt] === letter) {
        updates += 1;
        if (firsts !== undefined) noteLag(bytes);
        return;
      }
      const { type, channel, statusCode, message } = JSON.parse(bytes);
      if (type === 'error' && statusCode === unavailable && channel !== undefined) {
        const refused = frames.find((frame) => JSON.parse(frame).channel === channel);
        setTimeout(() => socket.send(refused), againMs);
      } else if (type === 'error') reject(new Error(message));
      if (type === 'subscribed') left -= 1;
      if (left === 0) resolve();
    });
    for (const frame of frames) socket.send(frame);
    if (left === 0) resolve();
  });
}

/** Notes how much later than to the first reader an update came to this one. */
function noteLag(bytes) {
  const at = bytes.indexOf('"timestamp":"');
  const time = bytes.toString('latin1', at + 13, at + 37);
  const now = performance.now();
  const first = firsts.get(time);
  if (first === undefined) firsts.set(time, now);
  lags.push(now - (first ?? now));
}

/**
 * Counts the updates received in so many seconds, and the sockets that the server has closed so far. With `timed`, also the median, the 99th percentile and the
 * maximum of how much later than the first reader the others got an update, in milliseconds.
 */
async function count({ seconds, timed = false }) {
  const before = updates;
  firsts = timed ? new Map() : undefined;
  lags.length = 0;
  await sleep(seconds * 1000);
  firsts = undefined;
  lags.sort((one, other) => one - other);
  const part = (share) => lags[Math.min(lags.length - 1, Math.floor(lags.length * share))];
  return { updates: updates - before, closed, lags: timed ? [part(0.5), part(0.99), part(1)] : undefined };
}

async function close() {
  const ends = sockets.map((socket) => once(socket, 'close'));
  for (const socket of sockets.splice(0)) socket.terminate();
  await Promise.all(ends);
  closed = 0;
}
