import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { testPlugin } from './kit.js';
import { rateLimitsOf } from '../kit/rate-limits.js';

/** Recommendations that the server does not follow, with the reason. */
const notFollowed: Readonly<Record<string, string>> = {
  '572B':
    'a document that cannot be parsed is 400 in application/json too: callers rely on the status (common.md §4.2)',
  FDE2: 'so is a document that is not valid',
  '7B9B': 'so are variables of the wrong type',
};

describe('the audit of GraphQL over HTTP', () => {
  let app: Awaited<ReturnType<typeof testPlugin>>;
  const url = { of: '' };
  beforeAll(async () => {
    app = await testPlugin({ edge: { rateLimits: rateLimitsOf(1e6) } });
    url.of = await app.listen({ port: 0 });
  });
  afterAll(() => app.close());

  // As a client that is no browser sends it: see docs/contract/common.md §10.1.
  const fetchFn: typeof fetch = (_url, init) => {
    const sent = typeof _url === 'string' ? _url.replace('http://audited.invalid', url.of) : _url;
    return fetch(sent, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), 'apollo-require-preflight': 'true' },
    });
  };
  const audits = serverAudits({ url: 'http://audited.invalid/graphql', fetchFn });

  test('has 61 cases', () => {
    expect(audits).toHaveLength(61);
  });

  test.each(audits.map((audit) => [`${audit.id} ${audit.name}`, audit] as const))('%s', async (_name, { id, fn }) => {
    expect(await fn()).toMatchObject({ status: notFollowed[id] === undefined ? 'ok' : 'warn' });
  });
});
