import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/events/outbox/outbox.js';
import { newOperator } from '../kit/operator.js';
import { openTestPlatform } from '../kit/platform.js';
import { until } from '../kit/until.js';
import { openGraphqlSocket } from '../kit/graphql-socket.js';

interface Result {
  readonly data?: { readonly operationUpdated?: { readonly reference: string; readonly cursor?: string } } | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: { readonly cost?: { readonly requestedQueryCost: number } };
}
const clients: Client[] = [];

const platform = await openTestPlatform({ DEMO: 'true' });
const keyOfAna = platform.demo().publicApiKey;
const { context } = platform.infrastructure;
const keyOfOperator = (await newOperator(context)).key;
const [first] = await context.manager.query<{ id: string; ticker: string }[]>(
  'SELECT id, ticker FROM issuances.operations WHERE is_public ORDER BY ticker LIMIT 1',
);
if (first === undefined) throw new Error('The demo has no operation');
const operation: { readonly id: string; readonly ticker: string } = first;
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
  await until('the runs of the test before to end', async () => (await measured()).runs === 0);
});
afterAll(() => platform.close());

const plain =
  'subscription ($ticker: String!, $more: Boolean!) { operationUpdated(ticker: $ticker) { reference kind @include(if: $more) } }';

function subscribe(query: string, headers: Record<string, string> = { 'X-API-Key': keyOfAna }, variables = {}) {
  const client = openGraphqlSocket(platform.url, headers);
  clients.push(client);
  const results: Result[] = [];
  client.subscribe<Result['data']>(
    { query, variables: { ticker: operation.ticker, more: true, ...variables } },
    { next: (result) => void results.push(result as Result), error: () => undefined, complete: () => undefined },
  );
  return {
    results,
    /** The references of the events that came, in their order. */
    references: () => results.map(({ data }) => data?.operationUpdated?.reference),
    close: () => void client.dispose(),
  };
}

async function measured(): Promise<{ readonly readers: number; readonly runs: number }> {
  const text = await (await fetch(`${platform.url}/metrics`)).text();
  const valueOf = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  return { readers: valueOf('subscription_readers\\{interface="graphql"\\}'), runs: valueOf('subscription_runs') };
}

const begun = (readers: number) => until(`${readers} readers`, async () => (await measured()).readers === readers);

async function announce(...references: string[]): Promise<void> {
  const { id, ticker } = operation;
  const occurredAt = new Date().toISOString();
  const events = references.map((reference) => ({
    topic: 'operation.updated',
    key: id,
    payload: { operationId: id, ticker, kind: 'PU', reference, occurredAt },
  }));
  await inTransaction(platform.infrastructure.context, (tx) => announceAll(tx, events));
}

describe('readers of the same events', () => {
  test('share one run, however they write the document; each gets every event once, and pays for itself', async () => {
    const paying = { 'X-API-Key': keyOfAna, 'X-Query-Cost': 'true' };
    const written = plain.replaceAll(' ', '\n  ').replace('{ reference', '{ # what it is about\n reference');
    const first = subscribe(plain, paying);
    await begun(1);
    const others = [...Array.from({ length: 6 }, () => subscribe(plain, paying)), subscribe(written, paying)];
    const readers = [first, ...others];
    await begun(readers.length);
    expect(await measured()).toEqual({ readers: 8, runs: 1 });
    await announce('a', 'b');
    await until('two results for each reader', () => readers.every(({ results }) => results.length === 2));
    for (const { results, references } of readers) {
      expect(references()).toEqual(['a', 'b']);
      expect(results[0]?.extensions?.cost?.requestedQueryCost).toBeGreaterThan(0);
      expect(results[1]?.extensions).toBeUndefined();
    }
  });

  test('do not end each other; the last one ends the run', async () => {
    const readers = [subscribe(plain), subscribe(plain), subscribe(plain)];
    await begun(3);
    // The one whose stream is read for all is among them.
    readers[0]?.close();
    readers[1]?.close();
    await begun(1);
    expect(await measured()).toEqual({ readers: 1, runs: 1 });
    await announce('after');
    await until('the result of the third reader', () => readers[2]?.results.length === 1);
    expect(readers.map(({ references }) => references())).toEqual([[], [], ['after']]);
    readers[2]?.close();
    await until('the run to end', async () => (await measured()).runs === 0);
  });

  test('who are different callers share a run, as long as nothing in it depends on the caller', async () => {
    const operator = { 'X-API-Key': keyOfOperator };
    subscribe(plain);
    subscribe(plain, operator);
    await begun(2);
    expect(await measured()).toEqual({ readers: 2, runs: 1 });
    const own = plain.replace('reference', 'reference operation { followedByMe }');
    subscribe(own);
    subscribe(own, operator);
    subscribe(own);
    await begun(5);
    expect(await measured()).toEqual({ readers: 5, runs: 3 });
  });

  test('without a credential share a run among themselves', async () => {
    const { manager } = platform.infrastructure.context;
    const [series] = await manager.query<{ ticker: string }[]>('SELECT ticker FROM tokenization.tranches LIMIT 1');
    const prices =
      'subscription ($ticker: String!) { trancheUnitPriceUpdated(ticker: $ticker) { tranche { ticker } } }';
    const variables = { ticker: series?.ticker };
    for (const headers of [{}, {}, { 'X-API-Key': keyOfAna }]) subscribe(prices, headers, variables);
    await begun(3);
    expect(await measured()).toEqual({ readers: 3, runs: 2 });
  });

  test('with other variables, or who resume, have runs of their own', async () => {
    const resumable =
      'subscription ($ticker: String!, $since: String) { operationUpdated(ticker: $ticker, since: $since) { reference cursor } }';
    const [first, other] = [subscribe(resumable), subscribe(plain, undefined, { more: false })];
    await begun(2);
    await announce('one', 'two', 'three');
    await until('three results for both readers', () => first.results.length === 3 && other.results.length === 3);
    const since = first.results[0]?.data?.operationUpdated?.cursor;
    const resumed = subscribe(resumable, undefined, { since });
    const byDefault = subscribe(resumable.replace('$since: String', `$since: String = ${JSON.stringify(since)}`));
    await until(
      'two results for those who resume',
      () => resumed.results.length === 2 && byDefault.results.length === 2,
    );
    expect(await measured()).toEqual({ readers: 4, runs: 4 });
    for (const { references } of [resumed, byDefault]) expect(references()).toEqual(['two', 'three']);
    expect(other.results[0]?.data?.operationUpdated).toEqual({ reference: 'one' });
  });
});

test('a run that others read opens to nobody who may not read it, and to nobody who names something else', async () => {
  subscribe(plain);
  await begun(1);
  const [stranger, lost] = [subscribe(plain, {}), subscribe(plain, undefined, { ticker: 'CRI-NADA-99' })];
  await until('the results of those who are refused', () => stranger.results.length === 1 && lost.results.length === 1);
  const codes = [stranger, lost].map(({ results }) => results[0]?.errors?.[0]?.extensions?.code);
  expect(codes).toEqual(['UNAUTHORIZED', 'NOT_FOUND']);
  await announce('not for them');
  await sleep(500);
  expect([stranger.results.length, lost.results.length]).toEqual([1, 1]);
  expect(await measured()).toEqual({ readers: 1, runs: 1 });
});
