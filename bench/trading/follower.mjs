import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

const patienceMs = 10_000;

/**
 * Opens a socket of one wallet's orders. `toldAt` waits for the first update with an order in a given status and returns its time, by
 * `performance.now()`.
 */
export async function openFollower(url, { token, profileId }) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`);
  await once(socket, 'open');
  const told = new Map();
  const waiting = new Map();
  const subscribed = new Promise((resolve, reject) => {
    socket.on('message', (bytes) => {
      const frame = JSON.parse(bytes);
      if (frame.type === 'subscribed') resolve();
      if (frame.type === 'error') reject(new Error(frame.message));
      if (frame.type !== 'update' || frame.snapshot === true) return;
      const name = `${frame.data.orderId} ${frame.data.status}`;
      const at = performance.now();
      told.set(name, at);
      waiting.get(name)?.(at);
    });
  });
  socket.send(JSON.stringify({ action: 'subscribe', channel: 'orders', token, profileId }));
  await subscribed;
  return {
    toldAt: async (orderId, status) => {
      const name = `${orderId} ${status}`;
      const coming = new Promise((resolve) => waiting.set(name, resolve));
      const at = told.get(name) ?? (await Promise.race([coming, sleep(patienceMs, undefined, { ref: false })]));
      if (at === undefined) throw new Error(`No update said that the order ${name} within ${patienceMs} ms`);
      told.clear();
      waiting.clear();
      return at;
    },
    close: () => socket.close(),
  };
}
