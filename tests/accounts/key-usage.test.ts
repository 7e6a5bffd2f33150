import { afterAll, describe, expect, test } from '@jest/globals';
import { civilDate } from '../../shared/kernel/clock.js';
import { openTestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { callerOf } from './http.js';

const platform = await openTestPlatform({ RATE_LIMIT_ACCOUNTS: '100000', RATE_LIMIT_API_KEY: '3' });
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
