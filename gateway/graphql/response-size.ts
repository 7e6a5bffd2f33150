import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../shared/kernel/errors.js';
import { correctCharge } from '../http/limits/charge.js';

/** Characters of a response that a point pays for: a field of text can be selected under many aliases, and costs nothing by itself. */
const charactersPerPoint = 1024;

/** The longest response to a query, in characters. */
const maxCharacters = 16 * 1_048_576;

/** Charges a response by its length, where that is more than the points that were paid for its items. */
export async function payForLength(request: FastifyRequest, reply: FastifyReply, text: string | Buffer): Promise<void> {
  const more = Math.floor(text.length / charactersPerPoint) - request.edge.charged;
  if (more > 0) await correctCharge(request, reply, more);
}

/**
 * Returns the refusal of a response that is too long to be sent; it is charged like one that is sent. It is for queries: what a mutation did would be lost with its
 * response.
 */
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
