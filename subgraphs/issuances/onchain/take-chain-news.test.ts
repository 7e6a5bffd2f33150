import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../../shared/database/transaction.js';
import { announceAll } from '../../../shared/events/outbox/outbox.js';
import { createRelay } from '../../../shared/events/outbox/relay.js';
import { add, addOnchainContract, addOperation, addSeries } from '../../../tests/issuances/fixtures.js';
import { testContext } from '../../../tests/kit/context.js';
import { openTestDatabase } from '../../../tests/kit/database.js';
import { readStamp } from '../revision/revision.js';
import { takeChainNews } from './take-chain-news.js';

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const [zero, owner] = [`0x${'0'.repeat(40)}`, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'];
const hash = (digit: string) => `0x${digit.repeat(64)}`;

const minted = {
  transactionHash: hash('a'),
  logIndex: 0,
  blockNumber: 10,
  type: 'MINT',
  from: zero,
  to: owner,
  tokenQuantity: '100',
  occurredAt: '2026-11-20T12:00:00.000Z',
};
const burnt = { ...minted, transactionHash: hash('b'), blockNumber: 12, type: 'BURN', from: owner, to: zero };

function news(revision: number, change: object = {}, events: readonly object[] = [minted]) {
  return {
    trancheTicker: 'aurora1s1',
    revision,
    contract: {
      chainId: 137,
      network: 'Polygon',
      address,
      standard: 'ERC-721A',
      name: 'Aurora 1',
      symbol: 'AURORA1',
      tokenQuantity: '100000',
      totalSupply: '100',
      deployedAt: '2026-11-20T11:00:00.000Z',
      explorerUrl: null,
      ...change,
    },
    fromBlock: 0,
    events,
  };
}

const database = await openTestDatabase();
afterAll(() => database.close());
const { manager } = database.dataSource;
const context = testContext({ manager });
const operationId = await addOperation(manager, 'CRI-AURORA');
await addSeries(manager, operationId, 1, { ticker: 'AURORA1S1' });

describe('what a chain says of a contract', () => {
  beforeEach(() => database.asOwner('TRUNCATE issuances.onchain_contracts CASCADE'));

  async function tell(...payloads: object[]): Promise<void> {
    await inTransaction(context, (tx) =>
      announceAll(
        tx,
        payloads.map((payload) => ({ topic: 'tranche.chain_updated', key: 'AURORA1S1', payload })),
      ),
    );
    await createRelay(context, { consumers: [takeChainNews] }).drain();
  }

  const readRevision = async () => (await readStamp(context)).split(' ')[0];

  async function published() {
    const contracts: unknown = await manager.query(
      'SELECT operation_id AS operation, name, total_supply AS supply FROM issuances.onchain_contracts',
    );
    const events: { type: string }[] = await manager.query(
      'SELECT type FROM issuances.onchain_events ORDER BY occurred_at, block_number',
    );
    return { contracts, events: events.map(({ type }) => type), revision: await readRevision() };
  }

  test('is published with the operation of its series, and raises the revision', async () => {
    const before = await readRevision();
    await tell(news(1));
    expect(await published()).toEqual({
      contracts: [{ operation: operationId, name: 'Aurora 1', supply: '100' }],
      events: ['MINT'],
      revision: String(Number(before) + 1),
    });
  });

  test('changes nothing when it comes again, or late, or says the same', async () => {
    await tell(news(3, { totalSupply: '0' }, [burnt, minted]));
    const stands = await published();
    expect(stands.events).toEqual(['MINT', 'BURN']);
    await tell(news(3, { totalSupply: '0' }, [burnt, minted]));
    await tell(news(2));
    await tell(news(4, { totalSupply: '0' }, [burnt, minted]));
    expect(await published()).toEqual(stands);
  });

  test('that is said again outdoes what came between, however late that is', async () => {
    await tell(news(2));
    await tell(news(4));
    const stands = await published();
    await tell(news(3, { totalSupply: '0' }, [burnt, minted]));
    expect(await published()).toEqual(stands);
  });

  test('of several in one batch the newest stands, whatever their order', async () => {
    await tell(news(9, { totalSupply: '0' }, [burnt, minted]), news(8));
    expect((await published()).contracts).toMatchObject([{ supply: '0' }]);
  });

  test('takes back what a reorganisation took back, and leaves what is no business of the chain', async () => {
    await tell(news(1, {}, [burnt, minted]));
    const [contract]: { id: string }[] = await manager.query('SELECT id FROM issuances.onchain_contracts');
    await add(manager, 'onchain_events', {
      contract_id: contract?.id,
      transaction_hash: hash('c'),
      log_index: 0,
      block_number: 11,
      type: 'PAYMENT',
      occurred_at: '2026-11-20T12:00:00Z',
    });
    await tell(news(2, {}, [minted]));
    expect((await published()).events).toEqual(['MINT', 'PAYMENT']);
  });

  test('stands above what was imported of the same contract, whatever the case of its address', async () => {
    await addOnchainContract(manager, operationId, { address: address.toLowerCase(), name: 'Imported' });
    await tell(news(1));
    expect((await published()).contracts).toMatchObject([{ name: 'Aurora 1', supply: '100' }]);
  });

  test('is left alone when the series is not ours, or it is not understood; the others are not held up', async () => {
    const before = await published();
    await tell({ ...news(1), trancheTicker: 'ELSEWHERE' });
    expect(await published()).toEqual(before);
    await tell({ nonsense: true }, news(1));
    expect((await published()).contracts).toHaveLength(1);
  });
});
