import { afterAll, describe, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importFiles } from '../../../shared/import/import.js';
import { issuancesImport } from '../../../subgraphs/issuances/import/domain.js';
import { openTestPlatform } from '../../kit/platform.js';
import { until } from '../../kit/until.js';
import { openGraphqlSocket } from '../../kit/graphql-socket.js';

interface Listed {
  readonly ticker: string;
  readonly slug: string;
  readonly series: string;
  readonly day: string;
}

const platform = await openTestPlatform({ DEMO: 'true' });
const apiKey = platform.demo().publicApiKey;
const client = openGraphqlSocket(platform.url, { 'X-API-Key': apiKey });
afterAll(async () => {
  await client.dispose();
  await platform.close();
});
const oneThatIs = async (visible: boolean) => {
  const [row] = await platform.infrastructure.context.manager.query<Listed[]>(
    `SELECT operations.ticker, slug, series.ticker AS series, max(date)::text AS day
     FROM issuances.operations JOIN issuances.series ON operation_id = operations.id
     JOIN issuances.unit_prices ON series_id = series.id
     WHERE is_public = $1 AND NOT EXISTS (SELECT FROM issuances.series s WHERE s.operation_id = operations.id AND s.engine_tranche IS NOT NULL) GROUP BY 1, 2, 3 ORDER BY 1, 3 LIMIT 1`,
    [visible],
  );
  if (row === undefined) throw new Error('The demo data has no such operation');
  return row;
};
const [shown, hidden] = [await oneThatIs(true), await oneThatIs(false)];

const listen = (ticker: string) =>
  client.iterate({
    query:
      'subscription ($ticker: String!) { operationUpdated(ticker: $ticker) { kind reference operation { ticker } } }',
    variables: { ticker },
  });

async function importPrice({ series, day }: Listed, value: string): Promise<void> {
  const file = join(platform.dataDir, 'price.csv');
  await writeFile(file, `trancheTicker;date;value\n${series};${day};${value}\n`);
  expect(
    (await importFiles(platform.infrastructure.context, [issuancesImport], [file], { correct: 'a test' })).errors,
  ).toEqual([]);
}

/** What a stream tells next; the price is imported until it does, since nobody is told that a subscription has begun. */
async function nextNews(stream: AsyncIterableIterator<unknown>, operation: Listed): Promise<unknown> {
  let [turn, news]: [number, unknown] = [0, undefined];
  void stream.next().then((next: IteratorResult<unknown, unknown>) => (news = next.value));
  return until('the news of a price', async () => {
    await importPrice(operation, `1000.${(turn += 1)}1`);
    return news;
  });
}

describe('operationUpdated over graphql-ws', () => {
  test.each<[string, (operation: Listed) => string]>([
    ['the ticker in any case', ({ ticker }) => ticker.toLowerCase()],
    ['the slug of the estate in any case', ({ slug }) => slug.toUpperCase()],
  ])('%s leads to the operation, which is told of by its own ticker', async (_, nameOf) => {
    const stream = listen(nameOf(shown));
    expect(await nextNews(stream, shown)).toEqual({
      data: { operationUpdated: { kind: 'PU', reference: shown.day, operation: { ticker: shown.ticker } } },
    });
    await stream.return?.();
  });

  test.each<[string, () => string]>([
    ['one that does not exist', () => 'CRI-NADA-99'],
    ['what cannot be a name', () => '../etc'],
    ['one that is not public', () => hidden.ticker],
    ['the slug of one that is not public', () => hidden.slug],
  ])('%s is refused as a query refuses it', async (_, nameOf) => {
    const stream = listen(nameOf());
    expect((await stream.next()).value).toMatchObject({
      errors: [{ message: 'There is no such operation', extensions: { code: 'NOT_FOUND', statusCode: 404 } }],
    });
    expect(await stream.next()).toMatchObject({ done: true });
  });
});

test('a price that was imported while the subscriber was away is delivered when it returns, with its series and value, once and before the next one', async () => {
  const answer = await fetch(`${platform.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ query: '{ eventCursor }' }),
  });
  const { data } = (await answer.json()) as { data: { eventCursor: string } };
  await importPrice(shown, '2001.00000000');
  await importPrice(shown, '2002.00000000');
  const follow = (since: string) =>
    client.iterate({
      query: `subscription ($tickers: [String!], $since: String) {
          operationUpdated(tickers: $tickers, since: $since) { cursor kind seriesTicker unitPrice reference } }`,
      variables: { tickers: [shown.ticker], since },
    });
  interface News {
    readonly data: { readonly operationUpdated: Readonly<Record<'cursor' | 'unitPrice', string>> };
  }
  const first = follow(data.eventCursor);
  const next = async () => ((await first.next()) as { value: News }).value.data.operationUpdated;
  let one = await next();
  // Prices of the tests before this one may be published only now.
  while (one.unitPrice !== '2001.00000000') one = await next();
  expect(one).toMatchObject({
    kind: 'PU',
    seriesTicker: shown.series,
    unitPrice: '2001.00000000',
    reference: shown.day,
  });
  await first.return?.();
  await importPrice(shown, '2003.00000000');
  const second = follow(one.cursor);
  const prices = [];
  while (prices.length < 2)
    prices.push(((await second.next()) as { value: News }).value.data.operationUpdated.unitPrice);
  expect(prices).toEqual(['2002.00000000', '2003.00000000']);
  await second.return?.();
});

describe('GET /v1/emissoes/operacoes', () => {
  const list = (headers: Record<string, string>) => fetch(`${platform.url}/v1/emissoes/operacoes`, { headers });

  test('shows a price as soon as it is imported, and the same bytes until then', async () => {
    await importPrice(shown, '1234.56780000');
    const first = await (await list({ 'x-api-key': apiKey })).text();
    expect(first).toContain('R$ 1.234,56780000');
    expect(await (await list({ 'x-api-key': apiKey })).text()).toBe(first);
    await importPrice(shown, '1234.56790000');
    const second = await (await list({ 'x-api-key': apiKey })).text();
    expect([second.includes('R$ 1.234,56790000'), second.includes('R$ 1.234,56780000')]).toEqual([true, false]);
  });

  test('is made for nobody without a key, however often it was made before', async () => {
    await (await list({ 'x-api-key': apiKey })).text();
    expect((await list({})).status).toBe(401);
    expect((await list({ 'x-api-key': `${apiKey}x` })).status).toBe(401);
  });
});
