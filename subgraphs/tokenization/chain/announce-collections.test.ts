import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '../../../shared/kernel/ids.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { addEstate, addSeries } from '../../../tests/tokenization/series/kit.js';
import { announceCollections } from './scan-chain.js';
import { saveChecks, advance, insertEvents } from './scan.store.js';
import { insertCollection } from './collection.store.js';
import { nobody } from './movement.js';

const chainId = 137;
const head = 1000n;
const address = `0x${'a'.repeat(40)}`;

const database = await openTestDatabase();
const { manager } = database.dataSource;
const context = testContext({ manager });
const trancheId = await addSeries(manager, await addEstate(manager, 'AURORA'), 'AURORA1');
afterAll(() => database.close());

describe('the announcement of a contract', () => {
  beforeEach(() => database.asOwner('TRUNCATE tokenization.collections, shared.outbox CASCADE'));

  /** Announces a contract with the given number of events per block, and returns the announcement. */
  async function announced(countByBlock: Readonly<Record<number, number>>) {
    const id = newId();
    const place = { id, trancheId, chainId, network: 'Polygon', address, explorerUrl: null, deployedBlock: 1 };
    await insertCollection(context, place);
    const blocks = Object.entries(countByBlock).flatMap(([block, count]) =>
      Array.from({ length: count }, (_, logIndex) => ({ block, logIndex })),
    );
    await insertEvents(
      context,
      chainId,
      blocks.map(({ block, logIndex }, index) => ({
        collectionId: id,
        contract: address,
        blockNumber: BigInt(block),
        blockHash: `0x${block.padStart(64, '0')}`,
        transactionHash: `0x${'b'.repeat(64)}`,
        logIndex,
        from: nobody,
        to: address,
        firstTokenId: BigInt(index),
        lastTokenId: BigInt(index),
        occurredAt: context.clock.now(),
      })),
    );
    await advance(context, [id], head, new Map([[id, 0]]));
    const description = { name: 'Aurora 1', symbol: 'AURORA1', totalSupply: 1n, deployedAt: context.clock.now() };
    await saveChecks(context, head, [{ id, description, problem: null }]);
    await announceCollections(context, chainId, head);
    const [row] = await manager.query<{ payload: { fromBlock: number; events: { blockNumber: number }[] } }[]>(
      'SELECT payload FROM shared.outbox',
    );
    const counts: Record<number, number> = {};
    for (const { blockNumber } of row?.payload.events ?? []) counts[blockNumber] = (counts[blockNumber] ?? 0) + 1;
    return { fromBlock: row?.payload.fromBlock, counts };
  }

  test('has all events where there are few', async () => {
    expect(await announced({ 5: 3, 9: 96 })).toEqual({ fromBlock: 0, counts: { 5: 3, 9: 96 } });
  });

  test('has all of the block in which the hundredth event lies, and none before it', async () => {
    expect(await announced({ 4: 7, 5: 30, 9: 99 })).toEqual({ fromBlock: 5, counts: { 5: 30, 9: 99 } });
  });

  test('leaves out a block of more events than it bears, and does not claim to know it', async () => {
    expect(await announced({ 5: 1200, 9: 40 })).toEqual({ fromBlock: 6, counts: { 9: 40 } });
  });
});
