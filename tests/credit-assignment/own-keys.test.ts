import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../kit/until.js';
import { openClientBrowser } from './browser-kit.js';
import { newPair, pemOf, sendSigned, type Signer } from './signing-kit.js';

const opened = await openClientBrowser();
afterAll(() => opened.platform.close());
const { allow, browser, client, email, newClient } = opened;

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

/** Whether a request signed with a key is accepted. */
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
