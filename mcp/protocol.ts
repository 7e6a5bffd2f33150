import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { cut } from '../shared/echo.js';
import type { Messages } from './messages.js';
import type { ToolEntry } from './tool.js';

/** The tools, as the protocol's server needs them. */
export interface Toolbox {
  readonly entries: ToolEntry[];
  /** Calls a tool; undefined when there is none of that name. */
  call(name: string, given: Readonly<Record<string, unknown>>): Promise<CallToolResult> | undefined;
}

/** The interface version (docs/contract/common.md §1.2). */
const identity = { name: 'lastro', title: 'Lastro', version: '1.0.0' };

/** Instructions that an agent reads when it connects: which tools there are, and in which order to use them. */
const instructions = [
  'There are three groups of tools. Which of them can be called depends on the credential of this connection; the others return an error that names the required credential.',
  '1. With an API key: public data of securitization operations in Brazil, receivables certificates (CR), real-estate receivables (CRI), agribusiness receivables (CRA) and debentures (DEB). Begin with listar_operacoes, which lists, page by page, the tickers that the other tools of this group take. Amounts, rates and dates are Brazilian display text: "R$ 1.234,56" is BRL 1234.56, "31/12/2026" is 31 December 2026.',
  '2. With an API key or a trading access token: the markets of crypto-assets. Begin with listar_mercados, whose symbols obter_preco_mercado and obter_historico_precos take. Amounts are decimal text: "1234.56".',
  '3. With the access token of a trading credential whose only scope is read: profiles, balances, statements and orders of its company. Begin with listar_perfis when a question is about one client: its id is the perfilId of the other tools. Without perfilId they use the wallet of the company itself.',
  'No tool trades, withdraws or changes anything.',
].join('\n');

/** A validator that is never called: the SDK validates only requests to its client, and this server sends none. The default costs more than all the rest. */
const jsonSchemaValidator = {
  getValidator(): never {
    throw new Error('This server sends no requests to its clients');
  },
};

/** An error that the SDK reports unchanged; its own McpError adds a prefix that the client's SDK adds again. */
class UnknownTool extends Error {
  readonly code = ErrorCode.InvalidParams;
}

/** An HTTP response: JSON, or no body. */
export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Has the SDK respond to the messages of one POST. Nothing is kept between requests, so any instance can handle any of them
 * and an agent that disconnects leaves nothing behind. The response is JSON and never a stream: no tool reports progress.
 * @param version the header `MCP-Protocol-Version`
 */
export async function respondTo(
  { all, batch, requests }: Messages,
  version: string | undefined,
  tools: Toolbox,
): Promise<HttpResponse> {
  const mcp = new McpServer(identity, { instructions, jsonSchemaValidator });
  mcp.server.registerCapabilities({ tools: { listChanged: false } });
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.entries }));
  mcp.server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const called = tools.call(params.name, params.arguments ?? {});
    if (called !== undefined) return called;
    const names = tools.entries.map(({ name }) => name).join(', ');
    throw new UnknownTool(`There is no tool ${cut(params.name)}: call one of ${names}`);
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await mcp.connect(transport);
  const response = await transport.handleRequest(asTransportReads(version), {
    parsedBody: batch ? all : (all[0] ?? []),
  });
  const { status } = response;
  const body = await response.text();
  if (status !== 200) return { status, body };
  // 201 as docs/contract/issuances.md §6.1 says. For a batch with a single request the SDK omits the brackets.
  return { status: 201, body: batch && requests === 1 ? `[${body}]` : body };
}

/** Builds the request that the SDK's transport still reads; the plugin has already read the body and checked the media types. */
function asTransportReads(version: string | undefined): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
  if (version !== undefined) headers.set('mcp-protocol-version', version);
  return new Request('http://localhost/v1/emissoes/mcp', { method: 'POST', headers });
}
