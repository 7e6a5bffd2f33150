import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../../shared/errors.js';
import { malformed } from './envelope.js';

/**
 * Bodies are JSON and nothing else. The bytes are kept as they came, for digests and signatures; a body that would set
 * a prototype is refused, and so is a compressed one. An empty body is no body: whether one is due is the route's to say.
 */
export function readBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
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
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes: Buffer, done) => {
    request.rawBody = bytes;
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
  });
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
