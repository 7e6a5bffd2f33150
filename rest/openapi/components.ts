import type { Schema } from './schema.js';
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
      'A key of a developer, as `svc_dev_<random>`, with the scopes that it was created with. A key that is missing, invalid, revoked or expired: 401; one without the scope of the path: 403, which names it.',
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
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The access token of `POST /v1/auth/login` or `PUT /v1/auth/refresh`, valid for 1 hour: a JWT signed with EdDSA. One that is missing, invalid or expired, whose credential was revoked, or that comes from an address that the credential does not allow: 401 code CAAS_AUTH_001. A credential without the scope of the path: 403, which names it.',
  },
  ...signatureSchemes,
};

export const envelopeSchema: Schema = {
  type: 'object',
  description: 'The one form of every error.',
  required: ['statusCode', 'message', 'error', 'requestId'],
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status.', example: 400 },
    message: { type: 'string', description: 'What is wrong, in English.', example: 'The request is not valid' },
    error: { type: 'string', description: 'The reason phrase of the status.', example: 'Bad Request' },
    code: {
      oneOf: [{ type: 'integer' }, { type: 'string' }],
      description: 'The catalogue code of the error, where it has one: a number, or `CAAS_…` for trading.',
      example: 2002,
    },
    details: {
      type: 'array',
      description: 'Every fault of the input, by path, but 100 at most; there where the input is at fault.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'Field or parameter; empty for the input as a whole.',
            example: 'email',
          },
          message: { type: 'string', description: 'What is wrong with it.', example: 'is required' },
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
  readonly schema: Schema;
}

const whole = (example: number): Schema => ({ type: 'integer', minimum: 0, example });

export const headers: Readonly<Record<string, Header>> = {
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the window; a long body counts as several.',
    schema: whole(60),
  },
  'X-RateLimit-Remaining': { description: 'Requests left in the window.', schema: whole(59) },
  'X-RateLimit-Reset': { description: 'When the window ends, in Unix seconds.', schema: whole(1_795_186_800) },
  'X-Request-Id': {
    description: 'Id of the request: the one that you sent, if it can be used, else a new one.',
    schema: { type: 'string', example: '01935b2c-7f3e-7a10-9d55-0f6f3a1c2b4d' },
  },
  'X-Idempotent-Replayed': {
    description: '`true` when the stored answer was given instead of running the operation; else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Ignored-Parameters': {
    description:
      'Query parameters of the request that this path does not read, so that a slip shows: their names, percent-encoded, with `, ` between them; absent where there are none. The first 20 are named, each by its first 60 characters; `...` stands where something is left out.',
    schema: { type: 'string', maxLength: 1_310, example: 'mes, pagina' },
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: whole(37) },
  'Content-Disposition': {
    description: 'Of CSV: the name of the file.',
    schema: { type: 'string', example: 'attachment; filename="statement.csv"' },
  },
  Vary: {
    description: 'Headers of the request that the response depends on: `accept`, which chooses JSON or CSV.',
    schema: { type: 'string', example: 'accept' },
  },
  'WWW-Authenticate': { description: 'The credential that is wanted.', schema: { type: 'string' } },
};

export const parameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your own id for the request, for your logs and ours.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,64}$' },
  },
  IdempotencyKey: {
    name: 'X-Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes it safe to send the request again: see Idempotency. A key of another form: 400.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
    example: '0b9f6c1e-1f0e-4a3a-9a3b-5f6d3c2b1a00',
  },
};

const everywhere = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'X-Ignored-Parameters',
];

/** Returns references to the headers of a response. */
export function headersOf(...more: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...everywhere, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const headersOfStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function errorResponseOf(status: number, description: string) {
  return {
    description,
    headers: headersOf(...(headersOfStatus[status] ?? [])),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

/** Conditions of the statuses that the edge sends on any path. */
const edgeConditions: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or a field or parameter is missing or not of its form: see `details`.',
  413: 'The body is over 1 MiB.',
  415: 'The body is not JSON.',
  429: 'The limit of the window is reached, or unfinished bodies of the network hold too many bytes: wait as long as `Retry-After` says.',
  500: 'The server failed.',
  503: 'The service is not available at the moment, or has no room for the request: wait as long as `Retry-After` says.',
};

/** The edge's error responses, each once in the text. */
export const responses = Object.fromEntries(
  Object.entries(edgeConditions).map(([status, condition]) => [
    `Error${status}`,
    errorResponseOf(Number(status), condition),
  ]),
);

/** Describes an error of a path: with a condition of its own, or as the edge sends it everywhere. */
export function errorResponse(status: number, condition?: string): object {
  return condition === undefined
    ? { $ref: `#/components/responses/Error${status}` }
    : errorResponseOf(status, condition);
}
