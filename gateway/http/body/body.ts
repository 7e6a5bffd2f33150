import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../shared/kernel/errors.js';
import { malformed } from '../reply/envelope.js';
import { isForbiddenName, jsonShapeError, parseJson } from '../../../shared/kernel/json.js';
import { createBodyBudget, type BodyBudget } from './receive.js';
import { isGzip, isText, mediaParameters, readText, textProfileOf, textTypeOf, type TextOptions } from './text-body.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts text in these forms too: `text/plain` with a `profile`, or a media type of its own (`textTypeOf`). */
    textProfiles?: readonly string[];
    /** The largest JSON body in bytes, if the limit is lower than for a text. */
    jsonLimit?: number;
    /** Gives the route an `InexactNumber` for each number of a JSON body that would be rounded. */
    exactNumbers?: boolean;
    /** Media types whose bodies are received and not parsed: the route has their bytes in `rawBody`. */
    unparsed?: readonly string[];
  }
  interface FastifyInstance {
    bodyBudget: BodyBudget;
  }
}

export type Media = 'json' | 'text' | 'unparsed';

/** Takes the reading of bodies over from Fastify: its parsers are replaced by one that leaves every body to the edge's pipeline. */
export function takeBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody');
  app.decorate('bodyBudget', createBodyBudget());
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
}

const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** Returns how the body of a request is read; undefined for a request without one. @throws {ApiError} UNSUPPORTED_MEDIA_TYPE */
export function mediaOf(request: FastifyRequest, reply: FastifyReply): Media | undefined {
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = request.headers;
  const hasBytes = hasBody(request.headers);
  if (hasBytes) demandCoding(coding, request, reply);
  if (bodyless.has(request.method) || (type === undefined && !hasBytes)) return undefined;
  const name = type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const { textProfiles = [], unparsed = [] } = request.routeOptions.config;
  if (unparsed.includes(name)) return 'unparsed';
  if (name === 'application/json') return 'json';
  if (textProfileOf(request) !== undefined) return 'text';
  if (!isText(request)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  const others = textProfiles.map((profile) => ` or ${textTypeOf(profile)}`).join('');
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as application/json${others}` });
}

/** Only texts of a profile may be compressed, and only texts have another charset than UTF-8. */
function demandCoding(coding: string, request: FastifyRequest, reply: FastifyReply): void {
  const packable = textProfileOf(request) !== undefined;
  if (coding.toLowerCase() === 'identity') {
    const charset = packable || isText(request) ? undefined : mediaParameters(request)?.get('charset');
    if (charset == null || /^utf-?8$/i.test(charset)) return;
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body in UTF-8' });
  }
  if (packable && isGzip(request)) return;
  reply.header('accept-encoding', packable ? 'gzip, identity' : 'identity');
  const way = packable ? 'with Content-Encoding: gzip, or uncompressed' : 'uncompressed, without Content-Encoding';
  throw new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body ${way}` });
}

export function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Returns the largest body that the route of a request takes, in bytes. */
export function bodyLimitOf({ routeOptions: { bodyLimit, config } }: FastifyRequest, media: Media): number {
  return media === 'text' ? bodyLimit : (config.jsonLimit ?? bodyLimit);
}

/** The longest body that any path accepts. The rest of a refused body is read up to this length. */
const maxRestBytes = 10 * 1_048_576;

/** Whether the connection can stay open: closing while a refused body comes in could take the response from the sender (RFC 9112 §9.6). */
export function mayStayOpen({ complete, headers }: Pick<FastifyRequest['raw'], 'complete' | 'headers'>): boolean {
  return complete || !hasBody(headers) || Number(headers['content-length']) <= maxRestBytes;
}

/** Parses the bytes of a body into the value that the route receives; an empty one is none. @throws {ApiError} */
export async function parseBody(
  request: FastifyRequest,
  { media, bytes }: { readonly media: Media; readonly bytes: Buffer },
  options: TextOptions,
): Promise<unknown> {
  if (bytes.length === 0 || media === 'unparsed') return undefined;
  return media === 'text' ? await readText(request, bytes, options) : jsonOf(request, bytes);
}

function jsonOf({ routeOptions }: FastifyRequest, bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw malformed('The body is not valid UTF-8');
  const text = bytes.toString('utf8');
  const wrong = jsonShapeError(text);
  if (wrong !== undefined) throw new ApiError('BAD_REQUEST', { details: [wrong] });
  try {
    return parseJson(text, { exactNumbers: routeOptions.config.exactNumbers });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw malformed(
      isForbiddenName(error)
        ? 'The body must not have a field "__proto__", nor "prototype" within "constructor"'
        : 'The body is not valid JSON',
    );
  }
}
