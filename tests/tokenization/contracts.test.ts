import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadDemoContracts } from '../../subgraphs/tokenization/chain/demo-contracts.js';
import { callerOf, type Caller } from '../accounts/http.js';
import { addOperation, addSeries as addIssuedSeries } from '../issuances/fixtures.js';
import { chainMissing, openTestChain, type TestChain } from '../kit/chain.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { newOperator } from '../kit/operator.js';
import { until } from '../kit/until.js';
import { addEstate, addSeries } from './series/kit.js';

type Fields = Record<string, unknown>;
type Key = Record<string, string>;

const plenty = { RATE_LIMIT_API_KEY: '100000', RATE_LIMIT_PUBLIC: '100000', RATE_LIMIT_ACCOUNTS: '100000' };

async function openKeys(platform: TestPlatform, caller: Caller) {
  const session = await caller.member('dev@casa.example');
  const { context } = platform.infrastructure;
  const text = `mutation ($scopes: [String!]!) { createDeveloperKey(name: "teste", scopes: $scopes) { key } }`;
  const keyFor = async (...scopes: string[]): Promise<Key> => {
    const { body } = await caller.graphql(text, { scopes }, session);
    return { 'x-api-key': (body as { data: { createDeveloperKey: { key: string } } }).data.createDeveloperKey.key };
  };
  return {
    reader: await keyFor('contracts:read'),
    hooks: await keyFor('webhooks:read'),
    operator: (await newOperator(context)).headers,
  };
}

describe('token contracts', () => {
  let platform: TestPlatform;
  let caller: Caller;
  let keys: Record<'reader' | 'hooks' | 'operator', Key>;

  beforeAll(async () => {
    platform = await openTestPlatform({ ...plenty, CHAIN_ID: '137', CHAIN_NETWORK: 'Polygon' });
    caller = callerOf(platform);
    keys = await openKeys(platform, caller);
    const { manager } = platform.infrastructure.context;
    const estate = await addEstate(manager, 'AURORA');
    for (const ticker of ['AURORA-SR1', 'aurora-mz1', 'AURORA-SUB']) await addSeries(manager, estate, ticker);
    await loadDemoContracts(platform.infrastructure.context);
    await addSeries(manager, estate, 'LATER');
  });
  afterAll(() => platform.close());

  const get = (path: string, key: Key = keys.reader) => caller.send('GET', path, undefined, key);

  async function firstAddress(): Promise<string> {
    const { body } = await get('/developer/contracts?limit=1');
    return (body as { items: { address: string }[] }).items[0]?.address ?? '';
  }

  test('are listed by ticker, page by page, with the fields that are documented', async () => {
    const whole = await get('/developer/contracts');
    expect(whole.status).toBe(200);
    const { items, count, ...rest } = whole.body as { items: Fields[]; count: number };
    expect([count, rest]).toEqual([3, {}]);
    expect(items.map(({ trancheTicker }) => trancheTicker)).toEqual(['aurora-mz1', 'AURORA-SR1', 'AURORA-SUB']);
    expect(items[1]).toEqual({
      address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      chainId: 137,
      network: 'Polygon',
      standard: 'ERC-721A',
      name: 'Série AURORA-SR1',
      symbol: 'AURORASR1',
      trancheTicker: 'AURORA-SR1',
      tokenQuantity: '1000',
      totalSupply: '900',
      deployedAt: expect.stringMatching(/Z$/),
      explorerUrl: expect.stringMatching(/^https:\/\/polygonscan\.com\/address\/0x/),
      readAt: expect.stringMatching(/Z$/),
    });
    const pages: unknown[] = [];
    for (let token: string | undefined = ''; token !== undefined;) {
      const query: string = token === '' ? '' : `&nextToken=${token}`;
      const { body } = await get(`/developer/contracts?limit=1${query}`);
      const page = body as { items: Fields[]; nextToken?: string };
      pages.push(...page.items);
      token = page.nextToken;
    }
    expect(pages).toEqual(items);
  });

  test('are shown with their events, newest first, page by page', async () => {
    const address = await firstAddress();
    const { status, body } = await get(`/developer/contracts/${address.toLowerCase()}`);
    expect(status).toBe(200);
    const { events, ...contract } = body as { events: Fields[]; nextToken?: string };
    expect(contract).toMatchObject({ address, trancheTicker: 'aurora-mz1' });
    expect(contract).not.toHaveProperty('nextToken');
    expect(
      events.map(({ type, tokenQuantity, tokenIds }) => [type, tokenQuantity, (tokenIds as string[]).length]),
    ).toEqual([
      ['TRANSFER', '1', 1],
      ['TRANSFER', '451', 100],
      ['MINT', '900', 100],
    ]);
    expect(events[0]).toMatchObject({ tokenIds: ['3'], firstTokenId: '3', lastTokenId: '3', final: true });
    const first = (await get(`/developer/contracts/${address}?limit=2`)).body as {
      events: Fields[];
      nextToken: string;
    };
    const second = await get(`/developer/contracts/${address}?limit=2&nextToken=${first.nextToken}`);
    const { events: rest, nextToken } = second.body as { events: Fields[]; nextToken?: string };
    expect([[...first.events, ...rest], nextToken]).toEqual([events, undefined]);
  });

  test('are for keys with the scope: without it 403 that names it, without a key 401', async () => {
    for (const path of ['/developer/contracts', `/developer/contracts/${await firstAddress()}`]) {
      expect(await get(path, keys.hooks)).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('contracts:read') },
      });
      expect((await get(path, {})).status).toBe(401);
    }
  });

  test('are shown to everyone with their series', async () => {
    const ask = (fields: string, key: Key) =>
      caller.graphql(`{ tranche(ticker: "AURORA-SR1") { collection { ${fields} } } }`, {}, key);
    expect((await ask('address totalSupply readAt final readBlock standard', {})).body).toMatchObject({
      data: {
        tranche: { collection: { totalSupply: '900', final: true, readBlock: '70900000', standard: 'ERC-721A' } },
      },
    });
  });

  describe('registering one', () => {
    const text = `mutation ($ticker: String!, $address: String!, $block: Int!) {
      registerCollection(trancheTicker: $ticker, address: $address, deployedBlock: $block) { address network name readAt }
    }`;
    const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
    const register = async (over: Fields = {}, key: Key = keys.operator) => {
      const { body } = await caller.graphql(text, { ticker: 'later', address, block: 5, ...over }, key);
      return body as { data: unknown; errors?: { extensions: { statusCode: number } }[] };
    };

    test('twice is the same answer; until it is read it says that it was not', async () => {
      const expected = { registerCollection: { address, network: 'Polygon', name: null, readAt: null } };
      expect((await register({ address: address.toLowerCase() })).data).toEqual(expected);
      expect((await register()).data).toEqual(expected);
    });

    test.each([
      ['another contract of the series', { address: `0x${'1'.repeat(40)}` }, 409],
      ['another block', { block: 6 }, 409],
      ['another series of the contract', { ticker: 'AURORA-SUB' }, 409],
      ['an unknown series', { ticker: 'NOBODY' }, 404],
      ['a wrong checksum', { address: address.replace('d8dA', 'd8da') }, 422],
      ['no address', { address: '0x12' }, 400],
      ['a block before the first', { block: -1 }, 400],
    ])('%s is refused', async (_name, over, status) => {
      expect((await register(over)).errors?.[0]?.extensions.statusCode).toBe(status);
    });
  });
});

if (chainMissing !== undefined) process.stderr.write(`Skipped, no chain feeds the documents: ${chainMissing}\n`);

(chainMissing === undefined ? describe : describe.skip)('a chain that feeds the documents', () => {
  let chain: TestChain;
  let platform: TestPlatform;

  beforeAll(async () => {
    chain = await openTestChain();
    platform = await openTestPlatform({
      ...plenty,
      CHAIN_RPC_URL: chain.url,
      CHAIN_ID: String(chain.id),
      CHAIN_NETWORK: 'Anvil',
      CHAIN_EXPLORER_URL: 'https://explorer.example/{address}',
    });
  });
  afterAll(async () => {
    await platform.close();
    await chain.close();
  });

  test('a contract that is registered is read by the job, and shown with its operation', async () => {
    const caller = callerOf(platform);
    const keys = await openKeys(platform, caller);
    const { manager } = platform.infrastructure.context;
    await addSeries(manager, await addEstate(manager, 'AURORA'), 'AURORA1S1');
    const operation = await addOperation(manager, 'CRI-AURORA');
    await addIssuedSeries(manager, operation, 1, { ticker: 'AURORA1S1' });
    const token = await chain.deploy(100);
    const registered = await caller.graphql(
      `mutation ($address: String!, $block: Int!) {
        registerCollection(trancheTicker: "AURORA1S1", address: $address, deployedBlock: $block) { explorerUrl }
      }`,
      { address: token.address, block: token.deployedBlock },
      keys.operator,
    );
    expect(registered.body).toMatchObject({
      data: {
        registerCollection: { explorerUrl: expect.stringMatching(/^https:\/\/explorer\.example\/0x/) },
      },
    });
    const session = await caller.member('reader@casa.example');
    const published = async () => {
      const { body } = await caller.graphql(
        `{ operationDetail(ticker: "CRI-AURORA") { blockchainCount
          blockchain { rede contratos { nome serie totalEmitido } atividade { tipo quantidade } } } }`,
        {},
        session,
      );
      return (body as { data: { operationDetail: { blockchainCount: number } } }).data.operationDetail;
    };
    const detail = await until('the contract', async () => {
      const found = await published();
      return found.blockchainCount > 0 && found;
    });
    expect(detail).toEqual({
      blockchainCount: 1,
      blockchain: {
        rede: 'Anvil',
        contratos: [{ nome: 'Aurora 1', serie: 'AURORA1S1', totalEmitido: '100' }],
        atividade: [{ tipo: 'MINT', quantidade: '100' }],
      },
    });
  });
});
