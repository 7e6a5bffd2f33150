import type { Context } from '../../../shared/kernel/context.js';
import { sha256 } from '../../../shared/security/crypto.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { newId } from '../../../shared/kernel/ids.js';
import { saveChecks, advance, insertEvents, replaceRanges, saveChain, type ChainEvent } from './scan.store.js';
import { findCollection, insertCollection, tranchesForDemo, type DemoTranche } from './collection.store.js';
import { nobody } from './movement.js';
import { moveTokens } from './token-ranges.js';

/** Addresses of contracts that exist on no chain; their data is invented. */
const addresses = [
  '0x829aF52432aCd1Dc82FA6e7032E4bB35F1c3bc4b',
  '0xF87aFd0e66eb0c8A2AE181b3f92B19377740Cf0C',
  '0x0a8FE8F10AE47fF1A9ba834F7A7768bE4F9D908f',
  '0xd9E6AD01D1cd8964D561a1713a8C69B8255FBC2d',
];

const [chainId, network] = [137, 'Polygon'];
const deployedBlock = 70_000_000;
const head = 70_900_000n;
const dayBlocks = 40_000n;
const dayMs = 86_400_000;

/** Gives the first series in force an invented contract each, as if read from a chain. Does nothing if one exists already. */
export async function loadDemoContracts(context: Context): Promise<void> {
  await inTransaction(context, async (tx) => {
    const [first] = addresses;
    if (first !== undefined && (await findCollection(tx, { address: first, chainId })) !== undefined) return;
    const tranches = await tranchesForDemo(tx, addresses.length);
    for (const [index, tranche] of tranches.entries()) {
      const address = addresses[index];
      if (address !== undefined) await addContract(tx, tranche, address);
    }
    if (tranches.length === 0) return;
    await saveChain(tx, chainId, { head, finalBlock: head - 64n, rangeBlocks: 2000n });
  });
}

async function addContract(context: Context, tranche: DemoTranche, address: string): Promise<void> {
  const now = context.clock.now().getTime();
  const id = newId(now);
  const explorerUrl = `https://polygonscan.com/address/${address}`;
  const made = { id, trancheId: tranche.id, chainId, network, address, explorerUrl, deployedBlock };
  if (!(await insertCollection(context, made))) return;
  const events = eventsOf(id, tranche, now);
  const { ranges } = moveTokens([], events);
  await insertEvents(context, chainId, events);
  await replaceRanges(context, new Map(), new Map([[id, ranges]]));
  await advance(context, [id], head, new Map([[id, 0]]));
  const totalSupply = ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  const symbol = tranche.ticker.replace(/[^A-Za-z0-9]/g, '').slice(0, 11);
  const deployedAt = timeOf(BigInt(deployedBlock), now);
  const description = { name: tranche.name, symbol, totalSupply, deployedAt };
  await saveChecks(context, head, [{ id, description, problem: null }]);
}

function eventsOf(collectionId: string, { ticker, tokenQuantity }: DemoTranche, now: number): ChainEvent[] {
  const minted = (BigInt(tokenQuantity) * 9n) / 10n;
  const [issuer, fund, person] = ['issuer', 'fund', 'person'].map((name) => `0x${digest(ticker, name).slice(0, 40)}`);
  if (issuer === undefined || fund === undefined || person === undefined || minted < 10n) return [];
  const moves = [
    { from: nobody, to: issuer, firstTokenId: 0n, lastTokenId: minted - 1n },
    { from: issuer, to: fund, firstTokenId: 0n, lastTokenId: minted / 2n },
    { from: fund, to: person, firstTokenId: 3n, lastTokenId: 3n },
  ];
  return moves.map((move, index) => {
    const blockNumber = BigInt(deployedBlock) + BigInt(index) * 5n * dayBlocks;
    const blockHash = `0x${digest(ticker, `block ${String(index)}`)}`;
    const transactionHash = `0x${digest(ticker, `transaction ${String(index)}`)}`;
    const place = { contract: '', blockNumber, blockHash, transactionHash, logIndex: index };
    return { ...move, ...place, collectionId, occurredAt: timeOf(blockNumber, now) };
  });
}

const digest = (...parts: readonly string[]) => sha256(parts.join('/')).toString('hex');

/** Returns the time of a block, given that the head is made now. */
function timeOf(block: bigint, now: number): Date {
  return new Date(now - Number(((head - block) * BigInt(dayMs)) / dayBlocks));
}
