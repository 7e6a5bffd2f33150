import { afterAll, describe, expect, test } from '@jest/globals';
import { civilDate } from '../../shared/kernel/clock.js';
import { openTestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { callerOf } from './http.js';

const platform = await openTestPlatform({
  RATE_LIMIT_ACCOUNTS: '12',
  RATE_LIMIT_API_KEY: '3',
  TRUST_PROXY: '127.0.0.1',
});
const caller = callerOf(platform);
afterAll(() => platform.close());

interface Usage {
  readonly keyId: string;
  readonly window: { readonly used: number; readonly limit: number; readonly resetsAt: string };
  readonly days: readonly { readonly day: string; readonly requests: number; readonly refused: number }[];
}

async function usageOf(keyIds: readonly string[], session: object) {
  const { body } = await caller.graphql(
    `query ($keyIds: [ID!]!) { keyUsage(keyIds: $keyIds) { keyId window { used limit resetsAt } days { day requests refused } } }`,
    { keyIds },
    session as Record<string, string>,
  );
  return body as { data: { keyUsage: Usage[] } | null; errors?: { extensions: { statusCode: number } }[] };
}

describe('the use of a key', () => {
  test('is what its limit admitted and refused: in the present minute, and by day', async () => {
    const session = await caller.member('ana@casa.example');
    const { body } = await caller.post('/v1/emissoes/keys', { name: 'k' }, session);
    const { id, key } = body as { id: string; key: string };
    const { clock } = platform.infrastructure;
    const begun = clock.now();
    const statuses: number[] = [];
    for (let request = 0; request < 5; request += 1) {
      statuses.push((await caller.send('GET', '/v1/emissoes/operacoes', undefined, { 'x-api-key': key })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const first = (await usageOf([id], session)).data?.keyUsage[0];
    expect(first?.window).toMatchObject({ used: 3, limit: 3 });
    expect(Date.parse(first?.window.resetsAt ?? '')).toBeGreaterThan(begun.getTime());
    expect(first?.days).toHaveLength(30);
    // The counts are written every few seconds.
    const days = await until('the counts of the day', async () => {
      const found = (await usageOf([id], session)).data?.keyUsage[0]?.days ?? [];
      const sumOf = (count: 'requests' | 'refused') => found.reduce((sum, day) => sum + day[count], 0);
      expect([sumOf('requests'), sumOf('refused')]).toEqual([3, 2]);
      return found;
    });
    // They are two days if midnight in São Paulo lies between.
    const present = [civilDate(begun), civilDate(clock.now())];
    expect(present).toContain(days.at(-1)?.day);
    for (const { day, requests, refused } of days) if (requests + refused > 0) expect(present).toContain(day);
  });

  test('is for its owner alone: 404 for another one’s key', async () => {
    const owner = await caller.member('owner@casa.example');
    const { body } = await caller.post('/v1/emissoes/keys', { name: 'k' }, owner);
    const { id } = body as { id: string };
    const thief = await caller.member('thief@casa.example');
    for (const keyIds of [[id], ['nonsense']]) {
      expect((await usageOf(keyIds, thief)).errors?.[0]?.extensions.statusCode).toBe(404);
    }
    expect((await usageOf([id, id], owner)).data?.keyUsage.map(({ keyId }) => keyId)).toEqual([id]);
  });

  test('is read for 25 keys at most', async () => {
    const session = await caller.member('many@casa.example');
    const { errors } = await usageOf(
      Array.from({ length: 26 }, (_, index) => `key ${index}`),
      session,
    );
    expect(errors?.[0]?.extensions.statusCode).toBe(400);
  });
});

describe('the limit of an address', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const logins = (count: number) =>
    `mutation { ${Array.from({ length: count }, (_, n) => `a${n}: login(email: "a${n}@casa.example", password: "segredo123") { accessToken }`).join(' ')} }`;

  test('is spent by logins through GraphQL as by their documented path, each alias one', async () => {
    const ask = async (query: string) => JSON.stringify((await caller.graphql(query, {}, from('203.0.113.1'))).body);
    expect(await ask(logins(11))).toContain('UNAUTHORIZED');
    // One is left; in a fragment it counts as well.
    expect(
      await ask(
        'mutation { ...F ...G } fragment F on Mutation { forgotPassword(email: "a@casa.example") { message } } fragment G on Mutation { resendVerification(email: "a@casa.example") { message } }',
      ),
    ).toContain('TOO_MANY_REQUESTS');
    const login = { email: 'b@casa.example', password: 'segredo123' };
    expect((await caller.post('/v1/emissoes/auth/login', login, from('203.0.113.1'))).status).toBe(401);
    expect(await ask(logins(1))).toContain('TOO_MANY_REQUESTS');
    expect((await caller.graphql('{ __typename }', {}, from('203.0.113.1'))).status).toBe(200);
  });

  test('is spent by the mutations of forms as by those beside them', async () => {
    const text = `mutation { registerResult(name: "Ana", email: "ana", password: "curta", company: "Casa") { __typename } }`;
    const statuses = [];
    for (let count = 0; count < 13; count += 1)
      statuses.push((await caller.graphql(text, {}, from('198.51.100.1'))).status);
    expect(statuses).toEqual([...Array<number>(12).fill(200), 429]);
  });
});
