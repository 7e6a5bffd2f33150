import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { constants } from 'node:zlib';

/** Minimum length of a response that is compressed. A shorter one fits into two packets either way, and compressing it costs more than it saves. */
const fewestCharacters = 2048;

/** Enables `sendReading`. Bodies of requests are not decompressed: signatures and limits apply to the bytes as sent. */
export function offerCompression(app: FastifyInstance): void {
  // Called directly and not registered: routes that are added before Fastify loads its plugins would miss it.
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

/** Adds a header to `Vary`: the response depends on its value. */
export function varyBy(reply: FastifyReply, header: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others === undefined ? header : `${String(others)}, ${header}`);
}

/** Returns the coding in which to send a body that was compressed before, by `Accept-Encoding`; undefined for the plain body. */
export function codingOf(accepted = ''): 'br' | 'gzip' | undefined {
  const admitted = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))];
    }),
  );
  return (['br', 'gzip'] as const).find((coding) => admitted.get(coding) ?? admitted.get('*') ?? false);
}

/** Sends a read compressed. Never for a write: its length could reveal a new secret beside text that somebody else chose (BREACH). */
export function sendReading(reply: FastifyReply, text: string | Buffer): FastifyReply {
  if (text.length < fewestCharacters) return reply.send(text);
  varyBy(reply, 'accept-encoding');
  // Bytes belong to a file, or to a response that is cached for all callers.
  if (typeof text === 'string') reply.server.edgeMaker.holdUnsent(reply, text.length);
  // Sent as bytes: text would be traversed once to measure it and once more to send it.
  reply.compress(typeof text === 'string' ? Buffer.from(text) : text);
  return reply;
}
