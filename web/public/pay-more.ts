import type { FastifyReply, FastifyRequest } from 'fastify';
import { correctCharge, spendMore } from '../../gateway/edge/charge.js';

/** Reads of the graph that the points of a page pay for; a page has fewer. */
const includedReads = 4;
/** Points of each further read: a file of a long list takes a hundred of them. */
const pointsOfRead = 4;

/**
 * Returns a function that charges a request for one read of the graph. All reads together cost at most half of the bucket, so that every file can be had.
 * The function throws TOO_MANY_REQUESTS, which ends the work where the points do.
 */
export function payForReads(request: FastifyRequest, reply: FastifyReply): () => Promise<void> {
  let [reads, paid] = [0, 0];
  return async () => {
    reads += 1;
    const most = Math.floor((request.edge.standing?.limit ?? 0) / 2);
    const points = Math.min(pointsOfRead, most - paid);
    if (reads <= includedReads || points <= 0) return;
    paid += points;
    await spendMore(request, reply, points);
  };
}

/** Bytes of what is made, before it is compressed, for each point: a page of an operation is made for the points that every page costs. */
const bytesOfPoint = 8_192;

/** Charges the request that had a response made for its size, beyond the points that it has paid: at most half of the bucket. It is made already, so it is not refused. */
export async function payForSize(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: number,
  paid: number,
): Promise<void> {
  const most = Math.floor((request.edge.standing?.limit ?? 0) / 2);
  const points = Math.min(Math.floor(bytes / bytesOfPoint) - paid, most);
  if (points > 0) await correctCharge(request, reply, points);
}
