import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  createTestClient,
  http,
  publicActions,
  walletActions,
  type Abi,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem';
import { z } from 'zod';
import { until } from './until.js';

const require = createRequire(import.meta.url);
const folder = new URL('../tokenization/', import.meta.url);

/** Where npm put the local chain's binary for this machine; undefined when there is none for it. */
function findAnvil(): string | undefined {
  const cpu = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  try {
    return require.resolve(`@foundry-rs/anvil-${process.platform}-${cpu ?? process.arch}/bin/anvil`);
  } catch {
    return undefined;
  }
}

const anvil = findAnvil();

/** Why tests that need a chain cannot run here; undefined when they can. */
export const chainMissing: string | undefined =
  anvil === undefined ? `npm has no anvil for ${process.platform} on ${process.arch}` : undefined;

const contractForm = z.object({
  abi: z.custom<Abi>(Array.isArray),
  bytecode: z.custom<Hex>((it) => typeof it === 'string'),
});
type Contract = z.output<typeof contractForm>;

const outputForm = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.record(
    z.string(),
    z.record(z.string(), z.object({ abi: z.unknown(), evm: z.object({ bytecode: z.object({ object: z.string() }) }) })),
  ),
});

/** The contract of the tests. Compiled by the first who asks, and kept for as long as neither it nor the compiler changes. */
async function compile(): Promise<Contract> {
  const source = await readFile(new URL('TrancheToken.sol', folder), 'utf8');
  const versions = ['solc', 'erc721a'].map((name) => require(`${name}/package.json`) as { version: string });
  const digest = createHash('sha256')
    .update(source)
    .update(JSON.stringify(versions.map(({ version }) => version)));
  const kept = join(tmpdir(), `lastro-contract-${digest.digest('hex').slice(0, 16)}.json`);
  try {
    return contractForm.parse(JSON.parse(await readFile(kept, 'utf8')));
  } catch {
    const contract = await compileAnew(source);
    await mkdir(tmpdir(), { recursive: true });
    await writeFile(`${kept}.${process.pid}`, JSON.stringify(contract));
    await rename(`${kept}.${process.pid}`, kept);
    return contract;
  }
}

async function compileAnew(source: string): Promise<Contract> {
  const { readFileSync } = await import('node:fs');
  const solc = require('solc') as {
    compile(input: string, callbacks: { import(path: string): { contents: string } }): string;
  };
  const input = {
    language: 'Solidity',
    sources: { 'TrancheToken.sol': { content: source } },
    settings: {
      outputSelection: { '*': { TrancheToken: ['abi', 'evm.bytecode.object'] } },
      optimizer: { enabled: true },
    },
  };
  const read = { import: (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') }) };
  const { errors, contracts } = outputForm.parse(JSON.parse(solc.compile(JSON.stringify(input), read)));
  const error = errors.find(({ severity }) => severity === 'error');
  const made = contracts['TrancheToken.sol']?.['TrancheToken'];
  if (error !== undefined || made === undefined) throw new Error(error?.formattedMessage ?? 'solc made no contract');
  return contractForm.parse({ abi: made.abi, bytecode: `0x${made.evm.bytecode.object}` });
}

function clientOf(url: string) {
  return createTestClient({ mode: 'anvil', transport: http(url, { retryCount: 0 }) })
    .extend(publicActions)
    .extend(walletActions);
}

/** A deployed contract of the tests. Every act is a block of its own. */
export interface TestToken {
  readonly address: Address;
  readonly deployedBlock: number;
  mint(to: Address, quantity: number): Promise<void>;
  transfer(from: Address, to: Address, token: number): Promise<void>;
  burn(owner: Address, token: number): Promise<void>;
}

export type TestChain = Awaited<ReturnType<typeof openTestChain>>;

/** Waits for the block of a transaction. viem's own function may go on to wait for the block after it, and here none comes by itself. */
const receiptOf = (client: ReturnType<typeof clientOf>, hash: Hex): Promise<TransactionReceipt> =>
  until('the receipt', () => client.getTransactionReceipt({ hash }));

/** A chain of the test file's own, in memory. A block is made for each transaction, and is final two blocks later. */
export async function openTestChain() {
  if (anvil === undefined) throw new Error(chainMissing);
  const child = spawn(anvil, ['--port', '0', '--slots-in-an-epoch', '1', '--prune-history', '500'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /Listening on (\S+)/.exec(line) ?? [];
    if (address === undefined) continue;
    url = `http://${address}`;
    break;
  }
  child.stdout.resume();
  const client = clientOf(url);
  const contract = await compile();
  const accounts = await client.getAddresses();
  const [deployer] = accounts;
  if (deployer === undefined) throw new Error('The chain has no accounts');

  const deploy = async (batch = 0): Promise<TestToken> => {
    const { abi, bytecode } = contract;
    const sender = { chain: null, gas: 25_000_000n };
    const hash = await client.deployContract({
      abi,
      bytecode,
      args: ['Aurora 1', 'AURORA1', BigInt(batch)],
      account: deployer,
      ...sender,
    });
    const { contractAddress, blockNumber } = await receiptOf(client, hash);
    if (contractAddress == null) throw new Error('The contract was not deployed');
    const address = contractAddress;
    const write = async (account: Address, functionName: string, args: readonly unknown[]) => {
      const sent = await client.writeContract({ address, abi, functionName, args, account, ...sender });
      const { status } = await receiptOf(client, sent);
      if (status !== 'success') throw new Error(`${functionName} was refused`);
    };
    return {
      address,
      deployedBlock: Number(blockNumber),
      mint: (to, quantity) => write(deployer, 'mint', [to, quantity]),
      transfer: (from, to, token) => write(from, 'transferFrom', [from, to, token]),
      burn: (owner, token) => write(owner, 'burn', [token]),
    };
  };

  return {
    url,
    id: await client.getChainId(),
    /** Ten addresses that may send. */
    accounts,
    client,
    /** @param batch tokens that the deployer owns from the beginning, by ERC-2309 */
    deploy,
    mine: (blocks: number) => client.mine({ blocks }),
    /** Replaces the last blocks by others without any transactions. */
    reorganise: async (depth: number) => {
      await client.request({ method: 'anvil_reorg' as never, params: [depth, []] as never });
    },
    close: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
