import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Fault } from '../../shared/errors.js';
import { malformed } from './envelope.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes `text/plain` with this `profile` too. */
    textProfile?: string;
  }
}

type Done = (error: Error | null, body?: unknown) => void;
type Read = (request: FastifyRequest, bytes: Buffer, done: Done) => void;

/**
 * Bodies are JSON, or text where a route takes one of a profile. The bytes are kept as they came, for digests and
 * signatures; a body that would set a prototype is refused, and so is a compressed one. An empty body is no body: whether
 * one is due is the route's to say. A signed request is proved before its bytes are looked at.
 */
export function readBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const readJson: Read = (request, bytes, done) => {
    if (bytes.length === 0) {
      done(null);
    } else if (!isUtf8(bytes)) {
      done(malformed('The body is not valid UTF-8'));
    } else {
      const text = bytes.toString('utf8');
      // The parser calls back at once; its type also allows a promise, which it never returns.
      void parse(request, text, (error, body) => {
        done(error !== null && isJson(text) ? prototypeRefused() : error, body);
      });
    }
  };
  app.decorateRequest('rawBody');
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { 'content-encoding': coding = 'identity', 'content-length': length = '0' } = request.headers;
    if (coding.toLowerCase() === 'identity' || (length === '0' && !('transfer-encoding' in request.headers))) {
      done();
      return;
    }
    reply.header('accept-encoding', 'identity');
    done(new Fault('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body uncompressed, without Content-Encoding' }));
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, proved(readJson));
  app.addContentTypeParser('text/plain', { parseAs: 'buffer' }, proved(readText));
}

function proved(read: Read): Read {
  return (request, bytes, done) => {
    request.rawBody = bytes;
    const { prove } = request.edge;
    if (prove === undefined) {
      read(request, bytes, done);
    } else {
      prove().then(() => {
        read(request, bytes, done);
      }, done);
    }
  };
}

const readText: Read = (request, bytes, done) => {
  const { textProfile } = request.routeOptions.config;
  const parameters = textParameters(request);
  if (textProfile === undefined || parameters?.get('profile') !== textProfile) {
    const other = textProfile === undefined ? '' : ` or text/plain; profile=${textProfile}`;
    done(new Fault('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as application/json${other}` }));
    return;
  }
  const text = textOf(bytes, parameters.get('charset'));
  if (text === undefined) done(malformed('The text is not in its charset, which is UTF-8 or ISO-8859-1'));
  else done(null, bytes.length === 0 ? undefined : text);
};

/** Whether the body of a request came as text. */
export function isText({ headers }: FastifyRequest): boolean {
  return /^\s*text\//i.test(headers['content-type'] ?? '');
}

function textParameters({ headers }: FastifyRequest): MIMEType['params'] | undefined {
  try {
    return new MIMEType(headers['content-type'] ?? '').params;
  } catch {
    return undefined;
  }
}

/** Without a charset a text is UTF-8 if it can be, and else ISO-8859-1, which any bytes are. */
function textOf(bytes: Buffer, charset: string | null): string | undefined {
  const named = charset?.toLowerCase() ?? (isUtf8(bytes) ? 'utf-8' : 'iso-8859-1');
  if (named === 'iso-8859-1') return bytes.toString('latin1');
  return named === 'utf-8' && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** What the parser refuses though it is JSON. */
function prototypeRefused(): Fault {
  return malformed('The body must not have a field "__proto__", nor "prototype" within "constructor"');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
