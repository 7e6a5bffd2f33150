import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestHouse, type TestHouse } from '../kit/house.js';
import { newCpf, newTrader, plenty, tradingCallerOf, type TradingCaller } from './kit.js';

let house: TestHouse;
let caller: TradingCaller;
let headers: { authorization: string };

beforeAll(async () => {
  house = await openTestHouse({ ...plenty, ENVIRONMENT: 'sandbox' }, { background: false });
  caller = tradingCallerOf(house);
  const session = await caller.session(await newTrader(house.floor.context));
  headers = session.headers;
  // Neither login nor refresh asks for the header.
  expect((await caller.refresh(session.tokens.refreshToken)).status).toBe(200);
}, 120_000);
afterAll(() => house.close());

const person = () => ({ name: 'Maria', document: newCpf(), documentType: 'CPF', email: 'maria@cliente.example' });

test('in the sandbox every call of trading without X-Synthetic: true is 400 that names the header', async () => {
  for (const mode of [{}, { 'x-synthetic': 'false' }]) {
    const refused = { status: 400, body: { details: [{ path: 'X-Synthetic' }] } };
    expect(await caller.post('/v1/account/createProfile', person(), { ...headers, ...mode })).toMatchObject(refused);
    expect(await caller.send('GET', '/account/fetchProfiles', undefined, { ...headers, ...mode })).toMatchObject(
      refused,
    );
  }
  const synthetic = { ...headers, 'x-synthetic': 'true' };
  expect((await caller.post('/v1/account/createProfile', person(), synthetic)).status).toBe(201);
  expect((await caller.send('GET', '/account/fetchProfiles', undefined, synthetic)).status).toBe(200);
});

test('in the sandbox so it is on the graph, but who may not call hears that first', async () => {
  const run = async (text: string, sent: Record<string, string> = headers) =>
    (await caller.graphql(text, {}, sent)).body;
  expect(await run('{ fetchProfiles { nextToken } }')).toMatchObject({ errors: [{ extensions: { statusCode: 400 } }] });
  expect(await run('mutation { suspendProfile(id: "x", synthetic: false) }')).toMatchObject({
    errors: [{ extensions: { statusCode: 400 } }],
  });
  expect(await run('{ fetchProfiles(synthetic: true) { nextToken } }')).toMatchObject({ data: { fetchProfiles: {} } });
  expect(await run('{ fetchProfiles { nextToken } }', {})).toMatchObject({
    errors: [{ extensions: { statusCode: 401 } }],
  });
});
