import type { Address, PublicClient } from 'viem';
import type { Movement } from './movement.js';

export interface Block {
  readonly number: bigint;
  readonly hash: string;
  readonly madeAt: Date;
}

export interface Description {
  readonly name: string;
  readonly symbol: string;
  readonly totalSupply: bigint;
}

/** A client of a chain's node over JSON-RPC. Every method fails only with a `NodeFault`. */
export interface ChainNode {
  /** The chain's number (EIP-155). */
  chainId(): Promise<number>;
  head(): Promise<Block>;
  /** Returns the newest final block; undefined if the node does not report one. */
  finalized(): Promise<Block | undefined>;
  /** Returns a block of the current chain; undefined if the node has no block of that number. */
  block(number: bigint): Promise<Block | undefined>;
  /** Returns the movements in the `Transfer` and `ConsecutiveTransfer` (ERC-2309) logs of the contracts, one per log, both blocks included. */
  movements(contracts: readonly string[], from: bigint, to: bigint): Promise<Movement[]>;
  /** Reads a contract as of a block; undefined when it does not respond as an ERC-721 collection that counts its tokens. */
  describe(contract: string, at: bigint): Promise<Description | undefined>;
  /** Returns the owner as of a block; undefined for a token that does not exist. */
  ownerOf(contract: string, token: bigint, at: bigint): Promise<string | undefined>;
}

/** A failed call to a node. Its message never contains the node's URL, which may contain a key. */
export class NodeFault extends Error {
  override readonly name = 'NodeFault';

  /** @param mayBeTooMuch whether the node is reachable and may accept a smaller request */
  constructor(
    message: string,
    readonly mayBeTooMuch: boolean,
  ) {
    super(message);
  }
}

const timeoutMs = 20_000;

/** HTTP statuses with which a node, or a proxy in front of it, rejects every request. */
const closed = new Set([401, 403, 404, 429, 502, 503]);

/** Interface id of ERC-721 (EIP-721, by EIP-165). */
const erc721 = '0x80ac58cd';

/** Sends nothing before the first call. @param url with http or https */
export async function openNode(url: string): Promise<ChainNode> {
  const viem = await import('viem');
  // No retries here: the next run of the job retries.
  const client = viem.createPublicClient({ transport: viem.http(url, { timeout: timeoutMs, retryCount: 0 }) });

  const nodeFaultOf = (asked: string, thrown: unknown): NodeFault => {
    if (!(thrown instanceof viem.BaseError)) return new NodeFault(`The node did not respond to ${asked}`, false);
    const http = thrown.walk((error) => error instanceof viem.HttpRequestError);
    const status = http instanceof viem.HttpRequestError ? http.status : undefined;
    const mayBeTooMuch = http === null || (status !== undefined && !closed.has(status));
    const why = `${thrown.shortMessage} ${status ?? ''} ${thrown.details}`.replaceAll(url, '').replace(/\s+/g, ' ');
    return new NodeFault(`The node did not respond to ${asked}: ${why.slice(0, 300).trim()}`, mayBeTooMuch);
  };

  const ask = async <T>(asked: string, question: () => Promise<T>): Promise<T> => {
    try {
      return await question();
    } catch (error) {
      throw nodeFaultOf(asked, error);
    }
  };

  /** Whether the error came from the contract (a revert, or no contract at the address) and not from the node. */
  const refused = (thrown: unknown) =>
    thrown instanceof viem.BaseError &&
    thrown.walk(
      (error) =>
        error instanceof viem.ContractFunctionRevertedError ||
        error instanceof viem.ContractFunctionZeroDataError ||
        error instanceof viem.AbiDecodingDataSizeTooSmallError,
    ) !== null;

  const askContract = async <T>(asked: string, question: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await question();
    } catch (error) {
      if (refused(error)) return undefined;
      throw nodeFaultOf(asked, error);
    }
  };

  return {
    chainId: () => ask('eth_chainId', () => client.getChainId()),
    head: () =>
      ask('the request for its latest block', async () => toBlock(await client.getBlock({ blockTag: 'latest' }))),
    finalized: async () => {
      try {
        return toBlock(await client.getBlock({ blockTag: 'finalized' }));
      } catch (error) {
        const apiError = nodeFaultOf('the request for its final block', error);
        if (error instanceof viem.BlockNotFoundError || apiError.mayBeTooMuch) return undefined;
        throw apiError;
      }
    },
    block: async (blockNumber) => {
      try {
        return toBlock(await client.getBlock({ blockNumber }));
      } catch (error) {
        if (error instanceof viem.BlockNotFoundError) return undefined;
        throw nodeFaultOf('eth_getBlockByNumber', error);
      }
    },
    movements: (contracts, from, to) =>
      ask(`eth_getLogs for blocks ${from} to ${to}`, () => movementsIn(viem, client, contracts, from, to)),
    describe: async (contract, at) => {
      const address = viem.getAddress(contract);
      return askContract('the request for the state of a contract', () => describe(viem, client, address, at));
    },
    ownerOf: async (contract, token, at) => {
      const [address, abi] = [viem.getAddress(contract), viem.erc721Abi];
      return askContract('ownerOf', () =>
        client.readContract({ address, abi, functionName: 'ownerOf', args: [token], blockNumber: at }),
      );
    },
  };
}

type Viem = typeof import('viem');

function toBlock({ number, hash, timestamp }: { number: bigint; hash: string; timestamp: bigint }): Block {
  return { number, hash, madeAt: new Date(Number(timestamp) * 1000) };
}

async function movementsIn(
  viem: Viem,
  client: PublicClient,
  contracts: readonly string[],
  fromBlock: bigint,
  toBlock: bigint,
): Promise<Movement[]> {
  const events = viem.parseAbi([
    'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
    'event ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed fromAddress, address indexed toAddress)',
  ]);
  const address = contracts.map((contract) => viem.getAddress(contract));
  const logs = await client.getLogs({ address, events, fromBlock, toBlock, strict: true });
  const movements = logs.map((log) => {
    const { blockNumber, blockHash, transactionHash, logIndex } = log;
    const place = { contract: log.address.toLowerCase(), blockNumber, blockHash, transactionHash, logIndex };
    if (log.eventName === 'Transfer') {
      const { from, to, tokenId } = log.args;
      return { ...place, from, to, firstTokenId: tokenId, lastTokenId: tokenId };
    }
    const { fromAddress: from, toAddress: to, fromTokenId, toTokenId } = log.args;
    return { ...place, from, to, firstTokenId: fromTokenId, lastTokenId: toTokenId };
  });
  // A batch whose last id is smaller than its first moves nothing.
  return movements.filter(({ firstTokenId, lastTokenId }) => firstTokenId <= lastTokenId);
}

async function describe(viem: Viem, client: PublicClient, address: Address, at: bigint): Promise<Description> {
  const abi = viem.parseAbi([
    'function name() view returns (string)',
    'function symbol() view returns (string)',
    'function totalSupply() view returns (uint256)',
    'function supportsInterface(bytes4) view returns (bool)',
  ]);
  const contract = { address, abi, blockNumber: at };
  const [name, symbol, totalSupply, supported] = await Promise.all([
    client.readContract({ ...contract, functionName: 'name' }),
    client.readContract({ ...contract, functionName: 'symbol' }),
    client.readContract({ ...contract, functionName: 'totalSupply' }),
    client.readContract({ ...contract, functionName: 'supportsInterface', args: [erc721] }),
  ]);
  if (!supported) throw new viem.ContractFunctionZeroDataError({ functionName: 'supportsInterface' });
  return { name: plain(name), symbol: plain(symbol), totalSupply };
}

/** Makes untrusted text safe for PostgreSQL and for display. */
function plain(text: string): string {
  return text.replaceAll('\0', '').slice(0, 200);
}
