import type { ServerResponse } from 'node:http';

/** Shorter bodies fit into the buffers of a connection. */
const shortestBytes = 65_536;
/** How long a client may take to read its response, whatever else waits. */
const graceMs = 2000;

/** Counts the body of a response as unsent until the response is closed. */
export type HoldUnsent = (response: ServerResponse, bytes: number) => void;

/**
 * Bounds the memory of bodies that were made for one response and that its client has not read yet. Beyond it, the connections of the responses that have waited
 * longest are closed: that of a client who reads is seldom among them.
 */
export function createUnsent(maxBytes = 64 * 1_048_576): HoldUnsent {
  const held = new Map<ServerResponse, { readonly bytes: number; readonly until: number }>();
  let total = 0;
  let timer: NodeJS.Timeout | undefined;
  const release = (response: ServerResponse) => {
    total -= held.get(response)?.bytes ?? 0;
    held.delete(response);
  };
  const closeOldest = () => {
    for (const [response, { until }] of held) {
      if (total <= maxBytes || timer !== undefined) return;
      const left = until - performance.now();
      if (left > 0) {
        timer = setTimeout(() => {
          timer = undefined;
          closeOldest();
        }, left).unref();
        return;
      }
      release(response);
      response.destroy();
    }
  };
  return (response, bytes) => {
    if (bytes < shortestBytes) return;
    held.set(response, { bytes, until: performance.now() + graceMs });
    total += bytes;
    response.once('close', () => {
      release(response);
    });
    closeOldest();
  };
}
