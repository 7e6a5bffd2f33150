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

/** What the protocol's side needs of the tools. */
export interface Toolbox {
  readonly entries: ToolEntry[];
  /** Undefined when there is no tool of that name. */
  call(name: string, given: Readonly<Record<string, unknown>>): Promise<CallToolResult> | undefined;
}

/** The interface version (docs/contract/common.md §1.2). */
const identity = { name: 'lastro', title: 'Lastro', version: '1.0.0' };

/** What an agent is told when it connects: what there is to ask, and in which order. */
const instructions = [
  'There are three groups of tools. Which of them respond depends on the credential of this connection; one that does not says what it needs.',
  '1. By an API key: public data of securitization operations in Brazil, credit notes (CR), real-estate receivables (CRI), agribusiness receivables (CRA) and debentures (DEB). Begin with listar_operacoes, which gives, page by page, the ticker that every other tool of this group asks for. Amounts, rates and dates are Brazilian display text: "R$ 1.234,56" is BRL 1234.56, "31/12/2026" is 31 December 2026.',
  '2. By an API key or a trading access token: the markets of crypto-assets. Begin with listar_mercados, whose symbols obter_preco_mercado and obter_historico_precos take. Amounts are decimal text: "1234.56".',
  '3. By the access token of a trading credential with the scope read alone: profiles, balances, statements and orders of its company. Begin with listar_perfis when a question is about one client: its id is the perfilId of the other tools, which mean the wallet of the company itself without it.',
  'No tool trades, withdraws or changes anything.',
].join('\n');

/** The SDK validates only what a server asks of its client, and this one asks nothing. Its default costs more than all the rest. */
const jsonSchemaValidator = {
  getValidator(): never {
    throw new Error('This server asks its clients nothing');
  },
};

/** Told by the SDK as it stands; its own McpError carries a prefix that the client's SDK puts before the message again. */
class UnknownTool extends Error {
  readonly code = ErrorCode.InvalidParams;
}

/** An answer over HTTP: JSON, or nothing. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/**
 * Answers the messages of one POST by the SDK. Nothing is kept between requests, so any instance can answer any of them
 * and an agent that goes away leaves nothing behind. The answer is JSON and never a stream: no tool reports progress.
 * @param version the header `MCP-Protocol-Version`
 */
export async function answerMessages(
  { all, batch, requests }: Messages,
  version: string | undefined,
  tools: Toolbox,
): Promise<HttpAnswer> {
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
  // 201 as docs/contract/issuances.md §6.1 says. The SDK answers a batch that holds one request without the brackets.
  return { status: 201, body: batch && requests === 1 ? `[${body}]` : body };
}

/** What the SDK's transport still reads of a request whose body and media types the interface has read. */
function asTransportReads(version: string | undefined): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
  if (version !== undefined) headers.set('mcp-protocol-version', version);
  return new Request('http://localhost/v1/emissoes/mcp', { method: 'POST', headers });
}
