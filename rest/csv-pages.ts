import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { identifyAgain } from '../gateway/edge/identify.js';
import { networkOf } from '../gateway/edge/network.js';
import { bucketOf } from '../gateway/edge/route-policy.js';
import type { Principal } from '../shared/context.js';
import type { ReadPage } from './csv-files.js';

/** Share of a window's points that files leave to the other requests of their caller. */
const shareOfOthers = 0.5;

/**
 * Returns the function that reads the further pages of a file as if each were a request of its own: it costs points, its caller is identified
 * again, and it takes a place among the requests in flight. Where the points do not suffice it waits for the next window.
 * @param demand refuses a caller who may not, or no longer, read the list
 */
export function pageReader(request: FastifyRequest, demand: (principal: Principal) => void): ReadPage {
  const { admission } = request.server.edgeMaker;
  return async (read, signal) => {
    await pay(request, signal);
    demand(await identifyAgain(request));
    const leave = await admission.place(networkOf(request.ip));
    try {
      return await read();
    } finally {
      leave();
    }
  };
}

/** Spends a point of the request's own bucket, as soon as one is available beyond the share left to other requests. */
async function pay({ edge, ip, server }: FastifyRequest, signal: AbortSignal): Promise<void> {
  const { limiter, rateLimits } = server.edgeMaker;
  const bucket = bucketOf(edge.rules.bucket, rateLimits, edge.principal, ip);
  for (;;) {
    const { remaining, waitSeconds } = await limiter.take(bucket, 0);
    if (remaining > bucket.limit * shareOfOthers && (await limiter.take(bucket)).allowed) return;
    await delay(waitSeconds * 1_000, undefined, { signal });
  }
}
