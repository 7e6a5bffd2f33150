import { cookieName } from '../../gateway/http/identify/identify.js';
import { sharedCaching } from '../../gateway/http/reply/public-response.js';
import type { JsonSchema } from '../../gateway/graph/json-schema/json-schema.js';
import { signatureSchemes } from './signed-requests.js';

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, as `svcpub_<prefix>.<secret>`. A key that is missing, invalid, revoked or expired: 401.',
  },
  developerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'A developer key, as `svc_dev_<random>`, with the scopes that were chosen at its creation. A key that is missing, invalid, revoked or expired: 401; one without the scope of the path: 403, whose message names the scope.',
  },
  apiKeyBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key as a bearer token, on the agent endpoint only.',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The session token of login or verify-email, valid for 12 hours.',
  },
  browserSession: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName,
    description:
      "The cookie of a browser's session, which the log-in of the panel sets. It counts only in a request that comes from a page of this site, by `Sec-Fetch-Site` or else by `Origin`, and that has no other credential.",
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of `POST /v1/auth/login` or `PUT /v1/auth/refresh`, valid for 1 hour: a JWT signed with EdDSA. One that is missing, invalid or expired, whose credential was revoked, or that is sent from an address that the credential does not allow: 401 code CAAS_AUTH_001. A credential without the scope of the path: 403, whose message names the scope.',
  },
  ...signatureSchemes,
};

export const envelopeSchema: JsonSchema = {
  type: 'object',
  description: 'The form of every error.',
  required: ['statusCode', 'message', 'error', 'requestId'],
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status.', example: 400 },
    message: { type: 'string', description: 'The error message, in English.', example: 'The request is not valid' },
    error: { type: 'string', description: 'The reason phrase of the status.', example: 'Bad Request' },
    code: {
      oneOf: [{ type: 'integer' }, { type: 'string' }],
      description:
        'The catalogue code of the error, if it has one: a number, a name such as `SECOND_FACTOR_REQUIRED`, or `CAAS_…` for trading.',
      example: 2002,
    },
    details: {
      type: 'array',
      description: 'The errors of the input, by path, at most 100; present if the input is invalid.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'Field or parameter; empty for the input as a whole.',
            example: 'email',
          },
          message: {
            type: 'string',
            description: 'The error message for this field or parameter.',
            example: 'is required',
          },
        },
      },
    },
    requestId: {
      type: 'string',
      description: 'Also in `X-Request-Id`.',
      example: '01935b2c-7f3e-7a10-9d55-0f6f3a1c2b4d',
    },
  },
};

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

const whole = (example: number): JsonSchema => ({ type: 'integer', minimum: 0, example });

export const headers: Readonly<Record<string, Header>> = {
  'X-RateLimit-Limit': {
    description: 'Number of requests allowed in the window; a long body counts as several.',
    schema: whole(60),
  },
  'X-RateLimit-Remaining': { description: 'Number of requests left in the window.', schema: whole(59) },
  'X-RateLimit-Reset': { description: 'The end of the window, in Unix seconds.', schema: whole(1_795_186_800) },
  'X-Request-Id': {
    description: 'Id of the request: the one that you sent if it is valid, otherwise a new one.',
    schema: { type: 'string', example: '01935b2c-7f3e-7a10-9d55-0f6f3a1c2b4d' },
  },
  'X-Idempotent-Replayed': {
    description: '`true` if this is a stored response and the operation was not executed again; otherwise absent.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Ignored-Parameters': {
    description:
      'Names of the query parameters of the request that this path does not read, percent-encoded and separated by `, `; absent if there are none. At most the first 20 names are listed, each with its first 60 characters; `...` marks omissions.',
    schema: { type: 'string', maxLength: 1_310, example: 'mes, pagina' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: whole(37) },
  'Accept-Encoding': {
    description:
      'The content codings that the path accepts, where that of the body is not one of them; otherwise absent.',
    schema: { type: 'string', example: 'identity' },
  },
  'Content-Disposition': {
    description: 'The name of the file, for CSV.',
    schema: { type: 'string', example: 'attachment; filename="statement.csv"' },
  },
  Vary: {
    description: 'Headers of the request that the response depends on: `accept`, which chooses JSON or CSV.',
    schema: { type: 'string', example: 'accept' },
  },
  ETag: {
    description: 'A tag of these bytes. Send it in `If-None-Match` to get 304, without a body, while they are current.',
    schema: { type: 'string', example: 'W/"Zk3f0yq1m2v8b7n6c5x4aQ"' },
  },
  'Cache-Control': {
    description:
      'The response is the same for everyone. A shared cache may return it for `s-maxage` seconds, and for `stale-while-revalidate` more while it fetches the next one.',
    schema: { type: 'string', example: sharedCaching },
  },
  'Surrogate-Key': {
    description:
      'Names the state of the data that the response was made of, for caches that remove by key: the domain, its revision and the day. Absent where the result is not kept ready, as after a search.',
    schema: { type: 'string', example: 'tokenization-57-9f86d081884c7d659a2feaa0c55ad015-2026-11-26' },
  },
  'WWW-Authenticate': { description: 'The credential that the path requires.', schema: { type: 'string' } },
};

export const parameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Your own id for the request, for the logs on both sides: 1 to 64 letters, digits or `._:-`. Any other value is replaced.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'X-Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes it safe to repeat the request: choose a new one for each act, see Idempotency. A malformed key: 400. `Idempotency-Key` means the same.',
    // No example: the reference would send it with every trial, and the second one would be 409.
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  },
};

const everywhere = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'X-Ignored-Parameters',
];

export function headersOf(...more: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...everywhere, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  415: ['Accept-Encoding'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function errorResponseOf(status: number, description: string, isStored = false) {
  const stored = isStored ? ['X-Idempotent-Replayed'] : [];
  return {
    description,
    headers: headersOf(...(headersOfStatus[status] ?? []), ...stored),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

const edgeConditions: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or a field or parameter is missing or malformed: see `details`.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  429: 'The limit of the window is reached, or too many bytes of request bodies are still being received from your network: wait for the time in `Retry-After`.',
  500: 'The server could not complete the request.',
  503: 'The service is unavailable or overloaded: wait for the time in `Retry-After`.',
};

/** Error responses of the edge, each written once; 400 twice, since a 400 under an idempotency key is stored. */
export const responses: Readonly<Record<string, object>> = Object.fromEntries<object>(
  Object.entries(edgeConditions).flatMap(([status, condition]): [string, object][] => [
    [`Error${status}`, errorResponseOf(Number(status), condition)],
    ...(status === '400' ? [['StoredError400', errorResponseOf(400, condition, true)] satisfies [string, object]] : []),
  ]),
);

/** The response to a caller who has the current bytes. */
export const notModified = {
  description: 'The tag in `If-None-Match` is that of the current response. There is no body.',
  headers: headersOf('ETag', 'Cache-Control', 'Surrogate-Key'),
};

/** An error with a condition of its own, or as the edge sends it everywhere. @param isStored whether the response is kept under an idempotency key */
export function errorResponse(status: number, condition?: string, isStored = false): object {
  return condition === undefined
    ? { $ref: `#/components/responses/${isStored && status === 400 ? 'Stored' : ''}Error${status}` }
    : errorResponseOf(status, condition, isStored);
}
