import { afterAll, expect, test } from '@jest/globals';
import { testContext } from '../../../tests/kit/context.js';
import { openTokenizationGraph } from '../../../tests/tokenization/graph.js';
import { addEstate, addSeries } from '../../../tests/tokenization/series/kit.js';
import { findCollection } from './collection.store.js';
import { loadDemoContracts } from './demo-contracts.js';
import { registerCollection } from './chain.acts.js';

const graph = await openTokenizationGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
const estate = await addEstate(manager, 'PAT1');
for (const ticker of ['S1', 'S2', 'S3']) await addSeries(manager, estate, ticker);
await loadDemoContracts(testContext({ manager, clock: graph.clock }));
await addSeries(manager, estate, 'S4');

const document = 'query ($first: Int!) { tranches(first: $first) { nodes { ticker collection { address } } } }';

test('contracts cost as many queries for many series as for one', async () => {
  const one = await graph.countQueries(() => graph.data(document, { first: 1 }));
  expect(await graph.countQueries(() => graph.data(document, { first: 4 }))).toBe(one);
});

test('a series without a contract has none, and each of the others its own', async () => {
  const { tranches } = (await graph.data(document, { first: 4 })) as {
    tranches: { nodes: { ticker: string; collection: { address: string } | null }[] };
  };
  const addresses = tranches.nodes.map(({ collection }) => collection?.address);
  expect(addresses[3]).toBeUndefined();
  expect(new Set(addresses.slice(0, 3)).size).toBe(3);
});

test('a contract leads to its series, with as many queries for many contracts as for one', async () => {
  const contracts =
    'query ($first: Int!) { tokenCollections(first: $first) { nodes { trancheTicker tranche { ticker } } } }';
  const one = await graph.countQueries(() => graph.data(contracts, { first: 1 }));
  expect(await graph.countQueries(() => graph.data(contracts, { first: 3 }))).toBe(one);
  expect(await graph.data(contracts, { first: 3 })).toEqual({
    tokenCollections: {
      nodes: ['S1', 'S2', 'S3'].map((ticker) => ({ trancheTicker: ticker, tranche: { ticker } })),
    },
  });
});

test('the demo is loaded once', async () => {
  const context = testContext({ manager, clock: graph.clock });
  await Promise.all([loadDemoContracts(context), loadDemoContracts(context)]);
  expect(await manager.query('SELECT count(*)::int AS n FROM tokenization.collections')).toEqual([{ n: 3 }]);
});

test('contracts of two chains may have one address; that of the chain in use is found by it', async () => {
  const context = testContext({ manager, clock: graph.clock });
  await addSeries(manager, await addEstate(manager, 'PAT2'), 'S5');
  const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045';
  for (const [trancheTicker, id] of [
    ['S4', 137],
    ['S5', 1],
  ] as const) {
    const chain = { id, network: `Chain ${id}`, rpcUrl: undefined, explorerUrl: undefined, confirmations: 64 };
    const input = { trancheTicker, address, deployedBlock: 5 };
    expect(await registerCollection(context, chain, input)).toMatchObject({ chainId: id, trancheTicker });
    await expect(
      registerCollection(context, chain, { ...input, trancheTicker: 'S1', deployedBlock: 6 }),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  }
  for (const chainId of [137, 1])
    expect(await findCollection(context, { address, chainId })).toMatchObject({ chainId });
  expect(await findCollection(context, { address, chainId: undefined })).toMatchObject({ address: expect.any(String) });
});
