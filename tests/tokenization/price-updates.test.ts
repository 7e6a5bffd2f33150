import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { inTransaction } from '../../shared/database/transaction.js';
import { announceAll } from '../../shared/events/outbox/outbox.js';
import { unitPriceEvent } from '../../subgraphs/tokenization/price-runs/unit-price-update.js';
import { testContext, testMasterKey } from '../kit/context.js';
import { openTestDatabase } from '../kit/database.js';
import { build, killGroup, startProgram, type Program } from '../start/program.js';
import { addEstate, addSeries } from './series/kit.js';

jest.setTimeout(400_000);

interface Update {
  readonly cursor: string;
  readonly seriesTicker: string;
  readonly unitPrice: string;
}

interface Answer {
  readonly data?: { readonly trancheUnitPriceUpdated: Update };
  readonly errors?: readonly { readonly extensions: unknown }[];
}
const programs: Program[] = [];

async function start(): Promise<string> {
  const program = startProgram({
    env: {
      DATABASE_URL: database.url,
      DATABASE_POOL: '5',
      MASTER_KEY: testMasterKey.toString('base64'),
      LOG_LEVEL: 'error',
    },
  });
  programs.push(program);
  return (await program.ready).replace('localhost', '127.0.0.1');
}

await build();
const database = await openTestDatabase({ poolSize: 3 });
afterAll(async () => {
  await Promise.all(programs.map(killGroup));
  await database.close();
});
const estate = await addEstate(database.dataSource.manager, 'PAT');
// They accrue nothing yet: the program's own runs, one of which is at its start, price none of them.
const later = { remuneration_start_date: '2099-01-05' };
for (const ticker of ['ONE', 'TWO', 'OTHER']) await addSeries(database.dataSource.manager, estate, ticker, later);

let count = 0;
/** Does what a run does: announces a price of each series in its transaction. The unit prices count up. */
async function announcePrices(...tickers: string[]): Promise<string[]> {
  const prices = tickers.map((trancheTicker) => {
    count += 1;
    const value = `${String(count)}.00000000`;
    return {
      trancheTicker,
      patrimonyTicker: 'PAT',
      date: '2026-11-19',
      unitPrice: value,
      nominalValue: value,
      interestJ: '0.00000000',
      projected: false,
    };
  });
  await inTransaction(testContext({ manager: database.dataSource.manager }), (tx) =>
    announceAll(
      tx,
      prices.map((price) => unitPriceEvent(price)),
    ),
  );
  return prices.map(({ unitPrice }) => unitPrice);
}

const connect = (url: string): Client =>
  createClient({ url: `${url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket, retryAttempts: 0 });

const query = `subscription ($ticker: String, $tickers: [String!], $since: String) {
  trancheUnitPriceUpdated(ticker: $ticker, tickers: $tickers, since: $since) { cursor seriesTicker unitPrice } }`;
const subscribe = (client: Client, variables: Record<string, unknown>) =>
  client.iterate<Answer['data']>({ query, variables }) as unknown as AsyncIterableIterator<Answer>;

async function take(client: Client, variables: Record<string, unknown>, wanted: number): Promise<Update[]> {
  const stream = subscribe(client, variables);
  const updates: Update[] = [];
  while (updates.length < wanted) {
    const { value } = (await stream.next()) as { value: Answer | undefined };
    if (value?.data == null) throw new Error(`The subscription ended: ${JSON.stringify(value)}`);
    updates.push(value.data.trancheUnitPriceUpdated);
  }
  await stream.return?.();
  return updates;
}

async function eventCursor(url: string): Promise<string> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ eventCursor }' }),
  });
  const { data } = (await response.json()) as { data: { eventCursor: string } };
  return data.eventCursor;
}

const pricesOf = (updates: readonly Update[]) => updates.map(({ unitPrice }) => unitPrice);

describe('prices over graphql-ws', () => {
  test('arrive after a program was killed, those of the time in which none ran among them', async () => {
    const url = await start();
    const since = await eventCursor(url);
    const client = connect(url);
    const before = await announcePrices('ONE', 'TWO', 'OTHER', 'ONE');
    const tickers = ['one', 'TWO'];
    const first = await take(client, { tickers, since }, 2);
    expect(pricesOf(first)).toEqual(before.slice(0, 2));
    const [program] = programs;
    if (program === undefined) throw new Error('A program runs');
    await killGroup(program);
    await client.dispose();

    const meanwhile = await announcePrices('TWO', 'OTHER', 'ONE');
    const again = connect(await start());
    const missed = await take(again, { tickers, since: first[1]?.cursor }, 3);
    expect(pricesOf(missed)).toEqual([before[3], meanwhile[0], meanwhile[2]]);
    expect(missed.map(({ seriesTicker }) => seriesTicker)).toEqual(['ONE', 'TWO', 'ONE']);
    await again.dispose();
  });

  test.each<[string, Record<string, unknown>, object]>([
    ['an invented cursor', { ticker: 'ONE', since: 'abc' }, { code: 'BAD_REQUEST', details: [{ path: 'since' }] }],
    ['neither of both', {}, { code: 'BAD_REQUEST', details: [{ path: 'tickers' }] }],
    ['both', { ticker: 'ONE', tickers: ['TWO'] }, { code: 'BAD_REQUEST', details: [{ path: 'ticker' }] }],
    ['none', { tickers: [] }, { code: 'BAD_REQUEST', details: [{ path: 'tickers' }] }],
    ['too many', { tickers: Array.from({ length: 101 }, (_, at) => `T${String(at)}`) }, { code: 'BAD_REQUEST' }],
    ['one that does not exist', { ticker: 'NOPE' }, { code: 'NOT_FOUND', details: [{ path: 'ticker' }] }],
    ['a list of one', { tickers: ['NOPE'] }, { code: 'NOT_FOUND', details: [{ path: 'tickers[0]' }] }],
    [
      'some that do not exist',
      { tickers: ['ONE', 'A', 'TWO', 'B'] },
      { code: 'NOT_FOUND', details: [{ path: 'tickers[1]' }, { path: 'tickers[3]' }] },
    ],
  ])('%s is refused', async (_, variables, extensions) => {
    const running = programs.at(-1);
    const client = connect(running === undefined ? '' : (await running.ready).replace('localhost', '127.0.0.1'));
    const stream = subscribe(client, variables);
    const answer = (await stream.next().catch((error: unknown) => ({ value: { errors: error } }))) as {
      value: unknown;
    };
    expect(answer.value).toMatchObject({ errors: [{ extensions }] });
    await client.dispose();
  });
});
