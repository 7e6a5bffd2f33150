import type { FastifyReply, FastifyRequest } from 'fastify';
import { anonymous, type Context } from '../../shared/kernel/context.js';
import { presentsAny } from '../http/identify/identify.js';
import { sendReading, varyBy } from '../http/reply/compression.js';
import { hasTag, tagOf, withoutRequestHeaders } from '../http/reply/public-response.js';
import { asksForCost } from '../graph/limits/cost-budget.js';
import { searchOf } from './request-parts.js';
import { ApiError } from '../../shared/kernel/errors.js';
import { correctCharge } from '../http/limits/charge.js';

/** An address of no caller (RFC 5737). */
const nobody = '192.0.2.0';

/** Headers that change the response of a public read: each of them makes it a response for its caller only, or in another form. */
const varying = ['Accept', 'Authorization', 'X-API-Key', 'X-Signature', 'X-Query-Cost', 'Cookie'];

/** Whether a request names its document by hash or id in the address. Its text was sent before, or is on the safelist. */
export function namesDocument(request: FastifyRequest): boolean {
  if (request.method === 'POST') return false;
  const search = new URLSearchParams(searchOf(request));
  return !search.has('query') && (search.has('documentId') || search.has('extensions'));
}

/** Whether the response to a request may be the same for everyone: it names its document and has no credential. The run decides whether the response is. */
export function mayBePublic(request: FastifyRequest): boolean {
  const { headers } = request;
  return namesDocument(request) && !presentsAny('optional', request) && !asksForCost(headers);
}

/** Returns the context of a request without its caller: what is read with it cannot depend on who asks. */
export function withoutCaller(context: Context): Context {
  return { ...context, principal: anonymous(nobody), ip: nobody, userAgent: undefined, isPublicRead: true };
}

/** Sends a response that caches may keep if they revalidate; a 304 costs nothing by length. */
export async function sendPublic(request: FastifyRequest, reply: FastifyReply, bytes: Buffer): Promise<FastifyReply> {
  const tag = tagOf(bytes);
  // Weak: a compressed response has the same tag.
  reply.header('etag', `W/"${tag}"`).header('cache-control', 'public, max-age=0, must-revalidate');
  const isKnown = hasTag(request, tag);
  if (!isKnown) await payForLength(request, reply, bytes);
  withoutRequestHeaders(reply);
  for (const header of varying) varyBy(reply, header);
  if (!isKnown) {
    reply.server.edgeMaker.holdUnsent(reply, bytes.length);
    return sendReading(reply, bytes);
  }
  varyBy(reply, 'accept-encoding');
  return reply.code(304).send();
}

/** Characters of a response that a point pays for: a field of text can be selected under many aliases, and costs nothing by itself. */
const charactersPerPoint = 1024;

/** The longest response to a query, in characters. */
const maxCharacters = 16 * 1_048_576;

/** Charges a response by its length, where that is more than the points that were paid for its items. */
export async function payForLength(request: FastifyRequest, reply: FastifyReply, text: string | Buffer): Promise<void> {
  const more = Math.floor(text.length / charactersPerPoint) - request.edge.charged;
  if (more > 0) await correctCharge(request, reply, more);
}

/** Returns the error for a response that is too long, after charging it like a sent one; undefined otherwise. Only for queries: a mutation has already taken effect. */
export async function refusalOfLength(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string | Buffer,
): Promise<ApiError | undefined> {
  const { length } = text;
  if (length <= maxCharacters) return undefined;
  await payForLength(request, reply, text);
  const [asked, limit] = [length, maxCharacters].map((characters) => Math.ceil(characters / 1_048_576));
  const message = `The response would have ${String(asked)} MiB, and the limit is ${String(limit)} MiB: ask for fewer items or fields`;
  return new ApiError('BAD_REQUEST', { message });
}
