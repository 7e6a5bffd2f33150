import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { networkOf } from '../../../shared/kernel/network.js';

/** Shorter bodies fit into the buffers of a connection. */
const shortestBytes = 65_536;
/** How long a client may take to read its response, whatever else waits. */
const graceMs = 2000;
const maxBytes = 64 * 1_048_576;

interface Unsent {
  readonly network: string;
  readonly bytes: number;
  /** When its connection may be closed, on the clock of `performance.now()`. */
  readonly until: number;
}

/** Counts the body of a response as unsent until the response is closed. */
export type HoldUnsent = (reply: FastifyReply, bytes: number) => void;

/** Bounds memory of unread bodies. Beyond it, connections of the network with the most are closed, the longest waiting first. */
export function createUnsent(): HoldUnsent {
  const held = new Map<ServerResponse, Unsent>();
  const ofNetwork = new Map<string, number>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;
  const count = (network: string, bytes: number) => {
    total += bytes;
    const sum = (ofNetwork.get(network) ?? 0) + bytes;
    if (sum === 0) ofNetwork.delete(network);
    else ofNetwork.set(network, sum);
  };
  const release = (response: ServerResponse) => {
    const unsent = held.get(response);
    if (unsent === undefined || !held.delete(response)) return;
    count(unsent.network, -unsent.bytes);
  };
  const closeExcess = () => {
    while (total > maxBytes && timer === undefined) {
      const [most] = [...ofNetwork].reduce((one, other) => (other[1] > one[1] ? other : one));
      const found = [...held].find(([, { network }]) => network === most);
      if (found === undefined) throw new Error('Unsent bytes belong to no response');
      const [response, { until }] = found;
      const left = until - performance.now();
      if (left <= 0) {
        release(response);
        response.destroy();
        continue;
      }
      timer = setTimeout(() => {
        timer = undefined;
        closeExcess();
      }, left).unref();
    }
  };
  return ({ raw, request }, bytes) => {
    if (bytes < shortestBytes) return;
    const network = networkOf(request.ip);
    held.set(raw, { network, bytes, until: performance.now() + graceMs });
    count(network, bytes);
    raw.once('close', () => release(raw));
    closeExcess();
  };
}
