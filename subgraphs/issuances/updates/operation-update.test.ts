import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { createLocalBus } from '../../../shared/events/bus.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/events/outbox/outbox.js';
import { createRelay } from '../../../shared/events/outbox/relay.js';
import type { GraphResult, GraphResultStream } from '../../../shared/graphql/executor.js';
import { addOperation } from '../../../tests/issuances/fixtures.js';
import { now, openTestGraph } from '../../../tests/issuances/graph.js';
import { updateKinds } from './operation-update.js';

const bus = createLocalBus();
const ids: Record<string, string> = {};

const graph = await openTestGraph();
afterAll(() => graph.close());
for (const ticker of ['ONE', 'TWO']) ids[ticker] = await addOperation(graph.dataSource.manager, ticker);
await addOperation(graph.dataSource.manager, 'HID', { is_public: false });

const document = parse(`subscription ($ticker: String!) { operationUpdated(ticker: $ticker) {
  kind occurredAt reference operation { ticker name } } }`);

const subscribe = (ticker: string) =>
  graph.executor.subscribe({ document, variables: { ticker } }, graph.context({ bus }));

async function open(ticker: string): Promise<GraphResultStream> {
  const stream = await subscribe(ticker);
  if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream));
  return stream;
}

/** Does what an import does: announces in its transaction; the relay publishes after the commit. */
async function publish(ticker: string, kind: string): Promise<void> {
  const context = graph.context({ bus });
  const operationId = ids[ticker] ?? '';
  await inTransaction(context, (tx) =>
    announce(tx, {
      topic: 'operation.updated',
      key: operationId,
      payload: { operationId, ticker, kind, reference: '2026-11-20', occurredAt: new Date(now).toISOString() },
    }),
  );
  await createRelay(context).drain();
}

test('reports what is published about the operation, and of no other', async () => {
  const stream = await open('estate-one');
  await publish('TWO', 'PU');
  for (const kind of updateKinds) await publish('ONE', kind);
  for (const kind of updateKinds) {
    expect((await stream.next()).value).toEqual({
      data: {
        operationUpdated: {
          kind,
          occurredAt: new Date(now).toISOString(),
          reference: '2026-11-20',
          operation: { ticker: 'ONE', name: 'Operação ONE' },
        },
      },
    });
  }
  await stream.return?.();
});

test('an event of another form is left out; an operation that is no longer public falls silent', async () => {
  const stream = await open('ONE');
  await publish('ONE', 'SOMETHING');
  await graph.dataSource.manager.query(`UPDATE issuances.operations SET is_public = false WHERE ticker = 'ONE'`);
  await publish('ONE', 'PAYMENT');
  const next = stream.next();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await graph.dataSource.manager.query(`UPDATE issuances.operations SET is_public = true WHERE ticker = 'ONE'`);
  await publish('ONE', 'DOCUMENT');
  expect((await next).value).toMatchObject({ data: { operationUpdated: { kind: 'DOCUMENT' } } });
  await stream.return?.();
});

describe('since and tickers', () => {
  const resumable = parse(`subscription ($tickers: [String!], $since: String) {
    operationUpdated(tickers: $tickers, since: $since) { cursor kind seriesTicker unitPrice entityIds operation { ticker } } }`);
  interface Told {
    readonly cursor: string;
    readonly kind: string;
    readonly operation: { readonly ticker: string };
  }
  const resume = async (variables: Readonly<Record<string, unknown>>): Promise<GraphResultStream> => {
    const stream = await graph.executor.subscribe({ document: resumable, variables }, graph.context({ bus }));
    if (!(Symbol.asyncIterator in stream)) throw new Error(JSON.stringify(stream));
    return stream;
  };
  const nextOf = async (stream: GraphResultStream): Promise<Told> => {
    const { value } = (await stream.next()) as { value: GraphResult | undefined };
    return value?.data?.['operationUpdated'] as Told;
  };
  const cursorOfNow = async () => (await graph.data('{ eventCursor }'))['eventCursor'];

  test('what was published about several operations while nobody listened is replayed, once, before what follows', async () => {
    const since = await cursorOfNow();
    await publish('ONE', 'PU');
    await publish('TWO', 'PAYMENT');
    const stream = await resume({ tickers: ['one', 'estate-two', 'ONE'], since });
    const [first, second] = [await nextOf(stream), await nextOf(stream)];
    expect([first, second].map(({ kind, operation }) => [kind, operation.ticker])).toEqual([
      ['PU', 'ONE'],
      ['PAYMENT', 'TWO'],
    ]);
    await stream.return?.();
    await publish('ONE', 'REPORT');
    const again = await resume({ tickers: ['ONE'], since: first.cursor });
    await publish('ONE', 'DOCUMENT');
    expect([(await nextOf(again)).kind, (await nextOf(again)).kind]).toEqual(['REPORT', 'DOCUMENT']);
    await again.return?.();
  });

  test('a replay leaves out what is not public any more', async () => {
    const since = await cursorOfNow();
    await publish('ONE', 'PU');
    await publish('TWO', 'PU');
    const stream = await resume({ tickers: ['ONE', 'TWO'], since });
    await graph.dataSource.manager.query(`UPDATE issuances.operations SET is_public = false WHERE ticker = 'ONE'`);
    expect((await nextOf(stream)).operation.ticker).toBe('TWO');
    await stream.return?.();
    const refused = (await graph.executor.subscribe(
      { document: resumable, variables: { tickers: ['TWO', 'ONE', 'NOPE'], since } },
      graph.context({ bus }),
    )) as GraphResult;
    await graph.dataSource.manager.query(`UPDATE issuances.operations SET is_public = true WHERE ticker = 'ONE'`);
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'NOT_FOUND',
      details: [{ path: 'tickers[1]' }, { path: 'tickers[2]' }],
    });
  });
});

test.each(['NOPE', 'HID'])('%s is not there to listen to', async (ticker) => {
  const answer = (await subscribe(ticker)) as GraphResult;
  expect(answer.errors?.[0]?.extensions['code']).toBe('NOT_FOUND');
});

test('is for API keys, sessions and operators alone', async () => {
  const principal = { kind: 'ANONYMOUS', id: '::1', ownerId: '::1', scopes: [] } as const;
  const answer = await graph.executor.subscribe(
    { document, variables: { ticker: 'ONE' } },
    graph.context({ bus, principal }),
  );
  expect((answer as GraphResult).errors?.[0]?.extensions['code']).toBe('UNAUTHORIZED');
});
