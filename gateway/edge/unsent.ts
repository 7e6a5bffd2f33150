import type { ServerResponse } from 'node:http';

/** Shorter bodies fit into the buffers of a connection. */
const shortestBytes = 65_536;

/** Counts the body of a response as unsent until the response is closed. */
export type HoldUnsent = (response: ServerResponse, bytes: number) => void;

/**
 * Bounds the memory of bodies that were made for one response and that its client has not read yet. Beyond it, the connections of the responses that have waited
 * longest are closed: that of a client who reads is seldom among them.
 */
export function createUnsent(maxBytes = 64 * 1_048_576): HoldUnsent {
  const held = new Map<ServerResponse, number>();
  let total = 0;
  const release = (response: ServerResponse) => {
    total -= held.get(response) ?? 0;
    held.delete(response);
  };
  return (response, bytes) => {
    if (bytes < shortestBytes) return;
    held.set(response, bytes);
    total += bytes;
    response.once('close', () => {
      release(response);
    });
    for (const oldest of held.keys()) {
      if (total <= maxBytes || oldest === response) return;
      release(oldest);
      oldest.destroy();
    }
  };
}
