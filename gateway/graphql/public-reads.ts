import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type Context } from '../../shared/context.js';
import { sendReading, varyBy } from '../edge/compression.js';
import { presents } from '../edge/route-policy.js';
import { asksForCost } from './cost-budget.js';
import { searchOf } from './safelist.js';

/** An address of no caller (RFC 5737). */
const nobody = '192.0.2.0';

/** Headers that change the response of a public read: each of them makes it a response for its caller alone, or in another form. */
const varying = ['Accept', 'Authorization', 'X-API-Key', 'X-Signature', 'X-Query-Cost'];

/**
 * Whether the response to a request may be the same for everyone: it names its document by hash or id in the address, and has no credential. Whether it is,
 * the run decides.
 */
export function mayBePublic(request: FastifyRequest): boolean {
  const { method, headers } = request;
  if (method !== 'GET' || presents('optional', headers) || asksForCost(headers)) return false;
  const search = new URLSearchParams(searchOf(request));
  return !search.has('query') && (search.has('documentId') || search.has('extensions'));
}

/** Returns the context of a request without its caller: what is read with it cannot depend on who asks. */
export function withoutCaller(context: Context): Context {
  return { ...context, principal: anonymous(nobody), ip: nobody, userAgent: undefined };
}

/**
 * Sends a response that caches may keep for everyone, if they ask each time whether it is still current. Its entity tag is made of its text; a client that
 * has the same text gets 304.
 */
export function sendPublic(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  // Weak: a compressed response has the same tag.
  reply.header('etag', `W/"${tag}"`).header('cache-control', 'public, max-age=0, must-revalidate');
  for (const header of varying) varyBy(reply, header);
  if (!isKnown(request.headers['if-none-match'], tag)) return sendReading(reply, text);
  varyBy(reply, 'accept-encoding');
  return reply.code(304).send();
}

/** Whether `If-None-Match` has a tag; weak and strong tags are compared alike (RFC 9110 §13.1.2). */
function isKnown(header: string | undefined, tag: string): boolean {
  const tags = (header ?? '').split(',').map((one) => one.trim());
  return tags.includes('*') || tags.some((one) => one === `"${tag}"` || one === `W/"${tag}"`);
}
