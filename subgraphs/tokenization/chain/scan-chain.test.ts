import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { getAddress } from 'viem';
import { fixedClock } from '../../../tests/kit/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Manager } from '../../../shared/database/manager.js';
import { openTestChain, chainMissing, type TestChain, type TestToken } from '../../../tests/kit/chain.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase, type TestDatabase } from '../../../tests/kit/database.js';
import { openFaultyNode, type FaultyNode } from '../../../tests/kit/faulty-node.js';
import { addEstate, addSeries } from '../../../tests/tokenization/series/kit.js';
import { openNode, type ChainNode } from './node.js';
import { registerCollection, rereadCollection } from './chain.acts.js';
import { scanChain } from './scan-chain.js';

const zero = `0x${'0'.repeat(40)}`;

if (chainMissing !== undefined) process.stderr.write(`Skipped, the chain is not read: ${chainMissing}\n`);

(chainMissing === undefined ? describe : describe.skip)('reading a chain', () => {
  let database: TestDatabase;
  let manager: Manager;
  let chain: TestChain;
  let node: FaultyNode;
  let reader: ChainNode;
  let context: Context;
  const clock = fixedClock('2026-11-20T15:00:00Z');
  let series = 0;
  let accounts: readonly [`0x${string}`, `0x${string}`, `0x${string}`];

  beforeAll(async () => {
    database = await openTestDatabase();
    ({ manager } = database.dataSource);
    context = testContext({ manager, clock });
  });
  afterAll(() => database.close());

  beforeEach(async () => {
    await database.asOwner(
      'TRUNCATE tokenization.collections, tokenization.chains, tokenization.chain_blocks, shared.outbox CASCADE',
    );
    chain = await openTestChain();
    const [first, second, third] = chain.accounts;
    if (first === undefined || second === undefined || third === undefined) throw new Error('Too few accounts');
    accounts = [first, second, third];
    node = await openFaultyNode(chain.url);
    reader = await openNode(node.url);
  });
  afterEach(async () => {
    await node.close();
    await chain.close();
  });

  const scan = (confirmations = 64) => scanChain(context, reader, { id: chain.id, confirmations });

  async function register(token: TestToken): Promise<string> {
    series += 1;
    const ticker = `TKN${series}`;
    await addSeries(manager, await addEstate(manager, `EST${series}`), ticker);
    const settings = { id: chain.id, network: 'Anvil', rpcUrl: undefined, explorerUrl: undefined, confirmations: 64 };
    await registerCollection(context, settings, {
      trancheTicker: ticker,
      address: token.address,
      deployedBlock: token.deployedBlock,
    });
    return ticker;
  }

  async function deployed() {
    const token = await chain.deploy(10);
    return { token, ticker: await register(token) };
  }

  /** Keeps the log of a mint of two back, so that a transfer of the first of them does not follow. */
  async function withGap() {
    const { token, ticker } = await deployed();
    await scan();
    await token.mint(accounts[1], 2);
    node.lie = (method) => (method === 'eth_getLogs' ? { result: [] } : undefined);
    await scan();
    node.lie = () => undefined;
    await token.transfer(accounts[1], accounts[2], 10);
    await scan();
    return { token, ticker };
  }

  interface Stored {
    name: string;
    symbol: string;
    supply: string;
    scanned: number;
    problem: string | null;
    gaps: number;
    ranges: string[];
    events: string[];
  }

  /** Returns the stored state of the contract of a series; addresses by the number of their account. */
  async function stored(ticker: string): Promise<Stored> {
    const [row]: Stored[] = await manager.query(
      `SELECT c.name, c.symbol, c.total_supply AS supply, c.scanned_block::int AS scanned, c.problem, c.gaps,
         (SELECT coalesce(array_agg(first_token_id || '-' || last_token_id || ' ' || owner ORDER BY first_token_id), '{}')
          FROM tokenization.token_ranges WHERE collection_id = c.id) AS ranges,
         (SELECT coalesce(array_agg(type || ' ' || first_token_id || '-' || last_token_id || ' ' || from_address || ' ' || to_address
            ORDER BY block_number, log_index), '{}') FROM tokenization.chain_events WHERE collection_id = c.id) AS events
       FROM tokenization.collections c JOIN tokenization.tranches t ON t.id = c.tranche_id WHERE t.ticker = $1`,
      [ticker],
    );
    if (row === undefined) throw new Error(`${ticker} has no contract`);
    const named = (text: string) =>
      accounts.reduce((all, account, index) => all.replaceAll(account, `#${index}`), text).replaceAll(zero, '-');
    return { ...row, ranges: row.ranges.map(named), events: row.events.map(named) };
  }

  test('finds mints, batches of ERC-2309, transfers and burns, and who owns what after them', async () => {
    const [owner, buyer, third] = accounts;
    const token = await chain.deploy(100);
    const ticker = await register(token);
    await token.transfer(owner, buyer, 40);
    await token.mint(third, 7);
    await token.burn(owner, 99);
    await scan();
    expect(await stored(ticker)).toMatchObject({
      name: 'Aurora 1',
      symbol: 'AURORA1',
      supply: '106',
      problem: null,
      gaps: 0,
      events: ['MINT 0-99 - #0', 'TRANSFER 40-40 #0 #1', 'MINT 100-106 - #2', 'BURN 99-99 #0 -'],
      ranges: ['0-39 #0', '40-40 #1', '41-98 #0', '100-106 #2'],
    });
  });

  test('a reorganisation takes back what it undid, and what came instead is read', async () => {
    const [owner, buyer, third] = accounts;
    const { token, ticker } = await deployed();
    await chain.mine(5);
    await token.transfer(owner, buyer, 3);
    await scan();
    const before = await stored(ticker);
    await token.mint(buyer, 5);
    await token.burn(owner, 9);
    await scan();
    expect((await stored(ticker)).supply).toBe('14');
    await chain.reorganise(2);
    await scan();
    expect(await stored(ticker)).toMatchObject({
      supply: '10',
      ranges: before.ranges,
      events: before.events,
      problem: null,
    });
    await token.mint(third, 2);
    await scan();
    expect(await stored(ticker)).toMatchObject({
      supply: '12',
      events: [...before.events, 'MINT 10-11 - #2'],
      ranges: [...before.ranges, '10-11 #2'],
      problem: null,
    });
  });

  test('a node that is behind contradicts nothing', async () => {
    const { token, ticker } = await deployed();
    await chain.mine(3);
    await scan();
    const before = await stored(ticker);
    const block = await chain.client.getBlock({ blockNumber: BigInt(token.deployedBlock) });
    node.lie = (method, [which]) => {
      if (method !== 'eth_getBlockByNumber' || typeof which !== 'string') return undefined;
      if (which === 'latest' || which === 'finalized') return { result: rpcBlock(block, block.hash) };
      return BigInt(which) > block.number ? { result: null } : undefined;
    };
    await scan();
    expect(await stored(ticker)).toEqual(before);
  });

  test('a node that contradicts what was final is not believed', async () => {
    const { ticker } = await deployed();
    await chain.mine(10);
    await scan();
    const before = await stored(ticker);
    const block = await chain.client.getBlock({ blockNumber: 1n });
    node.lie = (method, [which]) =>
      method === 'eth_getBlockByNumber' && which !== 'latest' && which !== 'finalized'
        ? { result: rpcBlock(block, `0x${'ab'.repeat(32)}`) }
        : undefined;
    await expect(scan()).rejects.toThrow(/contradicts block \d+ of chain 31337, which was already final/);
    node.lie = () => undefined;
    expect(await stored(ticker)).toEqual(before);
  });

  test('what is final is marked, by the word of the node or by the number of blocks upon it', async () => {
    const token = await chain.deploy(10);
    await register(token);
    await chain.mine(9);
    const finalBlock = () => manager.value('SELECT final_block::int FROM tokenization.chains');
    node.lie = (method, [which]) =>
      method === 'eth_getBlockByNumber' && which === 'finalized'
        ? { error: { code: -32602, message: 'unknown block tag' } }
        : undefined;
    const head = Number(await chain.client.getBlockNumber({ cacheTime: 0 }));
    await scan(6);
    expect(await finalBlock()).toBe(head - 6);
    node.lie = () => undefined;
    await scan(6);
    const { number } = await chain.client.getBlock({ blockTag: 'finalized' });
    expect(await finalBlock()).toBe(Number(number));
    expect(Number(number)).toBeGreaterThan(head - 6);
    await scan(9);
    expect(await finalBlock()).toBe(Number(number));
  });

  test('a node that bears few blocks at once is asked for few', async () => {
    const { token, ticker } = await deployed();
    await chain.mine(300);
    await token.mint(accounts[1], 1);
    node.lie = (method, [filter]) => {
      if (method !== 'eth_getLogs') return undefined;
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string };
      const blocks = Number(BigInt(toBlock) - BigInt(fromBlock)) + 1;
      return blocks > 50 ? { error: { code: -32005, message: 'query exceeds 50 blocks' } } : undefined;
    };
    await scan();
    expect(await stored(ticker)).toMatchObject({
      supply: '11',
      problem: null,
      events: ['MINT 0-9 - #0', 'MINT 10-10 - #1'],
    });
  });

  test('a node that is down leaves everything as it was, and its key out of what is said', async () => {
    const { token, ticker } = await deployed();
    await scan();
    const before = await stored(ticker);
    await token.mint(accounts[1], 1);
    node.lie = (method) => (method === 'eth_getLogs' ? 'hang up' : undefined);
    const apiError: unknown = await scan().catch((error: unknown) => error);
    expect(String(apiError)).toMatch(/The node did not respond to eth_getLogs/);
    expect(JSON.stringify(apiError, Object.getOwnPropertyNames(apiError))).not.toContain('key-of-ours');
    expect(await stored(ticker)).toEqual(before);
    node.lie = () => undefined;
    await scan();
    expect((await stored(ticker)).supply).toBe('11');
  });

  test('a node of another chain is refused', async () => {
    await register(await chain.deploy(10));
    node.lie = (method) => (method === 'eth_chainId' ? { result: '0x89' } : undefined);
    await expect(scan()).rejects.toThrow('The node serves chain 137, but CHAIN_ID is 31337');
  });

  test('without contracts no node is asked', async () => {
    await scan();
    expect(node.asked).toEqual([]);
  });

  test('a log that the node kept back is reported and corrected by nobody, until an operator has it read again', async () => {
    const { token, ticker } = await withGap();
    const different = await stored(ticker);
    expect(different.problem).toMatch(
      /totalSupply is 12, but according to the events there are 11 tokens; 1 movements do not follow/,
    );
    clock.advance(11 * 60_000);
    await scan();
    expect(await stored(ticker)).toEqual({ ...different, problem: different.problem });
    await rereadCollection(context, { address: token.address.toLowerCase(), chainId: undefined });
    await scan();
    expect(await stored(ticker)).toMatchObject({
      problem: null,
      gaps: 0,
      ranges: ['0-9 #0', '10-10 #2', '11-11 #1'],
    });
  });

  test('a reorganisation takes back movements that did not follow, and nothing of them counts twice', async () => {
    const { ticker } = await withGap();
    expect(await stored(ticker)).toMatchObject({ gaps: 1 });
    await chain.reorganise(1);
    await scan();
    expect(await stored(ticker)).toMatchObject({ problem: null, gaps: 0, ranges: ['0-9 #0', '10-11 #1'] });
  });

  test('an owner whom the contract does not know is reported', async () => {
    const token = await chain.deploy(1);
    const ticker = await register(token);
    await scan();
    await manager.query('UPDATE tokenization.token_ranges SET owner = $1', [accounts[2]]);
    clock.advance(11 * 60_000);
    await scan();
    expect((await stored(ticker)).problem).toContain(
      `token 0 belongs to ${accounts[0]}, but according to the events to ${accounts[2]}`,
    );
  });

  test('an address without a contract is reported', async () => {
    const ticker = await register({ ...(await chain.deploy()), address: accounts[2] });
    await scan();
    expect((await stored(ticker)).problem).toBe('The contract does not respond as an ERC-721A collection');
  });

  test('contracts that came at different times are read together in the end', async () => {
    const first = await chain.deploy(3);
    const one = await register(first);
    await chain.mine(20);
    await scan();
    const second = await chain.deploy(4);
    const other = await register(second);
    await first.mint(accounts[1], 1);
    await scan();
    const [left, right] = [await stored(one), await stored(other)];
    expect(left.scanned).toBe(right.scanned);
    expect([left.supply, right.supply]).toEqual(['4', '4']);
    node.asked.length = 0;
    await chain.mine(1);
    await scan();
    expect(node.asked.filter((method) => method === 'eth_getLogs')).toHaveLength(1);
  });

  test('a block that the node refuses stops the contracts it concerns, and no others', async () => {
    const [good, bad] = [await chain.deploy(3), await chain.deploy(4)];
    const [one, other] = [await register(good), await register(bad)];
    await scan();
    await bad.mint(accounts[1], 1);
    await good.mint(accounts[1], 1);
    const block = (await chain.client.getBlockNumber({ cacheTime: 0 })) - 1n;
    node.lie = (method, [filter]) => {
      if (method !== 'eth_getLogs') return undefined;
      const { address, fromBlock, toBlock } = filter as { address: string[]; fromBlock: string; toBlock: string };
      const concerned = address.some((one) => one.toLowerCase() === bad.address.toLowerCase());
      const within = BigInt(fromBlock) <= block && block <= BigInt(toBlock);
      return concerned && within ? { error: { code: -32005, message: 'too many results' } } : undefined;
    };
    await scan();
    expect(await stored(one)).toMatchObject({ supply: '4', problem: null });
    expect((await stored(other)).problem).toMatch(/^Block \d+ cannot be read: .*too many results/);
    node.lie = () => undefined;
    await scan();
    expect(await stored(other)).toMatchObject({ supply: '5', problem: null });
  });

  test('contracts that are nearly read do not wait for one that is far behind', async () => {
    const [first, second] = [await chain.deploy(3), await chain.deploy(4)];
    const one = await register(first);
    for (let hundreds = 0; hundreds < 21; hundreds++) await chain.mine(100);
    await scan();
    await register(second);
    await first.mint(accounts[1], 1);
    const head = Number(await chain.client.getBlockNumber({ cacheTime: 0 }));
    node.lie = (method, [filter]) =>
      method === 'eth_getLogs' && BigInt((filter as { fromBlock: string }).fromBlock) < 100n ? 'hang up' : undefined;
    await expect(scan()).rejects.toThrow('eth_getLogs');
    expect((await stored(one)).scanned).toBe(head);
  });

  test('a range is stored whole or not at all, and what was not is stored by the next run', async () => {
    const { token, ticker } = await deployed();
    await token.mint(accounts[1], 2);
    const stays = `ADD CONSTRAINT stays CHECK (scanned_block < ${String(token.deployedBlock)})`;
    await database.asOwner(`ALTER TABLE tokenization.collections ${stays}`);
    await expect(scan()).rejects.toThrow('stays');
    expect(await stored(ticker)).toMatchObject({ ranges: [], events: [] });
    await database.asOwner('ALTER TABLE tokenization.collections DROP CONSTRAINT stays');
    await scan();
    expect(await stored(ticker)).toMatchObject({ supply: '12', problem: null, gaps: 0 });
    expect((await stored(ticker)).events).toHaveLength(2);
  });

  test('two runs at once write everything once', async () => {
    const { token, ticker } = await deployed();
    for (let index = 0; index < 5; index++) await token.mint(accounts[1], 1);
    await Promise.all([scan(), scan(), scan()]);
    await scan();
    expect(await stored(ticker)).toMatchObject({ supply: '15', problem: null, gaps: 0 });
    expect((await stored(ticker)).events).toHaveLength(6);
  });

  test('whatever happens on the chain, reorganisations too, the owners are those of the contract', async () => {
    const who = fc.nat(2);
    const step = fc.oneof(
      {
        weight: 2,
        arbitrary: fc.record({ act: fc.constant('mint' as const), to: who, quantity: fc.integer({ min: 1, max: 4 }) }),
      },
      { weight: 4, arbitrary: fc.record({ act: fc.constant('transfer' as const), to: who, pick: fc.nat(99) }) },
      { weight: 1, arbitrary: fc.record({ act: fc.constant('burn' as const), pick: fc.nat(99) }) },
      { weight: 3, arbitrary: fc.record({ act: fc.constant('scan' as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({ act: fc.constant('reorganise' as const), depth: fc.integer({ min: 1, max: 2 }) }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
        const token = await chain.deploy(6);
        const ticker = await register(token);
        // The highest number of tokens there ever was, rollbacks included.
        let mostTokens = 6n;
        const held = async () => {
          const { number } = await reader.head();
          const owners = [];
          for (let id = 0n; id < mostTokens; id++) owners.push(await reader.ownerOf(token.address, id, number));
          const last = owners.findLastIndex((owner) => owner !== undefined);
          return owners.slice(0, last + 1).map((owner) => owner ?? null);
        };
        // Keeps the contract itself.
        await chain.mine(3);
        for (const one of steps) {
          const owned =
            'pick' in one ? (await held()).flatMap((owner, id) => (owner === null ? [] : [{ owner, id }])) : [];
          const picked = 'pick' in one ? owned[one.pick % owned.length] : undefined;
          const to = 'to' in one ? accounts[one.to] : undefined;
          if (one.act === 'scan') await scan();
          else if (one.act === 'reorganise') await chain.reorganise(one.depth);
          else if (one.act === 'mint' && to !== undefined) {
            mostTokens += BigInt(one.quantity);
            await token.mint(to, one.quantity);
          } else if (picked === undefined) continue;
          else if (one.act === 'burn') await token.burn(picked.owner as never, picked.id);
          else if (to !== undefined) await token.transfer(picked.owner as never, to, picked.id);
        }
        await scan();
        const rows: { first: number; last: number; owner: string }[] = await manager.query(
          `SELECT first_token_id::int AS first, last_token_id::int AS last, owner FROM tokenization.token_ranges r
           JOIN tokenization.collections c ON c.id = r.collection_id WHERE lower(c.address) = lower($1) ORDER BY 1`,
          [token.address],
        );
        const known: (string | null)[] = [];
        for (const { first, last, owner } of rows) {
          while (known.length < first) known.push(null);
          while (known.length <= last) known.push(owner);
        }
        expect(known).toEqual(await held());
        expect(await stored(ticker)).toMatchObject({ problem: null, gaps: 0 });
      }),
      { numRuns: 4, endOnFailure: true },
    );
  });

  test('what is learnt is announced once, with a number that grows', async () => {
    const { token, ticker } = await deployed();
    await scan();
    await scan();
    const announced = () =>
      manager.query('SELECT key, payload FROM shared.outbox WHERE topic = $1 ORDER BY position', [
        'tranche.chain_updated',
      ]);
    const [first, ...none] = (await announced()) as { key: string; payload: { revision: number } }[];
    expect(none).toEqual([]);
    expect(first).toMatchObject({
      key: ticker,
      payload: {
        trancheTicker: ticker,
        fromBlock: 0,
        contract: {
          address: getAddress(token.address),
          chainId: 31337,
          name: 'Aurora 1',
          totalSupply: '10',
          tokenQuantity: '1000',
        },
        events: [{ type: 'MINT', from: zero, to: accounts[0], tokenQuantity: '10', blockNumber: token.deployedBlock }],
      },
    });
    await token.burn(accounts[0], 0);
    await scan();
    const [, second] = (await announced()) as { payload: { revision: number } }[];
    expect(second).toMatchObject({
      payload: { contract: { totalSupply: '9' }, events: [{ type: 'BURN' }, { type: 'MINT' }] },
    });
    expect(second?.payload.revision).toBeGreaterThan(first?.payload.revision ?? Infinity);
  });
});

function rpcBlock(block: object, hash: string): unknown {
  return JSON.parse(
    JSON.stringify({ ...block, hash }, (_key, value: unknown) =>
      typeof value === 'bigint' || typeof value === 'number' ? `0x${value.toString(16)}` : value,
    ),
  );
}
