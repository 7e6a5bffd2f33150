import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { testVector } from '../../rest/openapi/signed-requests.js';
import { callerOf } from '../accounts/http.js';
import { openTestPlatform } from '../kit/platform.js';
import { newOperator } from '../kit/operator.js';
import { newPair, pemOf, sendSigned, signedHeaders, sendRaw, type Signer } from './signing-kit.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const example = (file: string) => join(root, 'examples/signed-client', file);
const pair = newPair();

const platform = await openTestPlatform();
const caller = callerOf(platform);
await caller.member('house@example.com');
const operator = (await newOperator(platform.infrastructure.context)).headers;
const folder = await mkdtemp(join(tmpdir(), 'lastro-signing-'));
afterAll(async () => {
  await platform.close();
  await rm(folder, { recursive: true });
});
const signer: Signer = { clientId: await onboard('Banco', pemOf(pair.publicKey)), key: pair.privateKey };

async function asOperator(query: string, variables: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { body } = await caller.graphql(query, variables, operator);
  const { data, errors } = body as { data: Record<string, unknown> | null; errors?: unknown };
  if (errors !== undefined || data === null) throw new Error(JSON.stringify(errors));
  return data;
}

async function onboard(name: string, publicKey: string): Promise<string> {
  const text = 'mutation ($name: String!, $key: String!) { addOriginator(name: $name, publicKey: $key) { id } }';
  const { addOriginator } = await asOperator(text, { name, key: publicKey });
  return (addOriginator as { id: string }).id;
}

async function addKey(id: string, publicKey: string): Promise<string> {
  const text = 'mutation ($id: ID!, $key: String!) { addOriginatorKey(originatorId: $id, publicKey: $key) { id } }';
  const { addOriginatorKey } = await asOperator(text, { id, key: publicKey });
  return (addOriginatorKey as { id: string }).id;
}

const typename = JSON.stringify({ query: '{ __typename }' });

/** What a signed request to the graph is answered: its status, and the catalogue's code of a refusal. */
async function knock(by: Signer): Promise<unknown[]> {
  const { status, body } = await sendSigned(platform.url, by, '/graphql', { method: 'POST', body: typename });
  const [error] = (body['errors'] ?? []) as { readonly extensions: { readonly catalogue?: unknown } }[];
  return [status, error?.extensions.catalogue];
}

describe('a client of the running house', () => {
  test('that is suspended, or whose last key is revoked, is as one without a key', async () => {
    const keys = newPair();
    const clientId = await onboard('Securitizadora', pemOf(keys.publicKey));
    const by = { clientId, key: keys.privateKey };
    const change = (status: string) =>
      asOperator('mutation ($id: ID!, $s: OriginatorStatus) { changeOriginator(id: $id, status: $s) { status } }', {
        id: clientId,
        s: status,
      });
    await change('SUSPENDED');
    expect(await knock(by)).toEqual([401, 1003]);
    await change('ACTIVE');
    expect(await knock(by)).toEqual([200, undefined]);
    const id = await addKey(clientId, pemOf(keys.publicKey));
    await asOperator('mutation ($id: ID!) { revokeOriginatorKey(id: $id) }', { id });
    expect(await knock(by)).toEqual([401, 1003]);
  });

  test('is no operator, and sees nothing of the account of another', async () => {
    const body = JSON.stringify({ query: '{ originators { id } }' });
    const answer = await sendSigned(platform.url, signer, '/graphql', { method: 'POST', body });
    expect(answer.body).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  });
});

const register = (email: string) =>
  JSON.stringify({
    query: `mutation { register(name: "Ana", email: "${email}", password: "correct horse 9", company: "Casa") { message } }`,
  });

test.each([
  ['as it was', {}, {}],
  ['with another idempotency key', { 'x-idempotency-key': 'one' }, { 'x-idempotency-key': 'two' }],
  ['without the key that it had', { 'x-idempotency-key': 'three' }, {}],
  ['with a key that it did not have', {}, { 'x-idempotency-key': 'four' }],
])('a replay of a signed mutation %s does not run again, and gets the stored answer', async (name, first, second) => {
  const email = `${name.replaceAll(' ', '-')}@example.com`;
  const body = register(email);
  const headers = signedHeaders(signer, '/graphql', { method: 'POST', body });
  const post = (more: Record<string, string>) =>
    sendRaw(platform.url, '/graphql', { method: 'POST', headers: { ...headers, ...more }, body });
  const answers = [await post(first), await post(second)];
  expect(answers.map(({ headers: { 'x-idempotent-replayed': replayed } }) => replayed)).toEqual([undefined, 'true']);
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect(await caller.mailbox(email)).toHaveLength(1);
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], env: Record<string, string>, input = ''): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { cwd: root, env: { PATH: process.env['PATH'], ...env }, encoding: 'utf8' },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
    // A program that reads no input may have ended before it.
    child.stdin?.on('error', () => undefined).end(input);
  });
}

describe('the examples', () => {
  const named = [
    ['client.mjs', process.execPath, 1],
    ['client.sh', 'sh', 22],
  ] as const;

  test.each(named)('%s signs what the house lets in, UTF-8 included', async (file, command, refused) => {
    const key = join(folder, `${file}.pem`);
    await writeFile(key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const body = join(folder, `${file}.json`);
    await writeFile(
      body,
      JSON.stringify({ query: '{ __typename }', operationName: null, variables: { nome: 'São João' } }),
    );
    const env = { LASTRO_URL: platform.url, CLIENT_ID: signer.clientId, PRIVATE_KEY: key };
    const done = await run(command, [example(file), 'POST', '/graphql?lote=S%C3%A3o%20Jo~ao', body], env);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(JSON.parse(done.stdout)).toEqual({ data: { __typename: 'Query' } });
    const stranger = join(folder, `${file}.other.pem`);
    await writeFile(stranger, newPair().privateKey.export({ type: 'pkcs1', format: 'pem' }));
    const forged = await run(command, [example(file), 'POST', '/graphql', body], { ...env, PRIVATE_KEY: stranger });
    expect(forged.code).toBe(refused);
    expect(forged.stdout).toMatch(/"catalogue": ?1001/);
  });

  test('client.sh takes a body from its standard input', async () => {
    const key = join(folder, 'input.pem');
    await writeFile(key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const env = { LASTRO_URL: platform.url, CLIENT_ID: signer.clientId, PRIVATE_KEY: key };
    const { stdout } = await run('sh', [example('client.sh'), 'POST', '/graphql', '-'], env, typename);
    expect(JSON.parse(stdout)).toEqual({ data: { __typename: 'Query' } });
  });
});

describe('the test vector', () => {
  const { method, target, timestamp, body, signature, publicKey } = testVector;
  const text = `${method}\n${target}\n${timestamp}\n${body}`;

  test('is what openssl makes of the key of the examples', async () => {
    const file = join(folder, 'text');
    await writeFile(file, text);
    const args = ['dgst', '-sha256', '-sign', example('test-key.pem'), '-out', `${file}.sig`, file];
    expect(await run('openssl', args, {})).toMatchObject({ code: 0 });
    expect(readFileSync(`${file}.sig`).toString('base64')).toBe(signature);
    expect((await run('openssl', ['pkey', '-in', example('test-key.pem'), '-pubout'], {})).stdout.trim()).toBe(
      publicKey,
    );
    expect(readFileSync(example('test-key.pub.pem'), 'utf8').trim()).toBe(publicKey);
  });

  test('is what the reference shows', () => {
    const { components } = JSON.parse(readFileSync(join(root, 'rest/openapi.json'), 'utf8')) as {
      components: { securitySchemes: { signature: { description: string } } };
    };
    const { description } = components.securitySchemes.signature;
    for (const part of [text, signature, publicKey]) expect(description).toContain(part);
  });

  test('is what the README of the examples shows, and what its command prints', async () => {
    const readme = readFileSync(example('README.md'), 'utf8');
    expect(readme).toContain(`\`\`\`\n${text}\n\`\`\``);
    expect(readme).toContain(`X-Signature: ${signature}`);
    const command = /```sh\n(printf[\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect((await run('sh', ['-c', command], {})).stdout).toBe(signature);
  });
});
