import { afterAll, describe, expect, test } from '@jest/globals';
import { add, addOnchainContract, addOperation } from '../../../tests/issuances/fixtures.js';
import type { Page } from '../../../tests/kit/pages.js';
import { openTestGraph } from '../../../tests/issuances/graph.js';

/** Blocks of the events, newest first; two events of each contract are of the same moment. */
const blocks = ['6', '5', '4', '3', '2', '1'];

const graph = await openTestGraph();
afterAll(() => graph.close());
const { manager } = graph.dataSource;
for (const [index, ticker] of ['EVENTS-A', 'EVENTS-B'].entries()) {
  const operation = await addOperation(manager, ticker);
  const contract = await addOnchainContract(manager, operation, { address: `0x${String(index).repeat(40)}` });
  for (const block of blocks)
    await add(manager, 'onchain_events', {
      contract_id: contract,
      transaction_hash: `0x${(9 - Number(block)).toString().repeat(64)}`,
      log_index: 0,
      block_number: block,
      type: 'MINT',
      // In microseconds, which a cursor keeps; those of blocks 3 and 4 are equal.
      occurred_at: `2026-02-01T00:00:00.00000${block === '4' ? '3' : block}Z`,
    });
}

type Events = Page<{ readonly blockNumber: string }>;

const fields =
  'nodes { blockNumber } edges { cursor } totalCount pageInfo { startCursor endCursor hasNextPage hasPreviousPage }';
const text = (args: string) => `{ onchainContracts { nodes { events${args} { ${fields} } } } }`;
const eventsOf = async (ticker: string, args: string): Promise<Events> => {
  const found = await graph.data(
    `{ operation(ticker: "${ticker}") { onchainContracts { events${args} { ${fields} } } } }`,
  );
  return (found['operation'] as { onchainContracts: [{ events: Events }] }).onchainContracts[0].events;
};
const blocksOf = ({ nodes }: Pick<Events, 'nodes'>) => nodes.map(({ blockNumber }) => blockNumber);

describe('events of a contract', () => {
  test.each([1, 2, 4])('are read from either end without a gap or a repetition, %d on a page', async (size) => {
    const forward: string[] = [];
    const backward: string[] = [];
    for (let cursor = ''; ;) {
      const page = await eventsOf('EVENTS-A', `(first: ${String(size)}${cursor})`);
      forward.push(...blocksOf(page));
      if (!page.pageInfo.hasNextPage) break;
      cursor = `, after: "${String(page.pageInfo.endCursor)}"`;
    }
    for (let cursor = ''; ;) {
      const page = await eventsOf('EVENTS-A', `(last: ${String(size)}${cursor})`);
      backward.unshift(...blocksOf(page));
      if (!page.pageInfo.hasPreviousPage) break;
      cursor = `, before: "${String(page.pageInfo.startCursor)}"`;
    }
    expect([forward, backward]).toEqual([blocks, blocks]);
  });

  test('take as many statements for several contracts as for one', async () => {
    const one = await graph.countQueries(() =>
      graph.data(text('').replace('onchainContracts', 'onchainContracts(first: 1)')),
    );
    expect(await graph.countQueries(() => graph.data(text('')))).toBe(one);
  });
});
