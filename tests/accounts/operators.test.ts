import { afterAll, expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { readSupergraph } from '../../bootstrap/supergraph.js';
import { fixedClock } from '../kit/clock.js';
import { newOperator, type TestOperator } from '../kit/operator.js';
import { openTestPlatform } from '../kit/platform.js';
import { documentFor } from '../kit/root-document.js';
import { rateLimitVariables } from '../kit/rate-limits.js';
import { callerOf } from './http.js';

const clock = fixedClock('2026-11-20T15:00:00Z');
const hour = 3_600_000;

const platform = await openTestPlatform(
  { PUBLIC_URL: 'https://lastro.test', ...rateLimitVariables(100_000), RATE_LIMIT_GRAPHQL: '1000000000' },
  { clock },
);
const caller = callerOf(platform);
const admin = await newOperator(platform.infrastructure.context, ['administer']);
const everyRole = await newOperator(platform.infrastructure.context);
afterAll(() => platform.close());

interface Added {
  readonly id: string;
  readonly key: string | null;
  readonly linkExpiresAt: string | null;
}

async function addKey(operator: string, by: TestOperator = admin): Promise<Added> {
  const { body } = await caller.graphql(
    'mutation ($operator: String!) { addOperatorKey(operator: $operator) { id key linkExpiresAt } }',
    { operator },
    by.headers,
  );
  return (body as { data: { addOperatorKey: Added } }).data.addOperatorKey;
}

const linkTo = async (email: string) =>
  new URL((await caller.mailbox(email)).flatMap(({ links }) => links)[0] ?? 'https://none.test');
const press = ({ pathname, search }: URL) => fetch(`${platform.url}${pathname}${search}`, { method: 'POST' });
const keyIn = (html: string) => /svc_op_[0-9A-Za-z]{44}/.exec(html)?.[0];
const codeOf = async (key: string) => {
  const { status, body } = await caller.graphql('{ originators { id } }', {}, { 'x-api-key': key });
  return (body as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code ?? status;
};

test('the key of another operator is shown to its owner alone, once, by the button of a link in mail', async () => {
  const olga = await newOperator(platform.infrastructure.context, ['trade']);
  const added = await addKey(olga.email);
  expect(added).toEqual({ id: expect.any(String), key: null, linkExpiresAt: '2026-11-21T15:00:00.000Z' });
  const link = await linkTo(olga.email);
  expect(link.href).toContain('https://lastro.test/chave-de-operador?token=');

  const asked = await fetch(`${platform.url}${link.pathname}${link.search}`);
  expect([asked.status, asked.headers.get('cache-control'), keyIn(await asked.text())]).toEqual([
    200,
    'no-store',
    undefined,
  ]);
  const pages = await Promise.all([press(link), press(link), press(link)]);
  expect(pages.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  const keys = (await Promise.all(pages.map((page) => page.text()))).flatMap((html) => keyIn(html) ?? []);
  expect(keys).toHaveLength(1);
  expect(await codeOf(keys[0] ?? '')).toBe(200);
  expect((await press(link)).status).toBe(422);
});

test('a new operator gets the first key in the same way', async () => {
  const email = `${crypto.randomUUID()}@casa.example`;
  const text = `mutation ($email: String!) { addOperator(email: $email, name: "Rui", roles: ["read"]) { key } }`;
  const { body } = await caller.graphql(text, { email }, admin.headers);
  expect(body).toEqual({ data: { addOperator: { key: null } } });
  const page = await press(await linkTo(email));
  expect(await codeOf(keyIn(await page.text()) ?? '')).toBe(200);
});

test('a link is of no use after a day, and once its key or its operator is revoked', async () => {
  const olga = await newOperator(platform.infrastructure.context, ['read']);
  const revoke = (text: string, value: string) => caller.graphql(text, { value }, admin.headers);
  await addKey(olga.email);
  const late = await linkTo(olga.email);
  clock.advance(24 * hour);
  expect((await press(late)).status).toBe(422);
  const { id } = await addKey(olga.email);
  const ofKey = await linkTo(olga.email);
  await revoke('mutation ($value: ID!) { revokeOperatorKey(id: $value) }', id);
  expect((await press(ofKey)).status).toBe(422);
  await addKey(olga.email);
  const ofOperator = await linkTo(olga.email);
  await revoke('mutation ($value: String!) { revokeOperator(operator: $value) { id } }', olga.email);
  expect((await press(ofOperator)).status).toBe(422);
});

test('a key of one’s own is shown at once, and its owner is told', async () => {
  const { key, linkExpiresAt } = await addKey(admin.email);
  expect(linkExpiresAt).toBeNull();
  expect(await codeOf(key ?? '')).toBe(200);
  const [mail] = await caller.mailbox(admin.email);
  expect([mail?.subject, mail?.links]).toEqual(['Nova chave de operador', []]);
});

test('nobody changes their own roles, whatever names them', async () => {
  for (const operator of [admin.email, admin.email.toUpperCase(), admin.id]) {
    const { body } = await caller.graphql(
      'mutation ($operator: String!) { changeOperatorRoles(operator: $operator, roles: ["administer", "trade"]) { id } }',
      { operator },
      admin.headers,
    );
    expect(body).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN', rule: 'OWN_ROLES' } }] });
  }
});

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
    const { reply } = await send(everyRole.headers);
    const requestId = reply.headers.get('x-request-id');
    // One name for the same act by the command line and by the panel.
    const action = name === 'startAuditExport' ? 'exportAuditLog' : name;
    expect(await entries()).toContainEqual({ action, actor_id: everyRole.id, request_id: requestId });
  }
  expect(ofOperators).toEqual(expect.arrayContaining(['writeOffAsset', 'addOperator', 'permitOriginator', 'reprice']));
  expect(ofOperators.length).toBeGreaterThan(20);
});

test('a key of an operator opens no path of REST, and the agents’ interface not either', async () => {
  for (const path of ['/v1/emissoes/operacoes', '/developer/contracts', '/v1/emissoes/keys']) {
    expect((await caller.send('GET', path, undefined, everyRole.headers)).status).toBe(401);
  }
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const headers = { ...everyRole.headers, accept: 'application/json, text/event-stream' };
  expect((await caller.post('/v1/emissoes/mcp', ping, headers)).status).toBe(401);
});
