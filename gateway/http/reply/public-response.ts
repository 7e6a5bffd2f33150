import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Browsers revalidate each time; a cache in front returns a copy for half a minute, and for another half while it fetches the next. */
export const sharedCaching = 'public, max-age=0, s-maxage=30, stale-while-revalidate=30';

const tags = new WeakMap<Buffer, string>();

/** Returns the entity tag of a body, a hash of its bytes; computed once per buffer. */
export function tagOf(bytes: Buffer): string {
  const tag = tags.get(bytes) ?? createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  tags.set(bytes, tag);
  return tag;
}

/** Whether a request says in `If-None-Match` that it has this body. Weak and strong tags are compared alike (RFC 9110 §13.1.2). */
export function hasTag({ headers }: FastifyRequest, tag: string): boolean {
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim());
  return known.includes('*') || known.some((one) => one === `"${tag}"` || one === `W/"${tag}"`);
}

const ofOneRequest = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Removes the headers that a cache must not keep for others. The documented REST paths have them on every response, so there the cache removes them. */
export function withoutRequestHeaders(reply: FastifyReply): void {
  for (const header of ofOneRequest) reply.removeHeader(header);
}
