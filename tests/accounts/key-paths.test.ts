import { afterAll, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { openTestPlatform } from '../kit/platform.js';
import { newOperator } from '../kit/operator.js';
import { until } from '../kit/until.js';
import { callerOf, type Caller } from './http.js';

const environment = { RATE_LIMIT_ACCOUNTS: '100000', RATE_LIMIT_SESSION: '100000', RATE_LIMIT_API_KEY: '100000' };

const platform = await openTestPlatform(environment);
/** Another instance on the same database, without Redis. */
const second = await openTestPlatform({
  ...environment,
  RATE_LIMIT_API_KEY: '90000',
  DATABASE_URL: platform.infrastructure.databaseUrl,
});
const caller = callerOf(platform);
const elsewhere = callerOf(second);

afterAll(() => platform.close());

interface Created {
  readonly id: string;
  readonly key: string;
}

const keys = '/v1/emissoes/keys';
const operations = '/v1/emissoes/operacoes';
type Session = Awaited<ReturnType<Caller['member']>>;
const create = async (session: Session) => (await caller.post(keys, { name: 'k' }, session)).body as Created;
const revoke = (session: Session, id: string) => caller.send('DELETE', `${keys}/${id}`, undefined, session);
const use = (by: Caller, key: string) => by.send('GET', operations, undefined, { 'x-api-key': key });

describe('the limit of a key', () => {
  const limitKey = async (by: Record<string, string>, prefix: string, rateLimit: number | null) => {
    const document = `mutation ($prefix: String!, $rateLimit: Int) {
      limitKey(prefix: $prefix, rateLimit: $rateLimit) { rateLimit followsConfiguration } }`;
    const { body } = await caller.graphql(document, { prefix, rateLimit }, by);
    return body as { data: { limitKey: unknown } | null; errors?: { extensions: { statusCode: number } }[] };
  };
  const limitsOf = async (key: string) => {
    // Longer than any instance believes what it read before.
    await delay(1_000);
    const replies = [await use(caller, key), await use(elsewhere, key)];
    return replies.map(({ headers }) => headers.get('x-ratelimit-limit'));
  };

  test('is what each instance is configured with, until an operator gives the key one of its own', async () => {
    const olga = await newOperator(platform.infrastructure.context);
    const operator = { 'x-api-key': olga.key };
    const session = await caller.member('limits@casa.example');
    const { key, prefix } = (await caller.post(keys, { name: 'k' }, session)).body as Created & { prefix: string };
    expect(await limitsOf(key)).toEqual(['100000', '90000']);
    const shown = async (by: Caller) => (await by.send('GET', keys, undefined, session)).body;
    expect([await shown(caller), await shown(elsewhere)]).toMatchObject([
      [{ rateLimit: 100000 }],
      [{ rateLimit: 90000 }],
    ]);

    expect((await limitKey(operator, prefix, 7)).data).toEqual({
      limitKey: { rateLimit: 7, followsConfiguration: false },
    });
    expect(await limitsOf(key)).toEqual(['7', '7']);
    expect(await shown(caller)).toMatchObject([{ rateLimit: 7 }]);
    expect((await limitKey(operator, prefix, null)).data).toEqual({
      limitKey: { rateLimit: 100000, followsConfiguration: true },
    });
    expect(await limitsOf(key)).toEqual(['100000', '90000']);

    const entries = await platform.infrastructure.dataSource.query<object[]>(
      `SELECT actor_id, before, after FROM shared.audit_log WHERE action = 'limitKey' AND outcome = 'DONE' ORDER BY at, id`,
    );
    expect(entries).toEqual([
      { actor_id: olga.id, before: { prefix, rateLimit: null }, after: { prefix, rateLimit: 7 } },
      { actor_id: olga.id, before: { prefix, rateLimit: 7 }, after: { prefix, rateLimit: null } },
    ]);
  });

  test('is set by operators alone, for keys that there are, to a number that is a limit', async () => {
    const olga = await newOperator(platform.infrastructure.context);
    const session = await caller.member('limited@casa.example');
    const { prefix } = (await caller.post(keys, { name: 'k' }, session)).body as Created & { prefix: string };
    const statusOf = async (...args: Parameters<typeof limitKey>) =>
      (await limitKey(...args)).errors?.[0]?.extensions.statusCode;
    expect(await statusOf(session, prefix, 7)).toBe(403);
    const operator = { 'x-api-key': olga.key };
    for (const wrong of [0, -1, 10_000_001]) expect(await statusOf(operator, prefix, wrong)).toBe(400);
    for (const wrong of ['svcpub_nobody', 'svc_dev_nobody', 'svc_op_x', '', 'svcpub_\u0000', `${prefix}.x`]) {
      expect(await statusOf(operator, wrong, 7)).toBe(404);
    }
  });
});

describe('key paths', () => {
  test('a sixth key answers 409, after revoking one 201 again', async () => {
    const session = await caller.member('five@casa.example');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => caller.post(keys, { name: 'k' }, session)));
    const made = outcomes.filter(({ status }) => status === 201);
    expect(made).toHaveLength(5);
    expect(outcomes.filter(({ status }) => status === 409)).toHaveLength(15);
    expect((await revoke(session, (made[0]?.body as Created).id)).status).toBe(204);
    expect((await caller.post(keys, { name: 'k' }, session)).status).toBe(201);
  });

  test('revoking answers 204 without a body, 204 again, and 404 for a key of someone else', async () => {
    const owner = await caller.member('owner@casa.example');
    const thief = await caller.member('thief@casa.example');
    const { id } = await create(owner);
    const foreign = await revoke(thief, id);
    expect([foreign.status, foreign.body]).toEqual([
      404,
      expect.objectContaining({ statusCode: 404, error: 'Not Found' }),
    ]);
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await revoke(owner, id);
      expect([status, body]).toEqual([204, undefined]);
    }
    expect((await revoke(owner, 'nonsense')).status).toBe(404);
  });
});

describe('a key at the data paths', () => {
  test('opens them on every instance; mistyped, unknown or missing it answers 401', async () => {
    const { key } = await create(await caller.member('data@casa.example'));
    expect((await use(caller, key)).status).toBe(200);
    expect((await use(elsewhere, key)).status).toBe(200);
    for (const wrong of [`${key}x`, key.slice(0, -1), key.toLowerCase(), 'x', '']) {
      expect((await use(caller, wrong)).status).toBe(401);
    }
    expect((await caller.send('GET', operations)).status).toBe(401);
  });

  test('revoked, answers 401 at once here and within 1 second on another instance, without Redis', async () => {
    const session = await caller.member('revoked@casa.example');
    const { id, key } = await create(session);
    for (let round = 0; round < 3; round += 1) {
      expect((await use(caller, key)).status).toBe(200);
      expect((await use(elsewhere, key)).status).toBe(200);
    }
    expect((await revoke(session, id)).status).toBe(204);
    const revokedAt = performance.now();
    expect((await use(caller, key)).status).toBe(401);
    let lastGood = revokedAt;
    await until('the other instance to refuse the key', async () => {
      const sentAt = performance.now();
      if ((await use(elsewhere, key)).status === 401) return true;
      lastGood = sentAt;
      return false;
    });
    expect(lastGood - revokedAt).toBeLessThan(1_000);
  });

  // The last test: it stops the other instance.
  test('is counted on all instances, and the counts survive a graceful stop', async () => {
    const session = await caller.member('counted@casa.example');
    const { key } = await create(session);
    const before = Date.now();
    for (let round = 0; round < 7; round += 1) expect((await use(elsewhere, key)).status).toBe(200);
    await second.close();
    for (let round = 0; round < 3; round += 1) expect((await use(caller, key)).status).toBe(200);
    const read = async () => {
      const { body } = await caller.send('GET', keys, undefined, session);
      return (body as { requestCount: number; lastUsedAt: string | null }[])[0];
    };
    expect((await read())?.requestCount).toBeGreaterThanOrEqual(7);
    await until('the requests of both instances', async () => (await read())?.requestCount === 10);
    expect(Date.parse((await read())?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(before);
  });
});
