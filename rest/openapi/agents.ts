import { errorResponse, headersOf } from './components.js';

const security = [{ apiKey: [] }, { apiKeyBearer: [] }, { accessToken: [] }];
const faults = {
  401: errorResponse(
    401,
    'The API key is missing, invalid, revoked or expired; so of an access token (code CAAS_AUTH_001).',
  ),
  403: errorResponse(
    403,
    'The Host or Origin header names a place that may not use this service; or the credential of an access token may do more than `read`.',
  ),
  413: errorResponse(413),
  415: errorResponse(415),
  429: errorResponse(429),
  500: errorResponse(500),
  503: errorResponse(503),
};

const version = { type: 'string', enum: ['2.0'] };

/** Returns the schema of one JSON-RPC message, or of several in a batch. */
const oneOrMore = (message: object) => ({ oneOf: [message, { type: 'array', items: message }] });

const message = {
  type: 'object',
  description: 'A JSON-RPC 2.0 message. Revisions of the protocol before 2025-06-18 take several in an array.',
  required: ['jsonrpc'],
  properties: {
    jsonrpc: version,
    id: { description: 'Of a request: a text or a number. A notification has none.' },
    method: { type: 'string' },
    params: { type: 'object' },
  },
};

const error = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: 'As JSON-RPC 2.0 numbers errors.' },
    message: { type: 'string', description: 'What is wrong.' },
  },
};

const reply = {
  type: 'object',
  description: 'A JSON-RPC 2.0 response: it has `result` or `error`.',
  required: ['jsonrpc', 'id'],
  properties: { jsonrpc: version, id: { description: 'That of the request.' }, result: { type: 'object' }, error },
};

const refusal = {
  type: 'object',
  description: 'A JSON-RPC 2.0 error of the body as a whole.',
  required: ['jsonrpc', 'id', 'error'],
  properties: { jsonrpc: version, id: { description: 'Null: no request of it was read.' }, error },
};

const toolsExample = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const curl = `curl "$BASE_URL/v1/emissoes/mcp" \\
  -X POST \\
  -H "X-API-Key: $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  -d '${JSON.stringify(toolsExample)}'`;

/** The paths of the agent endpoint, which the MCP interface serves. */
export const agentPaths = {
  '/v1/emissoes/mcp': {
    post: {
      operationId: 'mcp',
      tags: ['Agents'],
      summary: 'Talk the Model Context Protocol',
      description:
        'Streamable HTTP without sessions: each POST carries JSON-RPC messages and is answered by one JSON document, never by a stream. The tools and what they take stand in the catalogue, `GET /v1/emissoes/mcp/tools`; they read and change nothing. An API key opens those of published data and of markets; the access token of a trading credential with the scope `read` alone opens those of markets, profiles, balances, statements and orders. An error of a tool is a result with `isError: true` that says what to do. Each request in a body counts against the requests a minute of the key, or of the company.',
      security,
      parameters: [{ $ref: '#/components/parameters/RequestId' }],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: oneOrMore(message), example: toolsExample } },
      },
      responses: {
        201: {
          description: 'The response to the request; to a batch of them an array, one response for each.',
          headers: headersOf(),
          content: { 'application/json': { schema: oneOrMore(reply) } },
        },
        202: { description: 'The notification was taken. No body.', headers: headersOf() },
        400: {
          description: 'The body is not JSON-RPC, or the protocol version is not known: a JSON-RPC error.',
          headers: headersOf(),
          content: { 'application/json': { schema: refusal } },
        },
        406: errorResponse(406, 'Accept does not admit application/json.'),
        ...faults,
      },
      'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curl }],
    },
  },
  '/v1/emissoes/mcp/tools': {
    get: {
      operationId: 'mcpTools',
      tags: ['Agents'],
      summary: 'See the tools',
      description: 'The catalogue of the tools, without a credential. Counts against the public limit of the address.',
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
                        outputSchema: { type: 'object', description: 'JSON Schema of the structured result.' },
                        annotations: {
                          type: 'object',
                          description: 'What calling the tool does, as the protocol has it.',
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
      'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: 'curl "$BASE_URL/v1/emissoes/mcp/tools"' }],
    },
  },
};
