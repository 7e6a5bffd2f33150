import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { loadCalendar } from '../../shared/kernel/calendar/calendar.js';
import { Decimal, round } from '../../shared/kernel/decimal.js';
import { callerOf } from '../accounts/http.js';
import { newOperator } from '../kit/operator.js';
import { openTestPlatform } from '../kit/platform.js';
import { addEstate, addSeries } from './series/kit.js';

const tokenizedSeries = `{ tranches(first: 100) { nodes { ticker className maturityDate indexer diPercentage
  remunerationPercentagePerYear patrimony { operation { ticker } }
  series { riskClass maturityDate indexer indexerPercent rate operation { ticker } tranches { ticker } } } } }`;

const platform = await openTestPlatform({ DEMO: 'true' });
afterAll(() => platform.close());
const caller = callerOf(platform);
const file = readFileSync(join(platform.dataDir, 'demo-credentials.json'), 'utf8');
const apiKey: Record<string, string> = { 'x-api-key': (JSON.parse(file) as { publicApiKey: string }).publicApiKey };
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

test('the return of a series has the CDI over its days beside it, also up to each day, and is shown as percent of it', async () => {
  const { body } = await caller.graphql(
    `{ series(first: 100) { nodes { priceReturn(from: "2020-01-01") { from to first last paid cdi { percent percentOfCdi } } } } }`,
    {},
    apiKey,
  );
  const text = z.string();
  const returned = z
    .object({ from: text, to: text, first: text, last: text, paid: text.nullable() })
    .extend({ cdi: z.object({ percent: text, percentOfCdi: text.nullable() }).nullable() });
  const { data } = z
    .object({
      data: z.object({ series: z.object({ nodes: z.array(z.object({ priceReturn: returned.nullable() })) }) }),
    })
    .parse(body);
  const returns = data.series.nodes.flatMap(({ priceReturn }) => priceReturn ?? []);
  const calendar = await loadCalendar(manager);
  const rates = await manager.rows<{ day: string; value: string }>(
    `SELECT DISTINCT ON (date) date::text AS day, value FROM tokenization.index_values WHERE index_name = 'DI' ORDER BY date, version DESC`,
  );
  const daily = rates.map(({ day, value }) => {
    const rate = new Decimal(value).div(100).plus(1).pow(new Decimal(1).div(252)).minus(1);
    return { day, factor: round(rate, 8).plus(1) };
  });
  const cdiOf = (from: string, to: string) => {
    const factors = daily.flatMap(({ day, factor }) => (day >= from && day < to ? factor : []));
    const product = round(
      factors.reduce((whole, factor) => whole.times(factor), new Decimal(1)),
      8,
    );
    const isWhole = from <= to && factors.length === calendar.businessDaysBetween(from, to);
    return isWhole ? product.minus(1).times(100) : null;
  };
  for (const { from, to, first, last, paid, cdi } of returns) {
    const percent = cdiOf(from, to);
    const gained = paid && new Decimal(last).plus(paid).div(first).minus(1).times(100);
    const percentOfCdi = gained && percent && round(gained.div(percent).times(100), 4).toFixed(4);
    expect(cdi).toEqual(percent && { percent: round(percent, 4).toFixed(4), percentOfCdi });
  }
  const { body: ofDays } = await caller.graphql(`{ cdiReturns(from: "2026-06-25", first: 6) { date percent } }`);
  expect(ofDays).toEqual({
    data: {
      cdiReturns: ['25', '26', '27', '28', '29', '30']
        .map((day) => `2026-06-${day}`)
        .map((date) => ({ date, percent: cdiOf('2026-06-25', date)?.toFixed(6) })),
    },
  });
  expect(returns.filter(({ cdi }) => cdi?.percentOfCdi != null).length).toBeGreaterThan(2);
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

  test('ask a stranger for a credential where the series begins', async () => {
    const { body } = await caller.graphql(seriesOf, { ticker: 'LINKED-1' });
    expect(body).toMatchObject({
      data: { tranche: { name: 'Série LINKED-1', series: null } },
      errors: [{ extensions: { code: 'UNAUTHORIZED' } }],
    });
  });
});
