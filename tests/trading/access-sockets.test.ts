import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { fixedClock } from '../../shared/kernel/clock.js';
import { revokeCredential } from '../../subgraphs/trading/access/credentials.acts.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { newTrader, plenty, tradingCallerOf, type TradingCaller } from './kit.js';

let platform: TestPlatform;
let caller: TradingCaller;
const clock = fixedClock('2026-11-20T15:00:00Z');
const clients: Client[] = [];

beforeAll(async () => {
  platform = await openTestPlatform(plenty, { background: false, clock });
  caller = tradingCallerOf(platform);
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
});
afterAll(() => platform.close());

const query = '{ currencies { code } }';

/** A client of graphql-ws that says who it is in its first message; `closed` resolves when it is sent away. */
function connect(authorization: string): { client: Client; closed: Promise<unknown> } {
  let resolve: (event: unknown) => void = () => undefined;
  const closed = new Promise<unknown>((done) => {
    resolve = done;
  });
  const client = createClient({
    url: `${platform.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: false,
    connectionParams: { authorization },
    onNonLazyError: () => undefined,
    on: {
      closed: (event) => {
        resolve(event);
      },
    },
  });
  clients.push(client);
  return { client, closed };
}

const ask = async (client: Client): Promise<unknown> => (await client.iterate({ query }).next()).value;

test('a socket takes an access token in its first message', async () => {
  const { headers } = await caller.session(await newTrader(platform.infrastructure.context));
  expect(await ask(connect(headers.authorization).client)).toMatchObject({ data: { currencies: expect.any(Array) } });
});

test('a socket with a bad access token is closed with 4401', async () => {
  const { headers } = await caller.session(await newTrader(platform.infrastructure.context));
  expect(await connect(`${headers.authorization.slice(0, -4)}AAAA`).closed).toMatchObject({ code: 4401 });
});

test.each(['has expired', 'was revoked'])(
  'a socket whose access token %s begins nothing more, and is closed with 4401',
  async (how) => {
    const trader = await newTrader(platform.infrastructure.context);
    const { headers } = await caller.session(trader);
    const { client, closed } = connect(headers.authorization);
    expect(await ask(client)).toMatchObject({ data: {} });
    if (how === 'has expired') clock.advance(3_600_000);
    else await revokeCredential(platform.infrastructure.context, trader.credential.id);
    const refused = (async () => {
      for (;;) await ask(client);
    })().catch(() => undefined);
    expect(await closed).toMatchObject({ code: 4401 });
    await refused;
  },
);
