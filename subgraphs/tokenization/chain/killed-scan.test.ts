import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Manager } from '../../../shared/database/manager.js';
import { chainMissing, openTestChain, type TestChain } from '../../../tests/kit/chain.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../../../tests/kit/database.js';
import { openFaultyNode, type FaultyNode } from '../../../tests/kit/faulty-node.js';
import { killWhen, moduleAt } from '../../../tests/kit/killed-process.js';
import { addEstate, addSeries } from '../../../tests/tokenization/series/kit.js';
import { openNode } from './node.js';
import { registerCollection } from './chain.acts.js';
import { scanChain } from './scan-chain.js';

// Runs in a process of its own, so that it can be killed abruptly.
const program = `
  const { openDatabase } = await import(${moduleAt('shared/database/database.ts')});
  const { testContext } = await import(${moduleAt('tests/kit/context.ts')});
  const { openNode } = await import(${moduleAt('subgraphs/tokenization/chain/node.ts')});
  const { scanChain } = await import(${moduleAt('subgraphs/tokenization/chain/scan-chain.ts')});
  const { manager } = await openDatabase({ url: process.argv[1], poolSize: 2, applicationName: 'killed' });
  await scanChain(testContext({ manager }), await openNode(process.argv[2]), { id: 31337, confirmations: 64 });`;

if (chainMissing !== undefined) process.stderr.write(`Skipped, no run is killed: ${chainMissing}\n`);

(chainMissing === undefined ? describe : describe.skip)('a run that is killed', () => {
  let database: TestDatabase;
  let manager: Manager;
  let chain: TestChain;
  let node: FaultyNode;

  beforeAll(async () => {
    database = await openTestDatabase();
    ({ manager } = database.dataSource);
    chain = await openTestChain();
    node = await openFaultyNode(chain.url);
    // Ensures many ranges, and many moments to be killed at.
    node.lie = (method, [filter]) => {
      if (method !== 'eth_getLogs') return undefined;
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
      const many = BigInt(toBlock) - BigInt(fromBlock) >= 2n;
      return many ? { error: { code: -32005, message: 'query exceeds 2 blocks' } } : undefined;
    };
  });
  afterAll(async () => {
    await node.close();
    await chain.close();
    await database.close();
  });

  const killAfter = (block: number) =>
    killWhen(manager, program, [database.url, node.url], async () => {
      const [scanned] = await manager.values<number>('SELECT scanned_block::int FROM tokenization.collections');
      return (scanned ?? 0) >= block;
    });

  test('is made good by the next: every movement is there once, and the owners are those of the chain', async () => {
    const [owner, buyer, third] = chain.accounts;
    if (owner === undefined || buyer === undefined || third === undefined) throw new Error('Too few accounts');
    const token = await chain.deploy(50);
    const ticker = 'KILLED1';
    await addSeries(manager, await addEstate(manager, 'KILLED'), ticker);
    const context = testContext({ manager });
    const settings = { id: chain.id, network: 'Anvil', rpcUrl: undefined, explorerUrl: undefined, confirmations: 64 };
    const input = { trancheTicker: ticker, address: token.address, deployedBlock: token.deployedBlock };
    await registerCollection(context, settings, input);
    for (let id = 0; id < 45; id++) await token.transfer(owner, id % 3 === 0 ? third : buyer, id);
    for (const block of [12, 30]) await killAfter(block);
    const reader = await openNode(node.url);
    await scanChain(context, reader, settings);

    const events: { n: number; distinct: number }[] = await manager.query(
      'SELECT count(*)::int AS n, count(DISTINCT (block_number, log_index))::int AS distinct FROM tokenization.chain_events',
    );
    expect(events).toEqual([{ n: 46, distinct: 46 }]);
    const ranges: { first: string; last: string; owner: string }[] = await manager.query(
      'SELECT first_token_id AS first, last_token_id AS last, owner FROM tokenization.token_ranges ORDER BY first_token_id',
    );
    const owners = ranges.flatMap(({ first, last, owner: holder }) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, () => holder),
    );
    const head = await reader.head();
    const there = [];
    for (let id = 0n; id < 50n; id++) there.push(await reader.ownerOf(token.address, id, head.number));
    expect(owners).toEqual(there);
    const problems: unknown = await manager.query('SELECT problem, gaps FROM tokenization.collections');
    expect(problems).toEqual([{ problem: null, gaps: 0 }]);
  }, 300_000);
});
