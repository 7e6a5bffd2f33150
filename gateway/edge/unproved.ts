import type { FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '../../shared/errors.js';

/** Makes room for the body of a signed request until that is proved or over. @throws {Fault} UNAVAILABLE when there is none. */
export type HoldUnproved = (request: FastifyRequest, reply: FastifyReply) => () => void;

/**
 * Whoever knows the id of a client can send bodies in its name, which are kept until their signatures turn out to be wrong:
 * so many bytes of them at once, over all connections.
 */
export function boundUnproved(mostBytes = 256 * 1_048_576): HoldUnproved {
  let held = 0;
  return (request, reply) => {
    const bytes = announcedBytes(request);
    if (held + bytes > mostBytes) throw new Fault('UNAVAILABLE', { retryAfterSeconds: 1 });
    held += bytes;
    let over = false;
    const release = () => {
      if (!over) held -= bytes;
      over = true;
    };
    reply.raw.once('close', release);
    return release;
  };
}

/** The most that a request can bring: what it says, and never more than its route takes. */
function announcedBytes({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return bodyLimit;
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit);
}
