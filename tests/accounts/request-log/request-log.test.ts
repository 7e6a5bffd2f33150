import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newId } from '../../../shared/kernel/ids.js';
import { createAccounts } from '../../../subgraphs/accounts/subgraph.js';
import { openTestPlatform } from '../../kit/platform.js';
import { until } from '../../kit/until.js';
import { callerOf, password } from '../http.js';

const platform = await openTestPlatform({
  RATE_LIMIT_ACCOUNTS: '100000',
  RATE_LIMIT_SESSION: '100000',
  RATE_LIMIT_API_KEY: '100000',
  REQUEST_LOG_DAYS: '30',
});
const caller = callerOf(platform);
afterAll(() => platform.close());

const operations = '/v1/emissoes/operacoes';
const sql = <T>(text: string, values: unknown[] = []) =>
  platform.infrastructure.context.manager.query<T[]>(text, values);

async function memberWithKey(email: string) {
  const session = await caller.member(email);
  const { body } = await caller.post('/v1/emissoes/keys', { name: 'k' }, session);
  const { id, key } = body as { id: string; key: string };
  return { session, keyId: id, key, headers: { 'x-api-key': key } };
}

interface Logged {
  readonly path: string;
  readonly status: number;
  readonly errorCode: string | null;
  readonly requestId: string | null;
}

const listText = `query ($filter: RequestLogFilter, $first: Int, $after: String) {
  requestLog(filter: $filter, first: $first, after: $after) {
    nodes { at method path status errorCode requestId keyId durationMs bytes } totalCount pageInfo { hasNextPage endCursor }
  }
}`;

async function list(session: object, variables: object = {}) {
  const { body } = await caller.graphql(listText, { ...variables }, session as Record<string, string>);
  const { data, errors } = body as {
    data: {
      requestLog: {
        nodes: Logged[];
        totalCount: number | null;
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    } | null;
    errors?: { extensions: { statusCode: number; details?: { path: string }[] } }[];
  };
  return { ...data?.requestLog, error: errors?.[0]?.extensions };
}

/** The log once it has so many requests; they are written every few seconds. */
const listed = (session: object, count: number) =>
  until(`${count} requests in the log`, async () => {
    const { nodes = [] } = await list(session, { first: 100 });
    return nodes.length >= count && nodes;
  });

describe('the log of requests', () => {
  test('has each request made with a key of the account: path, status, code, id, key, duration, bytes', async () => {
    const { session, keyId, headers } = await memberWithKey('ana@casa.example');
    const requestId = newId();
    await caller.send('GET', operations, undefined, { ...headers, 'x-request-id': requestId });
    await caller.send('GET', `${operations}/NONE1`, undefined, headers);
    await caller.graphql('{ operation(ticker: "NONE1") { nope } }', {}, headers);
    const [graph, missing, first] = await listed(session, 3);
    expect(first).toEqual({
      at: expect.any(String),
      method: 'GET',
      path: operations,
      status: 200,
      errorCode: null,
      requestId,
      keyId,
      durationMs: expect.any(Number),
      bytes: expect.any(Number),
    });
    expect(missing).toMatchObject({ path: `${operations}/{ticker}`, status: 404, errorCode: 'NOT_FOUND' });
    expect(graph).toMatchObject({ method: 'POST', path: '/graphql', errorCode: 'BAD_REQUEST' });
  });

  test('is filtered by time, status, path, key and id, and pages follow each other', async () => {
    const { session, keyId, headers } = await memberWithKey('filter@casa.example');
    const requestId = newId();
    for (const path of [operations, operations, `${operations}/NONE1`, `${operations}/NONE2`]) {
      await caller.send('GET', path, undefined, headers);
    }
    await caller.send('GET', operations, undefined, { ...headers, 'x-request-id': requestId });
    await listed(session, 5);
    const count = async (filter: object) => (await list(session, { filter })).totalCount;
    expect(await count({ status: 404 })).toBe(2);
    expect(await count({ status: 4 })).toBe(2);
    expect(await count({ status: 2 })).toBe(3);
    expect(await count({ path: `${operations}/` })).toBe(2);
    expect(await count({ keyId })).toBe(5);
    expect(await count({ keyId: newId() })).toBe(0);
    expect(await count({ requestId })).toBe(1);
    expect(await count({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })).toBe(0);
    expect(await count({ from: '2020-01-01T00:00:00Z' })).toBe(5);

    const seen: (string | null)[] = [];
    let after: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const { nodes = [], pageInfo } = await list(session, { first: 2, ...(after === undefined ? {} : { after }) });
      seen.push(...nodes.map((node) => node.requestId));
      after = pageInfo?.endCursor;
      expect(pageInfo?.hasNextPage).toBe(page < 2);
    }
    expect(new Set(seen).size).toBe(5);
    expect((await list(session, { filter: { status: 404 }, after })).error?.statusCode).toBe(400);
    const wrong = {
      status: 99,
      keyId: 'x',
      requestId: 'y',
      path: 'p'.repeat(201),
      from: '2026-01-02T00:00:00Z',
      to: '2026-01-01T00:00:00Z',
    };
    const { error } = await list(session, { filter: wrong });
    expect(error?.details?.map(({ path }) => path).sort()).toEqual([
      'filter.keyId',
      'filter.path',
      'filter.requestId',
      'filter.status',
      'filter.to',
    ]);
  });

  test('groups errors by path and code, with number, first and last', async () => {
    const { session, headers } = await memberWithKey('errors@casa.example');
    for (const ticker of ['NONE1', 'NONE2', 'NONE3']) {
      await caller.send('GET', `${operations}/${ticker}`, undefined, headers);
    }
    await caller.graphql('{ nope }', {}, headers);
    await caller.send('GET', operations, undefined, headers);
    await listed(session, 5);
    const { body } = await caller.graphql(
      '{ requestErrors { method path status errorCode count firstAt lastAt } }',
      {},
      session,
    );
    const { requestErrors } = (body as { data: { requestErrors: { firstAt: string; lastAt: string }[] } }).data;
    expect(requestErrors).toEqual([
      expect.objectContaining({ path: `${operations}/{ticker}`, status: 404, errorCode: 'NOT_FOUND', count: 3 }),
      expect.objectContaining({ path: '/graphql', errorCode: 'BAD_REQUEST', count: 1 }),
    ]);
    expect(Date.parse(requestErrors[0]?.lastAt ?? '')).toBeGreaterThanOrEqual(
      Date.parse(requestErrors[0]?.firstAt ?? ''),
    );
  });

  test('is its owner’s alone', async () => {
    const owner = await memberWithKey('owner@casa.example');
    const other = await memberWithKey('other@casa.example');
    await caller.send('GET', operations, undefined, owner.headers);
    await listed(owner.session, 1);
    expect((await list(other.session)).totalCount).toBe(0);
    expect((await list(other.session, { filter: { keyId: owner.keyId } })).totalCount).toBe(0);
    expect((await list(owner.headers)).error?.statusCode).toBe(403);
  });

  test('has nothing that a caller put into path, query, headers or body, whatever it is', async () => {
    const { session, key, headers } = await memberWithKey('hostile@casa.example');
    const texts: string[] = [];
    let sent = 0;
    const token = fc.stringMatching(/^[A-Za-z0-9]{14,24}$/).map((text) => `zz${text}`);
    const disguise = fc.constantFrom(
      (text: string) => text,
      (text: string) => `${text}@casa.example`,
      (text: string) => `svc_dev_${text}`,
      (text: string) => `"code":"${text}"`,
      (text: string) => `';DROP TABLE accounts.request_log;--${text}`,
      (text: string) => `\n${text}\u0000`,
    );
    await fc.assert(
      fc.asyncProperty(token, disguise, fc.nat(6), async (text, wear, place) => {
        texts.push(text.toLowerCase());
        sent += 1;
        const hostile = wear(text);
        const inPath = encodeURIComponent(hostile);
        if (place === 0) await caller.send('GET', `${operations}/${inPath}`, undefined, headers);
        if (place === 1) await caller.send('GET', `${operations}?cpf=${inPath}`, undefined, headers);
        if (place === 2) await caller.send('GET', operations, undefined, { ...headers, 'x-request-id': text });
        if (place === 3)
          await caller.send('GET', operations, undefined, { ...headers, 'user-agent': text, cookie: text });
        if (place === 4) await caller.graphql(`query ${text} { ${text} }`, { [text]: hostile }, headers);
        if (place === 5)
          await caller.graphql('query ($t: String!) { operation(ticker: $t) { ticker } }', { t: hostile }, headers);
        if (place === 6)
          await caller.graphql(`{ operation(ticker: ${JSON.stringify(hostile)}) { ticker } }`, {}, headers);
      }),
      { numRuns: 60 },
    );
    const end = newId();
    await caller.send('GET', operations, undefined, { ...headers, 'x-request-id': end });
    await until(
      'the last request in the log',
      async () => (await list(session, { filter: { requestId: end } })).totalCount !== 0,
    );
    const rows = await sql<{ row: string }>('SELECT log::text AS row FROM accounts.request_log AS log');
    const stored = rows
      .map(({ row }) => row)
      .join('\n')
      .toLowerCase();
    expect(rows.length).toBeGreaterThanOrEqual(sent);
    expect(texts.filter((text) => stored.includes(text))).toEqual([]);
    expect(stored).not.toContain(key.slice(19).toLowerCase());
    expect(stored).not.toContain('127.0.0.1');
  }, 300_000);

  test('ends with its account, also for requests that are still to be written', async () => {
    const { session, keyId, headers } = await memberWithKey('deleted@casa.example');
    await Promise.all([
      caller.send('GET', operations, undefined, headers),
      caller.send('GET', operations, undefined, headers),
    ]);
    await caller.graphql('mutation ($p: String!) { deleteMyAccount(password: $p) }', { p: password }, session);
    const later = await memberWithKey('later@casa.example');
    await caller.send('GET', operations, undefined, later.headers);
    await listed(later.session, 1);
    expect(await sql('SELECT FROM accounts.request_log WHERE key_id = $1', [keyId])).toEqual([]);
  });

  test('shows requests for the configured days, and the job deletes them within the eight days after; without any, it deletes all', async () => {
    const { session, keyId, headers } = await memberWithKey('retention@casa.example');
    await caller.send('GET', operations, undefined, headers);
    await listed(session, 1);
    const { context, databaseUrl, keyRing, clock, log } = platform.infrastructure;
    const { config } = platform.infrastructure;
    const left = async (requestLogDays: number) => {
      const accounts = await createAccounts({
        keyRing,
        clock,
        log,
        databaseUrl,
        config: { ...config, requestLogDays },
      });
      await accounts.jobs.find(({ name }) => name === 'accounts.retention')?.run(context);
      await accounts.close();
      return (await sql('SELECT FROM accounts.request_log WHERE key_id = $1', [keyId])).length;
    };
    expect(await left(30)).toBe(1);
    await sql(`UPDATE accounts.request_log SET at = at - interval '31 days' WHERE key_id = $1`, [keyId]);
    expect(await list(session, { first: 100 })).toMatchObject({ nodes: [], totalCount: 0 });
    await sql(`UPDATE accounts.request_log SET at = at - interval '8 days' WHERE key_id = $1`, [keyId]);
    expect(await left(90)).toBe(1);
    expect(await left(30)).toBe(0);
    await caller.send('GET', operations, undefined, headers);
    await listed(session, 1);
    expect(await left(0)).toBe(0);
  });
});
