import './development.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'graphql';
import { expectNoConsole } from './console.js';
import { openHouse, passesAsOf, plain, type Data, type House } from './kit.js';

let house: House;
/** A moment before the series of the tests got its present status. */
let before: string;
let ticker: string;
beforeAll(async () => {
  house = await openHouse();
  const offered = '{ tranches(filter: { status: FUNDRAISING }, first: 1) { nodes { ticker } } }';
  const { tranches } = await house.ask(offered, {}, house.credential);
  const [series] = (tranches as { nodes: { ticker: string }[] }).nodes;
  if (series === undefined) throw new Error('The demo has no series that is FUNDRAISING');
  ({ ticker } = series);
  before = new Date().toISOString();
  // The change comes in a later millisecond, however fast the machine is.
  await sleep(10);
  const change = 'mutation ($ticker: String!) { changeTrancheStatus(ticker: $ticker, status: ACTIVE) { id } }';
  await house.ask(change, { ticker }, { 'x-api-key': house.demo.operatorKey });
});
afterAll(() => house.close());
expectNoConsole();

const fields = 'id ticker status patrimony { id ticker tranches { id ticker status } }';
const present = parse(`query Now($ticker: String!) { tranche(ticker: $ticker) { ${fields} } }`);
const past = parse(
  `query Then($ticker: String!, $asOf: DateTime!) {
    now: tranche(ticker: $ticker) { ${fields} }
    then: tranche(ticker: $ticker, asOf: $asOf) { ${fields} }
  }`,
);

const statusOf = (tranche: unknown) => {
  const { status, patrimony } = tranche as {
    status: string;
    patrimony: { tranches: { ticker: string; status: string }[] };
  };
  return [status, patrimony.tranches.find((one) => one.ticker === ticker)?.status];
};
const active = ['ACTIVE', 'ACTIVE'];
const offered = ['FUNDRAISING', 'FUNDRAISING'];

test('a document that passes a moment is known by its argument, wherever it is', () => {
  expect(passesAsOf(past)).toBe(true);
  expect(passesAsOf(present)).toBe(false);
});

test('urql keeps the past apart from the present, also within one document, and has both in its caches', async () => {
  const { present: now, past: then, close } = house.urql();
  const read = async (client: typeof now, document: typeof past, requestPolicy: 'network-only' | 'cache-only') => {
    const { data, error } = await client.query<Data>(document, { ticker, asOf: before }, { requestPolicy }).toPromise();
    expect(error).toBeUndefined();
    return plain(data) as Data;
  };
  expect(statusOf((await read(now, present, 'network-only'))['tranche'])).toEqual(active);
  await read(then, past, 'network-only');
  for (const policy of ['cache-only', 'network-only'] as const) {
    const both = await read(then, past, policy);
    expect([statusOf(both['now']), statusOf(both['then'])]).toEqual([active, offered]);
  }
  expect(statusOf((await read(now, present, 'cache-only'))['tranche'])).toEqual(active);
  await close();
});

test('Apollo Client keeps the past apart from the present, also within one document', async () => {
  const { present: now, past: then, close } = house.apollo();
  const variables = { ticker, asOf: before };
  await now.query({ query: present, variables: { ticker } });
  const both = (await then.query({ query: past, variables })).data as Data;
  expect([statusOf(both['now']), statusOf(both['then'])]).toEqual([active, offered]);
  expect(then.cache.extract()).toEqual({});
  const cached = now.readQuery<Data>({ query: present, variables: { ticker } });
  expect(statusOf(cached?.['tranche'])).toEqual(active);
  await close();
});
