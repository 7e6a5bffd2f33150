import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { addCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { newId } from '../../shared/kernel/ids.js';
import { fixedClock } from '../../shared/kernel/clock.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { newTrader, plenty, tradingCallerOf, type TradingCaller } from './kit.js';

let platform: TestPlatform;
let caller: TradingCaller;
// A window of the limits does not end during a test.
const clock = fixedClock('2026-11-20T15:00:00Z');

beforeAll(async () => {
  platform = await openTestPlatform(plenty, { background: false, clock });
  caller = tradingCallerOf(platform);
});
afterAll(() => platform.close());

/** Each costs what an order costs, and finds nothing. */
const cancels = (count: number) =>
  `mutation { ${Array.from({ length: count }, (_, index) => `a${index}: cancelOrder(orderId: "${newId()}") { orderId }`).join(' ')} }`;

type Headers = Record<string, string>;

async function byGraph(headers: Headers, text = cancels(1)): Promise<number | undefined> {
  const { body } = await caller.graphql(text, {}, headers);
  const { errors } = body as { errors?: { extensions: { statusCode: number } }[] };
  return errors?.[0]?.extensions.statusCode;
}
const byRest = async (headers: Headers) =>
  (await caller.post('/v1/orders/cancelOrder', { orderId: newId() }, headers)).status;

async function bySocket({ authorization }: { readonly authorization: string }): Promise<unknown> {
  const url = `${platform.url.replace('http', 'ws')}/graphql`;
  const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: { authorization } });
  try {
    return (await client.iterate({ query: cancels(1) }).next()).value;
  } catch (errors) {
    return { errors };
  } finally {
    await client.dispose();
  }
}

test('the rate of a company bounds its orders by REST, by the graph and by graphql-ws in one count, whichever credential sends them', async () => {
  const trader = await newTrader(platform.infrastructure.context, { rateLimit: 6 });
  const input = {
    companyId: trader.companyId,
    scopes: ['read', 'trade'] as const,
    allowedNetworks: null,
    expiresAt: null,
  };
  const other = {
    credential: await addCredential(platform.infrastructure.context, { ...input, scopes: [...input.scopes] }),
  };
  const [one, two] = [await caller.session(trader), await caller.session(other)];
  expect(await byRest(one.headers)).toBe(404);
  expect(await byGraph(two.headers)).toBe(404);
  expect(await bySocket(one.headers)).toMatchObject({ errors: [{ extensions: { statusCode: 404 } }] });
  // Each alias is one, in a fragment too.
  const inFragment = cancels(2).replace('mutation {', 'mutation { ...F } fragment F on Mutation {');
  expect(await byGraph(two.headers, inFragment)).toBe(404);
  expect(await byRest(two.headers)).toBe(404);
  expect([await byGraph(one.headers), await byGraph(two.headers), await byRest(one.headers)]).toEqual([429, 429, 429]);
  expect(await bySocket(two.headers)).toMatchObject({
    errors: [{ extensions: { code: 'TOO_MANY_REQUESTS', statusCode: 429 } }],
  });
  const { body } = await caller.graphql(cancels(1), {}, one.headers);
  expect(body).toMatchObject({
    errors: [{ extensions: { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: expect.any(Number) } }],
  });
  clock.advance(60_000);
  expect(await byGraph(one.headers)).toBe(404);
});

test('what a company reads on the graph does not count against its rate, and others pay for their mutations as before', async () => {
  const trader = await newTrader(platform.infrastructure.context, { rateLimit: 2 });
  const { headers } = await caller.session(trader);
  for (let index = 0; index < 5; index += 1)
    expect(await byGraph(headers, '{ walletBalances { wallets { currency } } }')).toBeUndefined();
  expect([await byGraph(headers), await byRest(headers), await byGraph(headers)]).toEqual([404, 404, 429]);
  expect(await byGraph(headers, '{ currencies { code } }')).toBeUndefined();
  const ana = await caller.member('ana@casa.example');
  for (let index = 0; index < 3; index += 1) expect(await byGraph(ana, 'mutation { __typename }')).toBeUndefined();
});
