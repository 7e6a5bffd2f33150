import { afterAll, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { readSupergraph } from '../../../bootstrap/supergraph.js';
import { openTestPlatform } from '../../kit/platform.js';
import { newOperator } from '../../kit/operator.js';
import { documentFor } from '../../kit/root-document.js';
import { callerOf } from '../http.js';

const platform = await openTestPlatform({ RATE_LIMIT_GRAPHQL: '1000000000' });
const caller = callerOf(platform);
const olga = await newOperator(platform.infrastructure.context);
afterAll(() => platform.close());

interface Entry {
  readonly action: string;
  readonly actor_id: string;
  readonly request_id: string;
}

const entries = async (): Promise<Entry[]> => {
  await platform.infrastructure.audit.flush();
  return platform.infrastructure.dataSource.query('SELECT action, actor_id, request_id FROM shared.audit_log');
};

test('no mutation of operators runs, or is refused, without an entry of the audit log that names its request', async () => {
  const ofOperators: string[] = [];
  const schema = buildSchema(await readSupergraph(), { assumeValidSDL: true });
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { name } = field;
    const send = async (headers: Record<string, string>) => {
      const reply = await caller.graphql(documentFor('mutation', field), {}, headers);
      return { reply, errors: (reply.body as { errors?: { message: string }[] }).errors ?? [] };
    };
    const { errors } = await send({});
    expect([name, errors.filter(({ message }) => message.startsWith('Syntax'))]).toEqual([name, []]);
    if (!errors.some(({ message }) => message.includes('the key of an operator'))) continue;
    ofOperators.push(name);
    // A piece of a file is a part of the act that reads the file.
    if (name === 'addImportFilePiece') continue;
    const { reply } = await send(olga.headers);
    const requestId = reply.headers.get('x-request-id');
    // One name for the same act by the command line and by the panel.
    const action = name === 'startAuditExport' ? 'exportAuditLog' : name;
    expect(await entries()).toContainEqual({ action, actor_id: olga.id, request_id: requestId });
  }
  expect(ofOperators).toEqual(expect.arrayContaining(['writeOffAsset', 'addOperator', 'permitOriginator', 'reprice']));
  expect(ofOperators.length).toBeGreaterThan(20);
});

test('a key that is revoked ends the sockets that it opened, and what they ask for next is refused', async () => {
  const rui = await newOperator(platform.infrastructure.context, ['read']);
  const url = `${platform.url.replace('http', 'ws')}/graphql`;
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    lazy: false,
    retryAttempts: 0,
    onNonLazyError: () => undefined,
    connectionParams: { 'X-API-Key': rui.key },
  });
  const ask = () => client.iterate({ query: '{ originators { id } }' }).next();
  expect((await ask()).value).toEqual({ data: { originators: [] } });
  await caller.graphql(
    'mutation ($id: String!) { revokeOperator(operator: $id) { id } }',
    { id: rui.id },
    olga.headers,
  );
  await expect(ask()).rejects.toBeDefined();
  await client.dispose();
  expect((await caller.graphql('{ originators { id } }', {}, rui.headers)).status).toBe(401);
});

test('a key of an operator opens no path of REST, and the agents’ interface not either', async () => {
  for (const path of ['/v1/emissoes/operacoes', '/developer/contracts', '/v1/emissoes/keys']) {
    expect((await caller.send('GET', path, undefined, olga.headers)).status).toBe(401);
  }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { ...olga.headers, accept: 'application/json, text/event-stream' };
  expect((await caller.post('/v1/emissoes/mcp', ping, headers)).status).toBe(401);
});
