import { joinMovements, type Movement } from './movement.js';
import type { Block, ChainNode } from './node.js';

export interface RangeRead {
  readonly last: Block;
  readonly movements: readonly Movement[];
  /** Time of each block with events, by block hash. */
  readonly madeAt: ReadonlyMap<string, Date>;
}

/** The chain changed during the read: the data may mix two forks. */
export class Reorganised extends Error {
  override readonly name = 'Reorganised';
}

const atOnce = 10;

/** Reads all from one fork: it follows `before`, and its last block is the same before and after the read; the hash of a block vouches for all before it. @throws {Reorganised} @throws {NodeFault} */
export async function readRange(
  node: ChainNode,
  contracts: readonly string[],
  range: { readonly from: bigint; readonly to: bigint },
  before: Pick<Block, 'number' | 'hash'> | undefined,
): Promise<RangeRead> {
  const last = await node.block(range.to);
  if (last === undefined) throw new Reorganised(`Block ${range.to} no longer exists`);
  const movements = await node.movements(contracts, range.from, range.to);
  const madeAt = await timesOf(node, movements);
  if (before !== undefined) await expectSame(node, before);
  await expectSame(node, last);
  return { last, movements: joinMovements(movements), madeAt };
}

async function timesOf(node: ChainNode, movements: readonly Movement[]): Promise<Map<string, Date>> {
  const hashes = new Map(movements.map(({ blockNumber, blockHash }) => [blockNumber, blockHash]));
  const blocks = [...hashes].map(([number, hash]) => ({ number, hash }));
  const times = new Map<string, Date>();
  for (let start = 0; start < blocks.length; start += atOnce) {
    const some = blocks.slice(start, start + atOnce);
    const made = await Promise.all(some.map((block) => expectSame(node, block)));
    for (const { hash, madeAt } of made) times.set(hash, madeAt);
  }
  return times;
}

/** @throws {Reorganised} when the block no longer belongs to the chain */
export async function expectSame(node: ChainNode, { number, hash }: Pick<Block, 'number' | 'hash'>): Promise<Block> {
  const there = await node.block(number);
  if (there?.hash !== hash) throw new Reorganised(`Block ${number} was replaced`);
  return there;
}
