import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { constants } from 'node:zlib';

/** An answer with fewer characters goes out as it is: it fits into two packets either way, and shrinking it costs more than it saves. */
const fewestCharacters = 2048;

/** Lets interfaces send answers by `sendReading`. Bodies of requests are not expanded: what is signed and limited is what came. */
export function offerCompression(app: FastifyInstance): void {
  // Called here and not registered: routes that are added before Fastify loads its plugins would not learn of it.
  compress(
    app,
    {
      global: false,
      threshold: fewestCharacters,
      encodings: ['br', 'gzip'],
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
      zlibOptions: { level: 4 },
    },
    (error) => {
      if (error !== undefined) throw error;
    },
  );
}

/** Says that the response would be another one for another value of a header of the request. */
export function varyBy(reply: FastifyReply, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${String(others)}, ${header}`);
}

/**
 * Sends the answer of something that only read, compressed where it is large and the caller takes that. The answer of what
 * writes may hold a new secret beside text that somebody else chose; its length, once compressed, would tell of the secret
 * (BREACH), so that it is never sent by this.
 */
export function sendReading(reply: FastifyReply, text: string | Buffer): FastifyReply {
  if (text.length < fewestCharacters) return reply.send(text);
  varyBy(reply, 'accept-encoding');
  // As bytes: a text would be gone through once to measure it and once more to send it.
  reply.compress(typeof text === 'string' ? Buffer.from(text) : text);
  return reply;
}
