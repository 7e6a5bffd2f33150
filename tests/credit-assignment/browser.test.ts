import { afterAll, describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { templates } from '../../apps/panel/originator/file-kind.js';
import { newId } from '../../shared/kernel/ids.js';
import { addOriginator } from '../../subgraphs/credit-assignment/originators/originators.acts.js';
import { newAuthenticator } from '../accounts/authenticator.js';
import { openBrowserPlatform, ownPage, site, stateOf } from '../accounts/browser.js';
import { password } from '../accounts/http.js';
import { newOperator } from '../kit/operator.js';
import { addOpenEstate, permit } from './estates/kit.js';
import { type Signer, newPair, pemOf, sendSigned } from './signing-kit.js';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../kit/until.js';

const patrimonyId = newId();

const [head = ''] = templates.assignment.split('\r\n', 1);
/** A file by the panel's template, without its example. */
const csv = (...rows: readonly string[]) =>
  [head, ...rows.map((row) => row + ';'.repeat(head.split(';').length - 4))].map((line) => `${line}\r\n`).join('');
const good = csv('F-1;11222333000181;1000,50;31/01/2031', 'F-2;52998224725;2000;2031-01-31');

// A client, and a browser of the account that it is linked with, in which a second factor was just proved.
const opened = await openBrowserPlatform();
afterAll(() => opened.platform.close());
const { context } = opened.platform.infrastructure;
const newClient = async (accountId: string | null): Promise<Signer> => {
  const { privateKey, publicKey } = newPair();
  const wish = { name: 'Crediário', publicKey: pemOf(publicKey), rateLimit: null, accountId };
  return { clientId: (await addOriginator(context, wish)).id, key: privateKey };
};
const { browser, email } = await opened.newVisitor();
const { status } = await browser.post('/web/session', { email, password });
if (status !== 204) throw new Error(`The login was answered with ${status}`);
const client = await newClient(String((await stateOf(browser))['ownerId']));
await delay(1_000);
const { body } = await browser.graphql('mutation { beginPasskey }');
const { beginPasskey } = (body as { data: { beginPasskey: string } }).data;
const credential = JSON.stringify(newAuthenticator(site).create(JSON.parse(beginPasskey) as { challenge: string }));
const added = await browser.errorOf(
  'mutation ($c: String!) { addPasskey(name: "Notebook", credential: $c) { recoveryCodes } }',
  { c: credential },
);
if (added !== undefined) throw new Error(`The passkey was refused: ${added}`);
/** Permits the account of the client to send, or takes the permission back. */
const allow = async (permitted: boolean) => {
  const text =
    'mutation ($id: ID!, $p: Boolean!) { permitAccountToSend(originatorId: $id, permitted: $p) { accountMaySend } }';
  const { headers } = await newOperator(context);
  return (await opened.caller.graphql(text, { id: client.clientId, p: permitted }, headers)).body;
};
const { dataSource } = opened.platform.infrastructure;
await addOpenEstate(dataSource, patrimonyId, 'FILES');
await permit(dataSource, client.clientId, patrimonyId);

async function dataOf<T>(text: string, variables?: Record<string, unknown>): Promise<T> {
  const { data, errors } = (await browser.graphql(text, variables)).body as { data: T; errors?: object[] };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

async function sendAsPerson(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${opened.platform.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'text/plain; profile=file',
      cookie: `__Host-lastro=${browser.cookie ?? ''}`,
      ...ownPage,
      ...headers,
    },
    body,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const sendPath = `/v1/assignment-files?patrimonyId=${patrimonyId}&format=CSV`;
const checkPath = `/v1/assignment-files/check?patrimonyId=${patrimonyId}&format=CSV`;

test('a client checks a file by a signed request, and reads every error and the file with them', async () => {
  const target = `/tidc/v1/credit-batches/check-file?patrimonyId=${patrimonyId}&format=CSV&errorFile=true&language=EN`;
  const checked = await sendSigned(opened.platform.url, client, target, {
    method: 'POST',
    body: csv('F-1;11222333000182;1000;2031-01-31'),
    timestamp: Math.floor(opened.clock.now().getTime() / 1000),
    headers: { 'content-type': 'text/plain; profile=file' },
  });
  expect(checked).toMatchObject({
    status: 200,
    body: {
      lineCount: 1,
      total: '1000.00',
      accepted: false,
      refusal: { statusCode: 422, code: 'UNPROCESSABLE' },
      eligible: null,
      errorCount: 1,
      errors: [{ line: 2, field: 'debtorDocument', value: '11222333000182', rule: 'CHECK_DIGITS' }],
      errorFile: expect.stringContaining('column debtorDocument has wrong check digits') as unknown,
    },
  });
});

test('an empty file as text gets the same response as one in JSON', async () => {
  const asText = await sendAsPerson(checkPath, '');
  const json = JSON.stringify({ patrimonyId, format: 'CSV', file: '' });
  const asJson = await sendAsPerson('/v1/assignment-files/check', json, { 'content-type': 'application/json' });
  expect(asText).toMatchObject({ status: 200, body: { errors: [{ rule: 'FILE_EMPTY' }] } });
  expect(asText).toEqual(asJson);
});

test('a person of the account checks, and sends only with the permission of an operator', async () => {
  expect(await sendAsPerson(checkPath, good)).toMatchObject({
    status: 200,
    body: { accepted: true, eligible: true, errorCount: 0, lineCount: 2, total: '3000.50' },
  });
  expect(await sendAsPerson(sendPath, good)).toMatchObject({ status: 403 });
  expect(await allow(true)).toEqual({ data: { permitAccountToSend: { accountMaySend: true } } });
  const sent = await sendAsPerson(sendPath, new Uint8Array(gzipSync(good)), { 'content-encoding': 'gzip' });
  expect(sent).toMatchObject({ status: 201, body: { status: 'DRAFT', receivableCount: 2, totalFaceValue: '3000.50' } });
  const { id } = sent.body;
  const submit = 'mutation ($id: ID!) { submitCreditBatch(id: $id) { status } }';
  opened.clock.advance(6 * 60_000);
  expect(await browser.errorOf(submit, { id })).toBe('STEP_UP_REQUIRED');
  opened.clock.advance(-6 * 60_000);
  expect(await dataOf(submit, { id })).toEqual({ submitCreditBatch: { status: 'SUBMITTED' } });
  const acts = await opened.query<{ action: string; actor_kind: string }>(
    `SELECT action, actor_kind FROM shared.audit_log WHERE subject_id = $1 ORDER BY id`,
    [id],
  );
  expect(acts).toEqual([
    { action: 'createCreditBatchFromFile', actor_kind: 'SESSION' },
    { action: 'submitCreditBatch', actor_kind: 'SESSION' },
  ]);
  await allow(false);
  expect(await browser.errorOf('mutation ($id: ID!) { cancelCreditBatch(id: $id) { status } }', { id })).toBe(
    'FORBIDDEN',
  );
});

test('nobody sends from another site, with a bearer token, or for a client that is not theirs', async () => {
  await allow(true);
  expect((await sendAsPerson(sendPath, good, { 'sec-fetch-site': 'cross-site' })).status).toBe(401);
  expect((await sendAsPerson(`${sendPath}&originatorId=${newId()}`, good)).status).toBe(404);
  const asBearer = { cookie: '', ...(await opened.caller.member(`${newId()}@casa.example`)) };
  for (const [path, byProgram] of [
    [sendPath, 'POST /tidc/v1/credit-batches'],
    [`/v1/settlement-files?creditBatchId=${newId()}&format=CSV`, 'POST /tidc/v1/settlement-batches'],
  ] as const) {
    const message = `This path takes the session of a browser alone. A program sends a signed ${byProgram}`;
    expect(await sendAsPerson(path, good, asBearer)).toMatchObject({ status: 403, body: { message } });
  }
  expect(await sendAsPerson(checkPath, good, asBearer)).toMatchObject({
    status: 404,
    body: { message: 'This account is linked with no client: ask the operator to link it' },
  });
});

describe('keys of its own', () => {
  interface Answer {
    readonly data?: Record<string, { readonly id: string; readonly revokedAt: string | null } | null>;
    readonly errors?: readonly { readonly message: string; readonly extensions: { readonly statusCode: number } }[];
  }

  async function send(text: string, variables: Record<string, unknown>) {
    const { data, errors } = (await browser.graphql(text, variables)).body as Answer;
    return { key: Object.values(data ?? {})[0] ?? null, status: errors?.[0]?.extensions.statusCode ?? 200 };
  }
  const add = (publicKey: string, originatorId?: string) =>
    send(
      'mutation ($publicKey: String!, $originatorId: ID) { addMyOriginatorKey(publicKey: $publicKey, originatorId: $originatorId) { id revokedAt } }',
      { publicKey, originatorId },
    );
  const revoke = (id: string, withoutSuccessor?: boolean) =>
    send(
      'mutation ($id: ID!, $withoutSuccessor: Boolean) { revokeMyOriginatorKey(id: $id, withoutSuccessor: $withoutSuccessor) { id revokedAt } }',
      { id, withoutSuccessor: withoutSuccessor ?? false },
    );

  async function isAccepted(key: Signer['key']): Promise<boolean> {
    await delay(1_100);
    const { status } = await sendSigned(opened.platform.url, { ...client, key }, '/tidc/v1/credit-batches', {
      method: 'GET',
      timestamp: Math.floor(opened.clock.now().getTime() / 1000),
    });
    return status === 200;
  }

  const rowsOf = <Row>(text: string, values: readonly unknown[] = []) =>
    opened.platform.infrastructure.dataSource.query<Row[]>(text, [...values]);
  const firstKey = async () =>
    (await opened.platform.infrastructure.context.manager.value<string>(
      'SELECT id FROM credit_assignment.originator_keys WHERE originator_id = $1 ORDER BY created_at LIMIT 1',
      [client.clientId],
    )) ?? '';

  test('a person of an account without the permission to send changes no key: 403', async () => {
    await allow(false);
    const before = await firstKey();
    expect([await add(pemOf(newPair().publicKey)), await revoke(before)]).toMatchObject([
      { key: null, status: 403 },
      { key: null, status: 403 },
    ]);
    expect(await isAccepted(client.key)).toBe(true);
  });

  test('a key is replaced without a gap: the new one counts beside the old one, which is then revoked for good', async () => {
    await allow(true);
    const { privateKey, publicKey } = newPair();
    const [added, again] = [await add(pemOf(publicKey)), await add(pemOf(publicKey))];
    expect([added.status, again]).toEqual([200, added]);
    expect([await isAccepted(client.key), await isAccepted(privateKey)]).toEqual([true, true]);

    const old = await firstKey();
    const [revoked, repeated] = [await revoke(old), await revoke(old)];
    expect(revoked.key?.revokedAt).toEqual(expect.any(String));
    expect(repeated.key).toEqual(revoked.key);
    expect([await isAccepted(client.key), await isAccepted(privateKey)]).toEqual([false, true]);
    expect((await add(pemOf(publicKey))).key?.id).toBe(added.key?.id);

    const entries = await rowsOf<{ action: string; actor_kind: string }>(
      "SELECT action, actor_kind FROM shared.audit_log WHERE action LIKE '%MyOriginatorKey' AND outcome = 'DONE' ORDER BY id",
    );
    expect(entries).toEqual([
      { action: 'addMyOriginatorKey', actor_kind: 'SESSION' },
      { action: 'revokeMyOriginatorKey', actor_kind: 'SESSION' },
    ]);
    const mails = async () =>
      rowsOf<{ subject: string }>(
        "SELECT subject FROM shared.mails WHERE recipient = $1 AND subject LIKE '%assinatura%'",
        [email],
      );
    await until('both mails about the keys', async () => (await mails()).length >= 2);
    expect((await mails()).map(({ subject }) => subject).sort()).toEqual([
      'Nova chave de assinatura',
      'Uma chave de assinatura foi revogada',
    ]);

    // The one that is left is the last one.
    expect(await revoke(added.key?.id ?? '')).toMatchObject({ key: null, status: 409 });
    expect(await isAccepted(privateKey)).toBe(true);
    expect((await revoke(added.key?.id ?? '', true)).status).toBe(200);
    expect(await isAccepted(privateKey)).toBe(false);
  });

  test('of two who revoke the last two keys at once one is refused: 409', async () => {
    const both = [await add(pemOf(newPair().publicKey)), await add(pemOf(newPair().publicKey))];
    const done = await Promise.all(both.map(({ key }) => revoke(key?.id ?? '')));
    expect(done.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('a key or client of somebody else does not exist: 404', async () => {
    const other = await newClient(null);
    const [key] = await rowsOf<{ id: string }>(
      'SELECT id FROM credit_assignment.originator_keys WHERE originator_id = $1',
      [other.clientId],
    );
    expect([
      (await revoke(key?.id ?? '')).status,
      (await revoke('nonsense')).status,
      (await add(pemOf(newPair().publicKey), other.clientId)).status,
    ]).toEqual([404, 404, 404]);
  });

  test('a signed request gets the same refusal for a key of its own, of somebody else and of nobody', async () => {
    const [own, other] = [await newClient(null), await newClient(null)];
    const keys = await rowsOf<{ id: string }>(
      'SELECT id FROM credit_assignment.originator_keys WHERE originator_id = ANY ($1)',
      [[own.clientId, other.clientId]],
    );
    const errors: unknown[][] = [];
    for (const id of [...keys.map((key) => key.id), crypto.randomUUID(), 'nonsense']) {
      const query = `mutation { revokeMyOriginatorKey(id: "${id}") { id } }`;
      const timestamp = Math.floor(opened.clock.now().getTime() / 1000);
      const { body } = await sendSigned(opened.platform.url, own, '/graphql', {
        method: 'POST',
        body: JSON.stringify({ query }),
        timestamp,
      });
      const [error] = (body as Answer).errors ?? [];
      errors.push([error?.message, error?.extensions.statusCode]);
    }
    expect(errors).toHaveLength(4);
    expect(errors.every((error) => JSON.stringify(error) === JSON.stringify(errors[0]))).toBe(true);
    expect(errors[0]?.[1]).toBe(403);
  });

  test('a private key, and what is no key, is refused: 400', async () => {
    const { privateKey } = newPair();
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect([(await add(pem)).status, (await add('nonsense')).status]).toEqual([400, 400]);
  });
});
