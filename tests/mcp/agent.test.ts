import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { mcpPlugin } from '../../mcp/plugin.js';
import { createTestEdge, goodKey, open } from '../rest/edge-kit.js';
import { until } from '../kit/until.js';
import { bookTools, connect, createLibrary, type Library } from './kit.js';

const config = { publicUrl: 'https://api.example.com', allowedHosts: [], allowedOrigins: [], production: false };

let app: FastifyInstance;
let library: Library;
let address: string;
let logged: () => string;
let clients: Client[];

beforeEach(async () => {
  library = await createLibrary();
  ({ app, logged } = createTestEdge());
  mcpPlugin(app, { graph: library.graph, config, folder: bookTools });
  address = await open(app);
  clients = [];
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await app.close();
});

async function agent(
  headers: Record<string, string> = { 'X-API-Key': goodKey },
  options: Parameters<typeof connect>[2] = {},
): Promise<Client> {
  const client = await connect(address, headers, options);
  clients.push(client);
  return client;
}

/** A program, which reads structured results. */
const program = () => agent({ 'X-API-Key': goodKey }, { structured: true });

function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text: string }[] };
  expect(content.map(({ type }) => type)).toEqual(['text']);
  return content[0]?.text ?? '';
}

test.each([
  ['X-API-Key', { 'X-API-Key': goodKey }],
  ['Authorization: Bearer', { Authorization: `Bearer ${goodKey}` }],
])('an agent that connects is let in by its key as %s, and is told where it is', async (_name, headers) => {
  const client = await agent(headers);
  expect(client.getServerVersion()).toMatchObject({ name: 'lastro', version: '1.0.0' });
  expect(client.getServerCapabilities()).toEqual({
    tools: { listChanged: false },
    resources: { listChanged: false, subscribe: false },
    prompts: { listChanged: false },
    completions: {},
  });
  expect(client.getInstructions()).toContain('listar_operacoes');
  await client.ping();
});

describe('the tools', () => {
  test('are listed with what an agent needs to choose and to call them', async () => {
    const { tools } = await (await agent()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(['estante', 'listar_livros', 'obter_livro']);
    expect(tools[2]).toEqual({
      name: 'obter_livro',
      title: 'Get a book',
      description: 'One book by its title.',
      inputSchema: {
        type: 'object',
        properties: { title: { type: 'string', description: 'Its title, in any case' } },
        required: ['title'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
  });

  test('answer a program with structured content, which it checks against the schema, and the same as text', async () => {
    const client = await program();
    await client.listTools();
    const result = await client.callTool({ name: 'obter_livro', arguments: { title: 'DUNE' } });
    expect(result.structuredContent).toEqual({ title: 'Dune', price: '49.90', binding: 'HARD' });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    expect(result.isError).toBeUndefined();
  });

  test('answer an agent once, as text', async () => {
    const result = await (await agent()).callTool({ name: 'obter_livro', arguments: { title: 'DUNE' } });
    expect(JSON.parse(textOf(result))).toEqual({ title: 'Dune', price: '49.90', binding: 'HARD' });
    expect(result).not.toHaveProperty('structuredContent');
  });

  test.each([
    ['listar_livros', undefined, { total: 2, items: [{ sequels: [null] }, { sequels: null }] }],
    ['listar_livros', { short: true }, { total: 2, items: [{ title: 'Dune' }, { title: 'Emma' }] }],
    ['estante', { number: 1, month: null }, { __typename: 'OpenShelf', books: [{ title: 'Dune' }] }],
    ['estante', { number: 2, month: '' }, { __typename: 'ClosedShelf', reason: 'Dust' }],
  ])('%s %j', async (name, given, expected) => {
    const client = await program();
    await client.listTools();
    const result = await client.callTool({ name, ...(given === undefined ? {} : { arguments: given }) });
    expect(result.structuredContent).toMatchObject(expected);
  });

  test("run with the request's own context: who calls, and under which request id", async () => {
    await (await agent({ 'X-API-Key': goodKey, 'X-Request-Id': 'my-trace' })).callTool({ name: 'listar_livros' });
    expect(library.contexts).toMatchObject([{ requestId: 'my-trace', principal: { kind: 'API_KEY', id: 'key-1' } }]);
  });

  test('answer many calls at once, each its own', async () => {
    const client = await program();
    const titles = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 'Dune' : 'Emma'));
    const results = await Promise.all(
      titles.map((title) => client.callTool({ name: 'obter_livro', arguments: { title } })),
    );
    expect(results.map(({ structuredContent }) => (structuredContent as { title: string }).title)).toEqual(titles);
  });
});

describe('what goes wrong in a call', () => {
  test('arguments: every error at once, each with what the argument is', async () => {
    const result = await (
      await agent()
    ).callTool({
      name: 'estante',
      arguments: { number: 10, month: '2026-13', shelf: 1 },
    });
    expect(result.isError).toBe(true);
    expect(textOf(result).split('\n')).toEqual([
      'The arguments are not valid.',
      '- shelf is not an argument of this tool. The arguments are number, month.',
      '- number must be <= 9. Number of the shelf, from 1 to 9',
      '- month must match pattern "^[0-9]{4}-(0[1-9]|1[0-2])$". Month as YYYY-MM; listar_livros gives the months',
      'Correct the arguments and call estante again.',
    ]);
    expect(library.contexts).toEqual([]);
  });

  test.each([
    ['obter_livro', {}, '- title is required. Its title, in any case'],
    ['obter_livro', { title: 7 }, '- title must be string. Its title, in any case'],
    ['estante', { number: 'two' }, '- number must be integer. Number of the shelf, from 1 to 9'],
    ['estante', { number: 9 }, '- number is being repaired. Number of the shelf, from 1 to 9'],
  ])('%s %j says "%s"', async (name, given, line) => {
    const result = await (await agent()).callTool({ name, arguments: given });
    expect(result.isError).toBe(true);
    expect(textOf(result).split('\n')).toContain(line);
  });

  test('what does not exist: the agent is sent to where it finds what does', async () => {
    const result = await (await agent()).callTool({ name: 'obter_livro', arguments: { title: 'Ulysses' } });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toBe('The resource does not exist.\nCall listar_livros to see the titles that exist.');
  });

  test('a pause is given with its seconds', async () => {
    const result = await (await agent()).callTool({ name: 'obter_livro', arguments: { title: 'busy' } });
    expect(textOf(result)).toContain('Wait 7 seconds and call obter_livro again.');
  });

  test('an unexpected error says its request id and nothing of the inside, which is in the log', async () => {
    const client = await agent({ 'X-API-Key': goodKey, 'X-Request-Id': 'trace-1' });
    const result = await client.callTool({ name: 'obter_livro', arguments: { title: 'bug' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('quote the requestId trace-1');
    expect(JSON.stringify(result)).not.toMatch(/secret|TypeError|at .*\.ts/);
    expect(logged()).toContain('secret of the machine room');
  });

  test('an unknown tool is an error of the protocol that names the tools', async () => {
    await expect((await agent()).callTool({ name: 'apagar_tudo' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(
        /^MCP error -32602: There is no tool [^:]+: call one of estante, listar_livros, obter_livro$/,
      ) as unknown,
    });
  });
});

test('an agent that goes away in the middle of a call leaves the server well', async () => {
  let release = (): void => undefined;
  library.gate = new Promise((resolve) => {
    release = resolve;
  });
  const leaving = await agent();
  const call = leaving.callTool({ name: 'listar_livros' });
  const ended = expect(call).rejects.toThrow();
  await until('the call to begin', () => library.contexts.length > 0);
  await leaving.close();
  await ended;
  release();
  library.gate = Promise.resolve();
  const result = await (await program()).callTool({ name: 'listar_livros' });
  expect(result.structuredContent).toMatchObject({ total: 2 });
});
