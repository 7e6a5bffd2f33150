// Calls a tool as an agent would: node examples/mcp.mjs <tool> '<arguments as JSON>'
// The address comes from LASTRO_URL, the credential is a trading access token from LASTRO_TOKEN, or else an API key from LASTRO_KEY or the demo.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [name = 'listar_operacoes', args = '{}'] = process.argv.slice(2);
const url = process.env.LASTRO_URL ?? 'http://localhost:4000';
const demoKey = () =>
  JSON.parse(readFileSync(`${process.env.DATA_DIR ?? '.data'}/demo-credentials.json`, 'utf8')).publicApiKey;
const token = process.env.LASTRO_TOKEN;
const headers = token ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': process.env.LASTRO_KEY ?? demoKey() };

const client = new Client({ name: 'lastro-example', version: '1.0.0' });
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${url}/v1/emissoes/mcp`), {
    requestInit: { headers },
  }),
);
const { content, isError } = await client.callTool({ name, arguments: JSON.parse(args) });
console.log(isError ? content[0].text : JSON.stringify(JSON.parse(content[0].text), null, 2).slice(0, 4000));
await client.close();
