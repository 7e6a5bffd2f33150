import { afterAll, expect, test } from '@jest/globals';
import type { Principal } from '../../../shared/kernel/context.js';
import { createTestEdge, goodKey, open, testCallers } from '../../../tests/rest/edge-kit.js';

const developerKey = 'svc_dev_good.secret';
const developer: Principal = { kind: 'DEVELOPER_KEY', id: 'key-d', ownerId: 'account-1', scopes: [], rateLimit: 7 };

const callers = testCallers();
const { app } = createTestEdge(
  {},
  {
    callers: {
      ...callers,
      authenticate: (credential, origin) =>
        [credential.apiKey, credential.bearer].includes(developerKey)
          ? Promise.resolve(developer)
          : callers.authenticate(credential, origin),
    },
  },
);
const base = await open(app);
afterAll(() => app.close());

// 7 is the limit of the key's own bucket, 1000 that of its network.
test.each<[string, string, Record<string, string>, string]>([
  ['a good key of a developer', '/developer/nothing', { 'x-api-key': developerKey }, '7'],
  ['the same elsewhere', '/nothing', { 'x-api-key': developerKey }, '1000'],
  ['the same as a bearer token', '/developer/nothing', { authorization: `Bearer ${developerKey}` }, '1000'],
  ['a key of another kind', '/developer/nothing', { 'x-api-key': goodKey }, '1000'],
  ['a key that nobody knows', '/developer/nothing', { 'x-api-key': 'svc_dev_none.secret' }, '1000'],
  ['no key', '/developer/nothing', {}, '1000'],
])(
  'a path that does not exist spends from the bucket of who may be known there: %s',
  async (_who, path, headers, limit) => {
    const response = await fetch(base + path, { headers });
    expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([404, limit]);
  },
);
