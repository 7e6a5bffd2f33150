import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { createLocalBus } from '../../../shared/bus.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announce } from '../../../shared/outbox/outbox.js';
import { createRelay } from '../../../shared/outbox/relay.js';
import type { GraphResult, GraphResultStream } from '../../../shared/subgraph/executor.js';
import { addOperation } from '../../../tests/issuances/fixtures.js';
import { now, openTestGraph, type TestGraph } from '../../../tests/issuances/graph.js';
import { updateKinds } from './operation-update.js';

let graph: TestGraph;
const bus = createLocalBus();
const ids: Record<string, string> = {};

beforeAll(async () => {
  graph = await openTestGraph();
  for (const ticker of ['ONE', 'TWO']) ids[ticker] = await addOperation(graph.dataSource.manager, ticker);
  await addOperation(graph.dataSource.manager, 'HID', { is_public: false });
});
afterAll(() => graph.close());

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
