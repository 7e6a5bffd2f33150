import { errorResponse, headersOf } from './components.js';

const security = [{ apiKey: [] }, { apiKeyBearer: [] }, { accessToken: [] }];
const errors = {
  401: errorResponse(
    401,
    'The API key or the access token is missing, invalid, revoked or expired (an access token: code CAAS_AUTH_001).',
  ),
  403: errorResponse(
    403,
    'The Host or Origin header is not permitted; or the credential of the access token has other scopes than `read`.',
  ),
  413: errorResponse(413),
  415: errorResponse(415),
  429: errorResponse(429),
  500: errorResponse(500),
  503: errorResponse(503),
};

const version = { type: 'string', enum: ['2.0'], description: 'The version of JSON-RPC.' };

/** The alternative of an array, in revisions of the protocol that have batches, is in words: generators make no code that compiles of it. */
const message = {
  type: 'object',
  description: 'A JSON-RPC 2.0 message. Revisions of the protocol before 2025-06-18 accept an array of messages.',
  required: ['jsonrpc'],
  properties: {
    jsonrpc: version,
    id: { description: 'The id of a request, a string or a number. A notification has no id.' },
    method: { type: 'string', description: 'The method of the protocol. A response has none.' },
    params: { type: 'object', description: 'The parameters of the method.' },
  },
};

const error = {
  type: 'object',
  description: 'The error.',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: 'The error code of JSON-RPC 2.0.' },
    message: { type: 'string', description: 'The error message.' },
  },
};

const reply = {
  type: 'object',
  description:
    'A JSON-RPC 2.0 response: it has `result` or `error`. The response to an array of messages is an array with one response for each request.',
  required: ['jsonrpc', 'id'],
  properties: {
    jsonrpc: version,
    id: { description: 'The id of the request.' },
    result: { type: 'object', description: 'The result of the method.' },
    error,
  },
};

const refusal = {
  type: 'object',
  description: 'A JSON-RPC 2.0 error for the body as a whole.',
  required: ['jsonrpc', 'id', 'error'],
  properties: { jsonrpc: version, id: { description: 'Null, because no request could be read from the body.' }, error },
};

export const agentSchemas = { McpMessage: message, McpReply: reply, McpRefusal: refusal };

const named = (name: keyof typeof agentSchemas) => ({ $ref: `#/components/schemas/${name}` });

const toolsExample = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const curl = `curl "$LASTRO_URL/v1/emissoes/mcp" \\
  -X POST \\
  -H "X-API-Key: $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '${JSON.stringify(toolsExample)}'`;

export const agentPaths = {
  '/v1/emissoes/mcp': {
    post: {
      operationId: 'mcp',
      tags: ['Agents'],
      summary: 'Send messages of the Model Context Protocol',
      description:
        'Streamable HTTP without sessions: each POST carries JSON-RPC messages and returns one JSON document, never a stream. The tools and their arguments are listed in the catalogue, `GET /v1/emissoes/mcp/tools`; all tools are read-only. An API key gives access to the tools for published data and markets; the access token of a trading credential whose only scope is `read` gives access to the tools for markets, profiles, balances, statements and orders. An error of a tool is a result with `isError: true` and the next step. Each request in a body counts against the rate limit of the key or the company. Results are text; with `structured=true` they are structured content as well.',
      security,
      parameters: [
        { $ref: '#/components/parameters/RequestId' },
        {
          name: 'structured',
          in: 'query',
          description:
            'true: `tools/list` has the schemas of results, and results are structured content beside the same as text.',
          schema: { type: 'boolean', default: false },
        },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: named('McpMessage'), example: toolsExample } },
      },
      responses: {
        201: {
          description: 'The response to the request.',
          headers: headersOf(),
          content: { 'application/json': { schema: named('McpReply') } },
        },
        202: { description: 'The notification was accepted. The response has no body.', headers: headersOf() },
        400: {
          description:
            'The body is not JSON-RPC, or the protocol version is unknown: a JSON-RPC error. Or `structured` is neither true nor false: an error in the form of all other paths.',
          headers: headersOf(),
          content: {
            'application/json': { schema: { oneOf: [named('McpRefusal'), { $ref: '#/components/schemas/Error' }] } },
          },
        },
        406: errorResponse(406, 'Accept does not allow application/json.'),
        ...errors,
      },
      'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curl }],
    },
  },
  '/v1/emissoes/mcp/tools': {
    get: {
      operationId: 'mcpTools',
      tags: ['Agents'],
      summary: 'List the tools',
      description:
        'The catalogue of the tools. It needs no credential, and counts against the public limit of the source address.',
      security: [],
      parameters: [{ $ref: '#/components/parameters/RequestId' }],
      responses: {
        200: {
          description: 'The tools.',
          headers: headersOf(),
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['tools'],
                properties: {
                  tools: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'],
                      properties: {
                        name: { type: 'string' },
                        title: { type: 'string' },
                        description: { type: 'string' },
                        inputSchema: { type: 'object', description: 'JSON Schema of the arguments.' },
                        outputSchema: { type: 'object', description: 'JSON Schema of the result.' },
                        annotations: {
                          type: 'object',
                          description: 'The effects of a call, as defined by the protocol.',
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
        429: errorResponse(429),
        500: errorResponse(500),
        503: errorResponse(503),
      },
      'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: 'curl "$LASTRO_URL/v1/emissoes/mcp/tools"' }],
    },
  },
};
