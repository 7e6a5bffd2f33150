import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { anonymous } from '../../../shared/kernel/context.js';
import { operator, testContext } from '../../../tests/kit/context.js';
import { openTokenizationGraph } from '../../../tests/tokenization/graph.js';
import { addIndexValues } from '../../../tests/tokenization/series/kit.js';

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;

await addIndexValues(manager, 'IPCA', { '2026-09-01': '6862.1', '2026-10-01': '6897.3' }, '2026-11-10');
await addIndexValues(manager, 'IPCA', { '2026-10-01': '6897.3477' }, '2026-11-10');
await manager.query(
  `INSERT INTO tokenization.projected_index_values (index_name, month, published_on, version, percent, source, recorded_at)
   VALUES ('IPCA', '2026-11-01', '2026-11-10', 1, 0.5, 'ANBIMA', now()), ('IPCA', '2026-11-01', '2026-11-25', 1, 0.44, 'ANBIMA', now()),
     ('IPCA', '2026-11-01', '2026-11-25', 2, 0.46, 'ANBIMA', now())`,
);

const read = (args: string, principal = operator) =>
  graph.executor.execute(
    {
      document: parse(`{ indexValues(${args}) { totalCount pageInfo { hasNextPage endCursor }
        nodes { date value publishedOn version importId projections { publishedOn percent source version } } } }`),
    },
    testContext({ manager, clock: graph.clock, principal }),
  );

const october = { date: '2026-10-01', value: '6897.3477000000', publishedOn: '2026-11-10', version: 2 };
const november = {
  date: '2026-11-01',
  value: null,
  publishedOn: null,
  version: null,
  projections: [
    { publishedOn: '2026-11-10', percent: '0.50', source: 'ANBIMA', version: 1 },
    { publishedOn: '2026-11-25', percent: '0.46', source: 'ANBIMA', version: 2 },
  ],
};

test('operators see what is loaded, the newest first, with projections beside', async () => {
  const { data } = await read('index: IPCA, first: 2');
  expect(data?.['indexValues']).toMatchObject({
    totalCount: 3,
    pageInfo: { hasNextPage: true },
    nodes: [november, { ...october, projections: [] }],
  });
  const { endCursor } = (data?.['indexValues'] as { pageInfo: { endCursor: string } }).pageInfo;
  const rest = await read(`index: IPCA, after: "${endCursor}"`);
  expect(rest.data?.['indexValues']).toMatchObject({
    pageInfo: { hasNextPage: false },
    nodes: [{ date: '2026-09-01' }],
  });
  const part = await read('index: IPCA, from: "2026-10-01", to: "2026-10-31"');
  expect(part.data?.['indexValues']).toMatchObject({ totalCount: 1, nodes: [october] });
});

test('nobody else does', async () => {
  const { errors } = await read('index: IPCA', anonymous('127.0.0.1'));
  expect(errors?.[0]?.extensions['code']).toBe('UNAUTHORIZED');
});
