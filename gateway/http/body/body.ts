import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../../shared/kernel/errors.js';
import { withoutDecimalComma } from '../../../shared/kernel/format/decimal-comma.js';
import { errorOf } from '../../../shared/kernel/thrown.js';
import type { Done, Read } from './body-reader.js';
import { malformed } from '../reply/envelope.js';
import { jsonShapeError, bytesOf, maxJsonDepth, stringEnd } from './json-shape.js';
import { forbiddenName, parseJson } from './parse-json.js';
import { createBodyBudget, largeBytes, type BodyBudget, type Release } from './receive.js';
import { isGzip, isText, mediaParameters, readText, takesGzip } from './text-body.js';
import { JsonPlace } from './json-place.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts `text/plain` with one of these `profile`s too. */
    textProfiles?: readonly string[];
    /** The largest JSON body in bytes, where it is smaller than that of a text. */
    jsonLimit?: number;
    /** Gives the route an `InexactNumber` for each number of a JSON body that would be rounded. */
    exactNumbers?: boolean;
  }
  interface FastifyInstance {
    bodyBudget: BodyBudget;
  }
}

/**
 * Reads bodies: JSON, or text where a route accepts a text profile. The bytes are kept unchanged, for digests and
 * signatures. A body that would set a prototype is refused, and so is a compressed body that is not such a text. An empty body counts as no
 * body; the route decides whether one is required. The signature of a request is verified before its bytes are parsed, and the body is
 * charged to the rate limit before that too.
 */
export function readBodies(app: FastifyInstance): void {
  app.decorateRequest('rawBody');
  app.decorate('bodyBudget', createBodyBudget());
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { 'content-encoding': coding = 'identity', 'content-length': length = '0' } = request.headers;
    const isEmpty = length === '0' && !('transfer-encoding' in request.headers);
    if (isEmpty || coding.toLowerCase() === 'identity') {
      done(
        isEmpty || isInUtf8(request)
          ? undefined
          : new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send the body in UTF-8' }),
      );
      return;
    }
    const packable = takesGzip(request);
    if (packable && isGzip(request)) {
      done();
      return;
    }
    reply.header('accept-encoding', packable ? 'gzip, identity' : 'identity');
    const way = packable ? 'with Content-Encoding: gzip, or uncompressed' : 'uncompressed, without Content-Encoding';
    done(new ApiError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body ${way}` }));
  });
  addBodyParser(app, 'application/json', readJson);
  // Of every text, so that the error for one of another type names the profiles that the route accepts.
  addBodyParser(app, /^\s*text\//i, readText(app.bodyBudget));
}

/** Returns the largest body that the route of a request takes of its media type, in bytes. */
function bodyLimitOf(request: FastifyRequest): number {
  const { bodyLimit, config } = request.routeOptions;
  return isText(request) ? bodyLimit : (config.jsonLimit ?? bodyLimit);
}

/** Whether a body is in UTF-8 by its `Content-Type`. The reader of texts judges theirs. */
function isInUtf8(request: FastifyRequest): boolean {
  const charset = isText(request) ? undefined : mediaParameters(request)?.get('charset');
  return charset == null || /^utf-?8$/i.test(charset);
}

/** Adds a parser of bodies of one media type, within the edge's limits: the bytes are received, verified and charged before `read`. */
export function addBodyParser(app: FastifyInstance, mediaType: string | RegExp, read: Read): void {
  app.addContentTypeParser(mediaType, (request, payload, done) => {
    app.bodyBudget.receive(request, payload, bodyLimitOf(request), (error, bytes, release) => {
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
    // An announced length was charged when the request came in, and a signed request is charged when it is verified.
    const owes = edge.payForBody;
    edge.payForBody = undefined;
    if (owes === undefined) work();
    else owes(bytes.length).then(work, done);
  };
  const work = () => {
    if (bytes.length > largeBytes && edge.rules.trustedBodies !== true) {
      try {
        edge.release = app.bodyBudget.work(edge.principal.ownerId, bytes.length);
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
  const wrong = jsonShapeError(bytes);
  if (wrong !== undefined) {
    done(new ApiError('BAD_REQUEST', { details: [wrong] }));
    return;
  }
  let body: unknown;
  try {
    body = parseJson(bytes.toString('utf8'), { exactNumbers: request.routeOptions.config.exactNumbers });
  } catch (error) {
    done(jsonError(error, bytes));
    return;
  }
  // The parsed value already takes enough memory.
  if (bytes.length > largeBytes && request.edge.bodyDigest !== undefined) request.rawBody = undefined;
  done(null, body);
};

function jsonError(error: unknown, bytes: Buffer): ApiError {
  if (error instanceof SyntaxError && error.message === forbiddenName) {
    return malformed('The body must not have a field "__proto__", nor "prototype" within "constructor"');
  }
  if (!(error instanceof SyntaxError)) return new ApiError('INTERNAL', { cause: error });
  const comma = findDecimalComma(bytes);
  return comma === undefined ? malformed('The body is not valid JSON') : commaError(comma);
}

/** Returns the error for a decimal comma, the most frequent mistake of Brazilian programs, with its place and the right form. */
function commaError({ path, line, column, text }: DecimalComma): ApiError {
  const right = withoutDecimalComma(text);
  const way = right === undefined ? 'write a decimal point' : `write ${right}`;
  const message = `is not JSON at line ${line}, column ${column}: ${text} has a decimal comma, ${way}`;
  return new ApiError('BAD_REQUEST', { details: [{ path, message }] });
}

/** A number with a decimal comma in a text that should be JSON. */
interface DecimalComma {
  /** The field that holds it, such as `contracts[17].faceValue`. */
  readonly path: string;
  readonly line: number;
  /** In bytes, from 1. */
  readonly column: number;
  /** The number as it was written: `10,50`. */
  readonly text: string;
}

/** Maximum number of characters that are examined on either side of a comma. */
const maxDigits = 40;

/**
 * Finds the first number with a decimal comma (`{"price": 10,50}`) in bytes that are not JSON: in an object no number can follow a comma.
 * In an array `10,50` are two numbers.
 */
function findDecimalComma(bytes: Buffer): DecimalComma | undefined {
  const place = new JsonPlace(bytes);
  let line = 1;
  let lineAt = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case bytesOf.lineFeed:
        line += 1;
        lineAt = at + 1;
        break;
      case bytesOf.quote: {
        const end = stringEnd(bytes, at);
        place.isRepeatedName(at, end);
        at = end;
        break;
      }
      case bytesOf.comma:
        if (place.isInObject && isDigit(bytes[at - 1]) && isDigit(bytes[at + 1])) {
          const [from, to] = numberAround(bytes, at);
          const text = bytes.toString('latin1', from, to);
          return { path: place.path, line, column: from - lineAt + 1, text };
        }
        place.comma();
        break;
      case bytesOf.openArray:
      case bytesOf.openObject:
        if (place.depth === maxJsonDepth) return undefined;
        place.open(bytes[at] === bytesOf.openArray);
        break;
      case bytesOf.closeArray:
      case bytesOf.closeObject:
        place.close();
        break;
      default:
    }
  }
  return undefined;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** Returns the beginning and the end of the number around a comma. */
function numberAround(bytes: Buffer, comma: number): readonly [from: number, to: number] {
  let from = comma;
  while (comma - from < maxDigits && (isDigit(bytes[from - 1]) || bytes[from - 1] === bytesOf.point)) from -= 1;
  if (bytes[from - 1] === bytesOf.minus) from -= 1;
  let to = comma + 1;
  while (to - comma <= maxDigits && isDigit(bytes[to])) to += 1;
  return [from, to];
}
