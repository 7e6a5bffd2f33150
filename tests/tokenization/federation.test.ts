import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { loadCalendar } from '../../shared/kernel/calendar/calendar.js';
import { callerOf } from '../accounts/http.js';
import { newOperator } from '../kit/operator.js';
import { openTestPlatform } from '../kit/platform.js';
import { addEstate, addSeries } from './series/kit.js';

const tokenizedSeries = `{ tranches(first: 100) { nodes { ticker className maturityDate indexer diPercentage
  remunerationPercentagePerYear patrimony { operation { ticker } }
  series { riskClass maturityDate indexer indexerPercent rate operation { ticker } tranches { ticker } } } } }`;

const platform = await openTestPlatform({ DEMO: 'true', RATE_LIMIT_ACCOUNTS: '100000' });
afterAll(() => platform.close());
const caller = callerOf(platform);
const apiKey: Record<string, string> = { 'x-api-key': platform.demo().publicApiKey };
/** The series of the demo that are tokenized, as the demo left them. */
const tokenized = (await caller.graphql(tokenizedSeries, {}, apiKey)).body;
const known = z
  .object({
    data: z.object({
      tranches: z.object({
        nodes: z.array(
          z.object({
            ticker: z.string(),
            className: z.string(),
            maturityDate: z.string(),
            indexer: z.string(),
            diPercentage: z.string().nullable(),
            remunerationPercentagePerYear: z.string(),
            patrimony: z.object({ operation: z.object({ ticker: z.string() }).nullable() }),
            series: z
              .object({
                riskClass: z.string(),
                maturityDate: z.string(),
                indexer: z.string(),
                indexerPercent: z.string(),
                rate: z.string(),
                operation: z.object({ ticker: z.string() }),
                tranches: z.array(z.object({ ticker: z.string() })),
              })
              .nullable(),
          }),
        ),
      }),
    }),
  })
  .parse(tokenized);
const linked = known.data.tranches.nodes.filter(({ series }) => series !== null);
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

test('the preview of an event names who is told: the webhooks that take it with their accounts, and followers', async () => {
  const member = await caller.member('told@casa.example');
  for (const event of ['tranche.event_declared', 'payment.completed'])
    await caller.graphql(
      'mutation ($url: String!, $event: String!) { createWebhook(url: $url, events: [$event]) { id } }',
      { url: `https://${event.replace('_', '-')}.example/hook`, event },
      member,
    );
  const { ticker, series } = linked.find(({ maturityDate }) => maturityDate > '2028') ?? {};
  await caller.graphql(
    'mutation ($ticker: String!) { followOperation(ticker: $ticker) { ticker } }',
    { ticker: series?.operation.ticker },
    member,
  );
  const { context } = platform.infrastructure;
  const { headers } = await newOperator(context, ['publish', 'administer']);
  const day = (await loadCalendar(manager)).addBusinessDays(context.clock.now().toISOString().slice(0, 10), 2);
  const variables = { ticker, day };
  const previewed = await caller.graphql(
    `query ($ticker: String!, $day: Date!) {
      previewTrancheEvent(ticker: $ticker, kind: EARLY_REDEMPTION, day: $day, reason: "r") {
        announces { name receiverCount receivers { host owner { email } } } }
      tranche(ticker: $ticker) { series { operation { followers } } } }`,
    variables,
    headers,
  );
  const told = { host: 'tranche.event-declared.example', owner: { email: 'told@casa.example' } };
  expect(previewed.body).toEqual({
    data: {
      previewTrancheEvent: { announces: [{ name: 'tranche.event_declared', receiverCount: 1, receivers: [told] }] },
      tranche: { series: { operation: { followers: 1 } } },
    },
  });
  const { body } = await caller.graphql(
    'query ($ticker: String!) { webhookEvents { receiverCount receivers { id } } tranche(ticker: $ticker) { series { operation { followers } } } }',
    { ticker },
    apiKey,
  );
  expect(JSON.stringify(body)).not.toMatch(/"(receiverCount|receivers|followers)":[^n]/);
});

test('a stranger sees the estate, and is asked for a credential where the operation begins', async () => {
  const { body } = await caller.graphql(operationOf, { ticker: 'JOINED' });
  expect(body).toMatchObject({
    data: { patrimony: { name: 'Patrimônio JOINED', operation: null } },
    errors: [{ extensions: { code: 'UNAUTHORIZED' } }],
  });
});

test('a tokenized series of the demo leads to the series of its operation with the same class and terms, and back', () => {
  expect(linked).toHaveLength(12);
  for (const { ticker, series, ...tranche } of linked) {
    expect([ticker, series]).toEqual([
      ticker,
      {
        riskClass: tranche.className,
        maturityDate: tranche.maturityDate,
        indexer: tranche.indexer,
        indexerPercent: Number(tranche.indexer === 'CDI' ? tranche.diPercentage : 100).toFixed(4),
        rate: Number(tranche.remunerationPercentagePerYear).toFixed(6),
        operation: tranche.patrimony.operation,
        tranches: [{ ticker }],
      },
    ]);
  }
});

describe('a series of an operation and the one that tokenizes it', () => {
  beforeAll(async () => {
    const { manager } = platform.infrastructure.dataSource;
    const estate = await addEstate(manager, 'LINKED');
    await addSeries(manager, estate, 'LINKED-2', { series_ticker: 'criaurora1' });
    await addSeries(manager, estate, 'LINKED-1', { series_ticker: 'CRIAURORA1' });
    await addSeries(manager, estate, 'LINKED-3', { series_ticker: 'NO-SUCH' });
    await addSeries(manager, estate, 'LINKED-4', { series_ticker: 'CRIRESERVA1' });
    await manager.query(`UPDATE tokenization.tranches SET series_ticker = NULL WHERE ticker LIKE 'AURORA-TK%'`);
  });

  const seriesOf = 'query ($ticker: String!) { tranche(ticker: $ticker) { name series { ticker riskClass } } }';

  test('lead to each other, whatever the case of the ticker', async () => {
    const { body } = await caller.graphql(
      '{ operation(ticker: "CRI-AURORA") { series { ticker tranches { ticker series { number } } operation { ticker } } } }',
      {},
      apiKey,
    );
    const operation = { ticker: 'CRI-AURORA' };
    expect(body).toEqual({
      data: {
        operation: {
          series: [
            {
              ticker: 'CRIAURORA1',
              tranches: [
                { ticker: 'LINKED-1', series: { number: 1 } },
                { ticker: 'LINKED-2', series: { number: 1 } },
              ],
              operation,
            },
            { ticker: 'CRIAURORA2', tranches: [], operation },
            { ticker: 'CRIAURORA3', tranches: [], operation },
          ],
        },
      },
    });
  });

  test.each([
    ['LINKED-3', 'does not exist'],
    ['LINKED-4', 'belongs to an operation that is not public'],
  ])('%s has none, because the series %s', async (ticker) => {
    const { body } = await caller.graphql(seriesOf, { ticker }, apiKey);
    expect(body).toMatchObject({
      data: { tranche: { name: `Série ${ticker}`, series: null } },
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    });
  });
});

const logIn = async (pair: { readonly email: string; readonly password: string }) => {
  const { status, body } = await caller.post('/v1/emissoes/auth/login', pair);
  expect(status).toBe(200);
  const { accessToken, user } = body as { accessToken: string; user: Record<string, unknown> };
  return { user, headers: { authorization: `Bearer ${accessToken}` } };
};

test('the demo credentials are for their owner only, and each of them works', async () => {
  expect((await stat(join(platform.dataDir, 'demo-credentials.json'))).mode & 0o777).toBe(0o600);
  expect((await logIn(platform.demo().account)).user).toMatchObject({ ownerType: 'EMISSOES_USER' });
  expect((await logIn(platform.demo().portalAccount)).user).toMatchObject({ ownerType: 'AGENT_USER', company: null });
  const headers = { 'x-api-key': platform.demo().publicApiKey };
  expect((await caller.send('GET', '/v1/emissoes/operacoes', undefined, headers)).status).toBe(200);
});

test('the watchlist in the graph joins accounts and issuances both ways, and survives an operation that does not exist', async () => {
  const { headers } = await logIn(platform.demo().account);
  const listed = await caller.graphql('{ operations(first: 2) { nodes { ticker name } } }', {}, headers);
  const { nodes } = (listed.body as { data: { operations: { nodes: { ticker: string; name: string }[] } } }).data
    .operations;
  const [first, other] = nodes;
  const follow = 'mutation ($t: String!) { followOperation(ticker: $t) { id ticker name followedByMe } }';

  const followed = await caller.graphql(follow, { t: first?.ticker.toLowerCase() }, headers);
  expect(followed.body).toEqual({
    data: { followOperation: { ...first, id: expect.any(String), ticker: expect.any(String), followedByMe: true } },
  });
  const ghost = await caller.graphql(follow, { t: 'GHOST-99' }, headers);
  expect((ghost.body as { data: unknown }).data).toEqual({ followOperation: null });

  const list = await caller.graphql('{ followedOperations { name slug } }', {}, headers);
  const { followedOperations } = (list.body as { data: { followedOperations: unknown[] } }).data;
  expect(followedOperations).toEqual([null, { name: first?.name, slug: expect.any(String) }]);

  const back = await caller.graphql(
    'query ($a: String!, $b: String!) { a: operation(ticker: $a) { followedByMe } b: operation(ticker: $b) { followedByMe } }',
    { a: first?.ticker, b: other?.ticker },
    headers,
  );
  expect(back.body).toEqual({ data: { a: { followedByMe: true }, b: { followedByMe: false } } });
});
