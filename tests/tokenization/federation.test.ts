import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { callerOf, type Caller } from '../accounts/http.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { addEstate, addSeries } from './series-kit.js';

let platform: TestPlatform;
let caller: Caller;
let apiKey: Record<string, string>;

beforeAll(async () => {
  platform = await openTestPlatform({ DEMO: 'true' });
  caller = callerOf(platform);
  const file = readFileSync(join(platform.dataDir, 'demo-credentials.json'), 'utf8');
  apiKey = { 'x-api-key': (JSON.parse(file) as { publicApiKey: string }).publicApiKey };
  const { manager } = platform.infrastructure.dataSource;
  await manager.query('UPDATE tokenization.patrimonies SET operation_ticker = NULL');
  for (const [ticker, operation] of [
    ['JOINED', 'cri-aurora'],
    ['LOOSE', 'NO-SUCH'],
  ] as const) {
    await addSeries(manager, await addEstate(manager, ticker), `${ticker}-1`);
    await manager.query('UPDATE tokenization.patrimonies SET operation_ticker = $2 WHERE ticker = $1', [
      ticker,
      operation,
    ]);
  }
}, 120_000);
afterAll(() => platform.close());

const operationOf = 'query ($ticker: String!) { patrimony(ticker: $ticker) { name operation { type name } } }';

test('an operation leads to its estate and series, and the estate back to its operation', async () => {
  const { body } = await caller.graphql(
    '{ operation(ticker: "CRI-AURORA") { ticker patrimony { ticker tranches { ticker } } } }',
    {},
    apiKey,
  );
  expect(body).toEqual({
    data: { operation: { ticker: 'CRI-AURORA', patrimony: { ticker: 'JOINED', tranches: [{ ticker: 'JOINED-1' }] } } },
  });
  const back = await caller.graphql(operationOf, { ticker: 'joined' }, apiKey);
  expect(back.body).toMatchObject({ data: { patrimony: { operation: { type: 'CRI' } } } });
});

test('an estate whose operation is not published has none', async () => {
  const { body } = await caller.graphql(operationOf, { ticker: 'LOOSE' }, apiKey);
  expect(body).toMatchObject({ data: { patrimony: { name: 'Patrimônio LOOSE', operation: null } } });
});

test('a stranger sees the estate, and is asked for a credential where the operation begins', async () => {
  const { body } = await caller.graphql(operationOf, { ticker: 'JOINED' });
  expect(body).toMatchObject({
    data: { patrimony: { name: 'Patrimônio JOINED', operation: null } },
    errors: [{ extensions: { code: 'UNAUTHORIZED' } }],
  });
});
