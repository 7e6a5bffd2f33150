import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../shared/errors.js';
import { withoutDecimalComma } from '../../shared/format/decimal-comma.js';
import { errorOf } from '../../shared/thrown.js';
import type { Done, Read } from './body-reader.js';
import { malformed } from './envelope.js';
import { findDecimalComma, type DecimalComma } from './json-comma.js';
import { jsonShapeError } from './json-shape.js';
import { forbiddenName, JsonShapeError, parseJson, parseJsonInSlices } from './json-slices.js';
import { createBodyRoom, largeBytes, type BodyRoom, type Release } from './receive.js';
import { isGzip, readText, takesGzip } from './text-body.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes `text/plain` with this `profile` too. */
    textProfile?: string;
  }
  interface FastifyInstance {
    bodyRoom: BodyRoom;
  }
}

/**
 * Bodies are JSON, or text where a route takes one of a profile. The bytes are kept as they came, for digests and
 * signatures; a body that would set a prototype is refused, and so is a compressed one that is not such a text. An empty body is no
 * body: whether one is due is the route's to say. A signed request is proved before its bytes are looked at, and what a body costs is paid
 * before it is parsed.
 */
export function readBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody');
  app.decorate('bodyRoom', createBodyRoom());
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { 'content-encoding': coding = 'identity', 'content-length': length = '0' } = request.headers;
    const packable = takesGzip(request);
    const isEmpty = length === '0' && !('transfer-encoding' in request.headers);
    if (isEmpty || coding.toLowerCase() === 'identity' || (packable && isGzip(request))) {
      done();
      return;
    }
    reply.header('accept-encoding', packable ? 'gzip, identity' : 'identity');
    const way = packable ? 'with Content-Encoding: gzip, or uncompressed' : 'uncompressed, without Content-Encoding';
    done(new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body ${way}` }));
  });
  addBodyParser(app, 'application/json', readJson);
  addBodyParser(app, 'text/plain', readText(app.bodyRoom));
}

/** Adds a parser of bodies of one media type, behind the edge's bounds: their bytes are received, proved and paid for before `read`. */
export function addBodyParser(app: FastifyInstance, mediaType: string, read: Read): void {
  app.addContentTypeParser(mediaType, (request, payload, done) => {
    app.bodyRoom.receive(request, payload, (error, bytes, release) => {
      if (bytes === undefined) done(error);
      else take(app, request, bytes, release, read, done);
    });
  });
}

function take(
  app: FastifyInstance,
  request: FastifyRequest,
  bytes: Buffer,
  release: Release | undefined,
  read: Read,
  done: Done,
): void {
  const { edge } = request;
  request.rawBody = bytes;
  const begin = () => {
    release?.();
    // An announced length was paid for when the request came in, and a signed request pays when it is proved.
    const owes = edge.payForBody;
    edge.payForBody = undefined;
    if (owes === undefined) work();
    else owes(bytes.length).then(work, done);
  };
  const work = () => {
    if (bytes.length > largeBytes && edge.rules.trustedBodies !== true) {
      try {
        edge.release = app.bodyRoom.work(edge.principal.ownerId, bytes.length);
      } catch (error) {
        done(errorOf(error));
        return;
      }
    }
    read(request, bytes, done);
  };
  if (edge.prove === undefined) {
    begin();
    return;
  }
  edge.prove().then(begin, (error: unknown) => {
    release?.();
    done(errorOf(error));
  });
}

const readJson: Read = (request, bytes, done) => {
  if (bytes.length === 0) {
    done(null);
    return;
  }
  if (!isUtf8(bytes)) {
    done(malformed('The body is not valid UTF-8'));
    return;
  }
  const refuse = (error: unknown) => {
    jsonError(error, bytes).then(done, done);
  };
  if (bytes.length > largeBytes) {
    parseJsonInSlices(bytes).then((body) => {
      // What was parsed of them takes memory enough.
      if (request.edge.bodyDigest !== undefined) request.rawBody = undefined;
      done(null, body);
    }, refuse);
    return;
  }
  const wrong = jsonShapeError(bytes);
  if (wrong !== undefined) {
    done(malformed(wrong));
    return;
  }
  let body: unknown;
  try {
    body = parseJson(bytes.toString('utf8'));
  } catch (error) {
    refuse(error);
    return;
  }
  done(null, body);
};

async function jsonError(error: unknown, bytes: Buffer): Promise<ApiError> {
  if (error instanceof JsonShapeError) return malformed(error.message);
  if (error instanceof SyntaxError && error.message === forbiddenName) {
    return malformed('The body must not have a field "__proto__", nor "prototype" within "constructor"');
  }
  if (!(error instanceof SyntaxError)) return new ApiError('INTERNAL', { cause: error });
  const comma = await findDecimalComma(bytes);
  return comma === undefined ? malformed('The body is not valid JSON') : commaError(comma);
}

/** The mistake that Brazilian programs make most often, with its place and the right form. */
function commaError({ path, line, column, text }: DecimalComma): ApiError {
  const right = withoutDecimalComma(text);
  const way = right === undefined ? 'write a decimal point' : `write ${right}`;
  const message = `is not JSON at line ${line}, column ${column}: ${text} has a decimal comma, ${way}`;
  return new ApiError('BAD_REQUEST', { details: [{ path, message }] });
}
