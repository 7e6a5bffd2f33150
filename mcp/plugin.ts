import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { admitsJson } from '../gateway/http/reply/accept.js';
import { sendReading } from '../gateway/http/reply/compression.js';
import { contextOf } from '../gateway/http/identify/context.js';
import { spendMore } from '../gateway/http/limits/charge.js';
import { createHostGuard } from '../gateway/http/host-guard.js';
import type { EdgeRules } from '../gateway/http/route-policy.js';
import type { Graph } from '../gateway/graph/graph.js';
import type { Config } from '../shared/kernel/config.js';
import type { Principal } from '../shared/kernel/context.js';
import { ApiError, refuse } from '../shared/kernel/errors.js';
import { isRecord } from '../shared/kernel/is-record.js';
import { loadTools } from './tool-file.js';
import { readMessages, UnreadableMessages } from './messages.js';
import { respondTo, type HttpResponse } from './protocol.js';
import { createToolbox } from './toolbox.js';

export interface McpOptions {
  readonly graph: Graph;
  readonly config: Pick<Config, 'publicUrl' | 'allowedHosts' | 'allowedOrigins' | 'production'>;
  /** Folder of the tools; `mcp/tools` by default. */
  readonly folder?: string;
}

const path = '/v1/emissoes/mcp';
const json = 'application/json; charset=utf-8';
/** Query parameter for programs: tools are listed with the schema of their result, which calls return as structured content. */
const structuredParameter = 'structured';
const agentRules: EdgeRules = {
  credential: 'agent',
  bucket: 'agent',
  parametersOf: () => new Set([structuredParameter]),
};
const catalogueRules: EdgeRules = { credential: 'none', bucket: 'public', parametersOf: () => new Set() };

/** Serves Model Context Protocol over streamable HTTP, without sessions. @throws {Error} that names the file of an invalid tool */
export function mcpPlugin(app: FastifyInstance, { graph, config, folder }: McpOptions): void {
  const toolbox = createToolbox(graph, loadTools(graph.apiSchema, folder));
  const catalogue = JSON.stringify({ tools: toolbox.entries });
  const guardHost = createHostGuard(config);

  const result = async (request: FastifyRequest, reply: FastifyReply): Promise<HttpResponse> => {
    const version = textOf(request.headers['mcp-protocol-version']);
    const structured = isStructured(request.query);
    const messages = readMessages(request.rawBody ?? Buffer.alloc(0), version);
    // The edge charged one point for the POST; every further request of a batch costs one more.
    if (messages.requests > 1) await spendMore(request, reply, messages.requests - 1);
    return respondTo(messages, version, toolbox.forRequest(contextOf(request), structured));
  };

  app.get(`${path}/tools`, { config: { edge: catalogueRules } }, (_request, reply) =>
    sendReading(reply.type(json), catalogue),
  );

  const onRequest = (request: FastifyRequest, _reply: FastifyReply, next: () => void) => {
    guardHost(request.headers);
    requireReader(request.edge.principal);
    if (!admitsJson(request.headers.accept)) throw new ApiError('NOT_ACCEPTABLE');
    next();
  };
  // Not parsed by the edge: JSON-RPC has its own error for a body that is not JSON.
  const unparsed = ['application/json'];
  app.post(path, { config: { edge: agentRules, unparsed }, onRequest }, async (request, reply) => {
    const { status, body } = await result(request, reply).catch(unreadable);
    reply.code(status);
    if (body === '') return reply.send();
    return sendReading(reply.type(json), body);
  });
}

/** Refuses trading credentials beyond reading: an agent could be talked into revealing one. @throws {ApiError} FORBIDDEN, which says what to connect with */
function requireReader({ kind, scopes }: Principal): void {
  if (kind !== 'TRADER' || scopes.every((scope) => scope === 'read')) return;
  const message = `This credential has the scopes ${scopes.join(', ')}: connect an agent with a credential whose only scope is read. An operator creates one: npm run lastro -- addTradingCredential --companyId <company id> --scopes read`;
  throw new ApiError('FORBIDDEN', { message });
}

/** @throws {ApiError} BAD_REQUEST for a value that is neither true nor false */
function isStructured(query: unknown): boolean {
  const value = isRecord(query) ? query[structuredParameter] : undefined;
  if (value !== undefined && value !== 'true' && value !== 'false')
    refuse('BAD_REQUEST', [{ path: structuredParameter, message: 'must be true or false' }]);
  return value === 'true';
}

function unreadable(thrown: unknown): HttpResponse {
  if (!(thrown instanceof UnreadableMessages)) throw thrown;
  return { status: 400, body: JSON.stringify(thrown) };
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
