import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { cut } from '../shared/kernel/echo.js';
import type { Messages } from './messages.js';
import { listedPrompts, promptFor } from './prompts.js';
import { ProtocolError } from './protocol-error.js';
import { listResources, readResource } from './resource-reader.js';
import { resourceType } from './resources.js';
import type { RequestTools } from './toolbox.js';

/** The interface version (docs/contract/common.md §1.2). */
const identity = { name: 'lastro', title: 'Lastro', version: '1.0.0' };

/** A validator that is never called: the SDK validates only requests to its client, and this server sends none. The default costs more than all the rest. */
const jsonSchemaValidator = {
  getValidator(): never {
    throw new Error('This server sends no requests to its clients');
  },
};

export interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/** Nothing is kept between requests, so any instance can respond; always JSON, never a stream. @param version the header `MCP-Protocol-Version` */
export async function respondTo(
  { all, refusals, batch, requests }: Messages,
  version: string | undefined,
  tools: RequestTools,
): Promise<HttpResponse> {
  const bodies = refusals.map((refusal) => JSON.stringify(refusal));
  if (all.length === 0 && bodies.length > 0)
    return { status: 201, body: batch ? `[${bodies.join()}]` : (bodies[0] ?? '') };
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await serverFor(tools).connect(transport);
  const response = await transport.handleRequest(asTransportReads(version), {
    parsedBody: batch ? all : (all[0] ?? []),
  });
  const { status } = response;
  const body = await response.text();
  if (status !== 200 && (status !== 202 || bodies.length === 0)) return { status, body };
  // 201 as docs/contract/issuances.md §6.1 says. For a batch with a single request the SDK omits the brackets.
  if (!batch) return { status: 201, body };
  const own = requests - bodies.length === 1 ? body : body.slice(1, -1);
  return { status: 201, body: `[${[own, ...bodies].filter((one) => one !== '').join()}]` };
}

function serverFor(tools: RequestTools): McpServer {
  const mcp = new McpServer(identity, { instructions, jsonSchemaValidator });
  const { server } = mcp;
  server.registerCapabilities({
    tools: { listChanged: false },
    resources: { listChanged: false, subscribe: false },
    prompts: { listChanged: false },
    completions: {},
  });
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    demandFirstPage(params?.cursor);
    return { tools: tools.entries };
  });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const called = tools.call(params.name, params.arguments ?? {});
    if (called !== undefined) return called;
    const names = tools.entries.map(({ name }) => name).join(', ');
    throw new ProtocolError(ErrorCode.InvalidParams, `There is no tool ${cut(params.name)}: call one of ${names}`);
  });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    listResources(tools.run, tools.resources, params?.cursor),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) => {
    demandFirstPage(params?.cursor);
    const templates = tools.resources.map(({ template: { uriTemplate, name, title, description } }) => ({
      uriTemplate,
      name,
      title,
      description,
      mimeType: resourceType,
    }));
    return { resourceTemplates: templates };
  });
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    readResource(tools.run, tools.resources, params.uri),
  );
  server.setRequestHandler(ListPromptsRequestSchema, ({ params }) => {
    demandFirstPage(params?.cursor);
    return { prompts: listedPrompts };
  });
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    promptFor(params.name, params.arguments ?? {}, tools.today()),
  );
  server.setRequestHandler(CompleteRequestSchema, async ({ params }) => ({
    completion: await tools.complete(params.ref, params.argument, params.context?.arguments ?? {}),
  }));
  return mcp;
}

/** Checks the cursor of a list that is always one page. An empty one counts as none. @throws {ProtocolError} */
function demandFirstPage(cursor = ''): void {
  if (cursor !== '')
    throw new ProtocolError(ErrorCode.InvalidParams, 'cursor is none of this list, which has one page: leave it out');
}

/** Builds the request that the SDK's transport still reads; the plugin has already read the body and checked the media types. */
function asTransportReads(version: string | undefined): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
  if (version !== undefined) headers.set('mcp-protocol-version', version);
  return new Request('http://localhost/v1/emissoes/mcp', { method: 'POST', headers });
}

/** Instructions that an agent reads when it connects: which tools take and return what. Checked by `tests/mcp/house-tools.test.ts`. */
const instructions = [
  'Lastro: securitization operations in Brazil, their tokenized series, credits and markets. All tools only read. Which can be called depends on the credential; the others return an error that names the required one.',
  'Tickers are of four kinds, and a tool takes one of them. Operation (CRI-AURORA): listar_operacoes lists them; ticker of obter_operacao, listar_meses_relatorio, obter_relatorio_mensal and obter_estoque, tickers of comparar_operacoes, listar_alertas and listar_proximos_pagamentos; the slug of the operation is accepted too. Series of an operation (CRIAURORA1): only in results; texto of listar_operacoes finds its operation. Estate (PAT-AURORA): listar_patrimonios; patrimonio of listar_series; patrimonioId of other tools is its id. Tokenized series (AURORA-TK1): listar_series; ticker of obter_serie, obter_cronograma and obter_historico_pu. Tickers are accepted in any case.',
  'Values: listar_operacoes, obter_operacao, obter_relatorio_mensal and obter_estoque return Brazilian display text ("R$ 1.234,56", "31/12/2026", "3,50%"); beside it fields ending in Raw, and numeros of obter_relatorio_mensal, have decimals as text ("1234.56") and ISO dates. All other tools return decimals as text and ISO dates; there remuneration and status labels of operations are the only display text. Amounts are BRL, rates and shares percent. Compute with the decimals only.',
  'Lists: send nextCursor of a result as cursor, with the same filters, until it is null; limite is the size of a page. A large part of a result has pages of its own: send its nextCursor as the argument that the tool names. total or count covers all pages: do not read all pages to count or to add up, sums are in listar_alertas, listar_proximos_pagamentos, resumo_ativos, obter_relatorio_mensal and stats of listar_operacoes. Values of an enum and symbols of markets are accepted in any case. Where some of several tickers do not exist, a second text of the result names them.',
  'With an API key: all tools but those for wallets. Credit and settlement batches are those of the originator of the key. With the access token of a trading credential whose only scope is read: listar_mercados, obter_preco_mercado, obter_historico_precos and the tools for wallets (listar_perfis, obter_saldos, obter_extrato, listar_ordens, obter_ordem, obter_execucao_ordem).',
].join('\n');
