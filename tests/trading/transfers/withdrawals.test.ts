import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { recordAudit } from '../../../shared/security/audit/record.js';
import type { Principal } from '../../../shared/kernel/context.js';
import { inTransaction } from '../../../shared/database/transaction.js';
import { oldestReadyWithdrawal } from '../../../subgraphs/trading/transfers/withdrawals/send-withdrawal.js';
import { dueWithdrawals } from '../../../subgraphs/trading/transfers/withdrawals/withdrawal.store.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { claimItems } from '../../../shared/work/queue/work-items.store.js';
import { newProfile, newTrader, walletOf } from '../kit.js';
import { streamedBalances } from '../streamed-balances.js';
import { newOperatorPrincipal, openTransfers, type Funded } from './kit.js';
import { statusOf, valueOf, type Outcome } from '../domain-kit.js';

const kit = await openTransfers();
afterAll(() => kit.close());
// Whatever a test did, the promises of the ledger hold.
afterEach(async () => {
  expect(await kit.discrepancies()).toEqual([]);
});

const mutation = `mutation ($asset: String!, $amount: Decimal!, $address: String!, $network: String, $name: String, $taxId: String,
    $selfCustody: Boolean, $profileId: ID, $synthetic: Boolean!) {
  withdraw(asset: $asset, amount: $amount, address: $address, network: $network, beneficiaryName: $name, beneficiaryTaxId: $taxId,
    selfCustody: $selfCustody, profileId: $profileId, synthetic: $synthetic) {
    withdrawalId: id asset amount fee address network status createdAt } }`;

interface Item {
  readonly withdrawalId: string;
  readonly status: string;
}

const evm = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const pix = { asset: 'BRL', amount: '100', address: 'maria@cliente.example' };
const send = ({ trader }: Pick<Funded, 'trader'>, over: Record<string, unknown> = {}): Promise<Outcome> =>
  kit.run(mutation, { ...pix, synthetic: false, ...over }, trader.principal);

/** Requests a withdrawal, of 100 BRL by PIX unless something else is said. */
const taken = (from: Pick<Funded, 'trader'>, over: Record<string, unknown> = {}) => valueOf<Item>(send(from, over));
const refusalOf = async (from: Pick<Funded, 'trader'>, over: Record<string, unknown> = {}) =>
  (await send(from, over)).error;

async function requested(over: Record<string, unknown> = {}, funds = '1000', currency = 'BRL') {
  const from = await kit.funded(funds, currency);
  return { ...from, id: (await taken(from, over)).withdrawalId };
}
const ted = { network: 'ted', address: '001/1234-5/123456-7' };
const eth = { asset: 'ETH', amount: '0.01', address: evm };
const olga = newOperatorPrincipal();
const operate = (text: string, variables: object, operator = olga) => kit.run(text, { ...variables }, operator);
const setLimit = (companyId: string, currency: string, daily: string) =>
  operate(
    `mutation ($companyId: ID!, $currency: String!, $daily: Decimal) {
      setWithdrawalLimit(companyId: $companyId, currency: $currency, daily: $daily) }`,
    { companyId, currency, daily },
  );
const requireList = (companyId: string) =>
  operate('mutation ($id: ID!) { requireWithdrawalList(companyId: $id, required: true) }', { id: companyId });
const halt = (currency: string) =>
  kit.rows(
    'INSERT INTO trading.currency_halts (currency, synthetic, reason, halted_at) VALUES ($1, false, $2, now())',
    [currency, 'test'],
  );
/** As long as custody is asked again and again. */
async function hours(rounds = 20) {
  for (let round = 0; round < rounds; round += 1) await kit.pass(700_000);
}
/** Custody says nothing for so many rounds, to whatever it is asked at these points, and responds again then. */
async function silenced(rounds: number, ...points: readonly ('send.before' | 'lookUp' | 'deposits')[]) {
  for (const point of points) kit.custody.failures.failNext(point, 10_000);
  await hours(rounds);
  for (const point of points) while (kit.custody.failures.takes(point));
}
const approval = (id: string, operator = newOperatorPrincipal()) =>
  operate('mutation ($id: ID!) { approveWithdrawal(id: $id) { status } }', { id }, operator);
const approve = (...asked: Parameters<typeof approval>) => statusOf(approval(...asked));
const reject = (id: string) =>
  operate(
    'mutation ($id: ID!) { rejectWithdrawal(id: $id, reason: "The client did not ask for it") { status } }',
    { id },
    newOperatorPrincipal(),
  );
const resolve = (id: string, outcome: string, transaction?: string, operator = olga) =>
  operate(
    `mutation ($id: ID!, $outcome: WithdrawalOutcome!, $transaction: String) {
      resolveWithdrawal(id: $id, outcome: $outcome, reason: "Asked the provider", transaction: $transaction) { status } }`,
    { id, outcome, transaction },
    operator,
  );

async function stateOf(id: string): Promise<string> {
  const [row] = await kit.rows<{ state: string }>('SELECT state FROM trading.withdrawals WHERE id = $1', [id]);
  return row?.state ?? 'none';
}

const sends = (id: string) =>
  kit.rows<{ amount: string }>('SELECT amount::text FROM trading.simulated_sends WHERE client_id = $1', [id]);
const journals = (id: string) =>
  kit.rows<{ cause: string }>('SELECT cause FROM trading.journals WHERE cause_id = $1 ORDER BY posted_at', [id]);
const events = (id: string) =>
  kit.rows<{ topic: string; payload: { ownerId: string; data: Record<string, unknown> } }>(
    'SELECT topic, payload FROM shared.outbox WHERE key = $1',
    [id],
  );

describe('a withdrawal', () => {
  test('sets amount and fee aside, is sent, and is complete with its confirmations', async () => {
    const from = await kit.funded('1000');
    const before = await kit.platform('CUSTODY');
    const fees = await kit.platform('FEES');
    const item = await taken(from, ted);
    const paid = { asset: 'BRL', amount: '100.00', fee: '8.50', network: 'ted' };
    expect(item).toMatchObject({ ...paid, address: ted.address, status: 'PENDING' });
    const setAside = { available: '891.50', locked: '108.50' };
    expect(await kit.balance(from.wallet)).toEqual(setAside);
    expect(await streamedBalances(kit.context.manager, from.wallet.id)).toEqual({ BRL: setAside });
    await kit.pass(0);
    expect(await stateOf(item.withdrawalId)).toBe('SENT');
    expect(await kit.platform('WITHDRAWALS_IN_TRANSIT')).toBe('-100');
    await kit.pass(10_000);
    expect(await stateOf(item.withdrawalId)).toBe('COMPLETED');
    const spent = { available: '891.50', locked: '0.00' };
    expect(await kit.balance(from.wallet)).toEqual(spent);
    expect(await streamedBalances(kit.context.manager, from.wallet.id)).toEqual({ BRL: spent });
    expect(await kit.platform('WITHDRAWALS_IN_TRANSIT')).toBe('0');
    expect(Number(await kit.platform('CUSTODY')) - Number(before)).toBe(100);
    expect(Number(await kit.platform('FEES')) - Number(fees)).toBe(8.5);
    const statement = `{ statement(currency: "BRL", from: "2020-01-01T00:00:00Z") { movements { cause network address transaction fee market } } }`;
    const to = { network: 'ted', address: ted.address, transaction: expect.any(String), market: null };
    const { movements } = await valueOf<{ movements: unknown[] }>(kit.run(statement, {}, from.trader.principal));
    expect(movements.slice(1)).toEqual([
      { ...to, cause: 'withdrawal.requested', fee: null },
      { ...to, cause: 'withdrawal.completed', fee: '8.50' },
    ]);
    expect(await events(item.withdrawalId)).toEqual([
      {
        topic: 'withdrawal.completed',
        payload: {
          ownerId: from.trader.companyId,
          data: expect.objectContaining({ ...paid, withdrawalId: item.withdrawalId, address: '***56-7' }),
        },
      },
    ]);
  });

  test.each([
    ['of a PIX key that is an e-mail no more than the end', {}, '***mple'],
    ['of a phone number no more than the end', { address: '+5511987654321' }, '***4321'],
    ['of a CPF no more than the end', { address: '52998224725' }, '***.***.*47-25'],
    ['of a CNPJ no more than the end', { address: '11222333000181' }, '**.***.***/**01-81'],
    ['of a random key no more than the end', { address: '123e4567-e89b-42d3-a456-426614174000' }, '***4000'],
    ['an address on a chain whole', { ...eth, network: 'ethereum' }, evm],
  ])('announces %s', async (_what, over: Record<string, unknown>, address) => {
    const { id, trader } = await requested(over, '1000', over['asset'] === undefined ? 'BRL' : 'ETH');
    await kit.settle();
    const [event] = await events(id);
    expect(event?.payload.data).toMatchObject({ network: over['network'] ?? 'pix', address });
    const known = await kit.run('{ withdrawals(first: 1) { nodes { address } } }', {}, trader.principal);
    expect(known.data['withdrawals']).toEqual({ nodes: [{ address: over['address'] ?? pix.address }] });
  });

  test('goes by the default network of its currency, to the canonical form of its address', async () => {
    const from = await kit.funded('1000', 'USDT');
    expect(await taken(from, { asset: 'USDT', amount: '20.5', address: evm.toLowerCase() })).toMatchObject({
      network: 'ethereum',
      address: evm,
      fee: '4.000000',
    });
  });

  test.each<[number, object, string[]]>([
    [400, { asset: 'DOGE' }, ['asset']],
    [400, { network: 'ethereum' }, ['network']],
    [400, { amount: '1.001' }, ['amount']],
    [400, { amount: '1.001', network: 'polygon', name: ' ' }, ['amount', 'network', 'beneficiaryName']],
    [400, { name: 'Maria\u200b' }, ['beneficiaryName']],
    [422, { address: 'nobody' }, ['address']],
    [422, { amount: '0.5' }, ['amount']],
    [422, { amount: '-5' }, ['amount']],
    [422, { amount: '0', address: 'x', taxId: '52998224726' }, ['amount', 'address', 'beneficiaryTaxId']],
    [422, { asset: 'USDT', amount: '10', address: evm.replace('5aA', '5AA') }, ['address']],
  ])('of a wrong form (400), or that cannot be (422), is refused for all its errors at once: %i %j', async (...row) => {
    const [statusCode, over, paths] = row;
    const error = await refusalOf(await kit.funded('1000'), { ...over });
    expect(error).toMatchObject({ code: statusCode === 400 ? 'BAD_REQUEST' : 'UNPROCESSABLE', statusCode });
    expect(error?.details?.map(({ path }) => path)).toEqual(paths);
  });

  const btc = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
  test.each([
    ['BRL', '100000000', pix.address],
    ['BRL', '0.01', pix.address],
    ['BTC', '999', btc],
    ['BTC', '0.00000001', btc],
    ['ETH', '5000', evm],
    ['USDT', '20', evm],
  ])(
    'of what the wallet cannot pay (%s %s) is CAAS_ORD_001, whatever the house and its rules say of it',
    async (asset, amount, address) => {
      const { trader } = await kit.funded('0');
      await setLimit(trader.companyId, asset, '0');
      await requireList(trader.companyId);
      await halt(asset);
      for (const house of ['run', 'runWithoutCustody'] as const)
        for (const synthetic of [false, true])
          expect(
            (await kit[house](mutation, { asset, amount, address, synthetic }, trader.principal)).error,
          ).toMatchObject({ statusCode: 400, catalogue: 'CAAS_ORD_001' });
      await kit.rows('DELETE FROM trading.currency_halts');
    },
  );

  test('above the bound of the travel rule names its beneficiary, unless the address is on the list of the company', async () => {
    const from = await kit.funded('10', 'BTC');
    const [listed, named] = ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'];
    const large = { asset: 'BTC', amount: '0.05' };
    const error = await refusalOf(from, { ...large, address: listed });
    expect(error).toMatchObject({ statusCode: 422 });
    expect(error?.details?.map(({ path }) => path)).toEqual(['beneficiaryName', 'beneficiaryTaxId', 'selfCustody']);
    const add = `mutation ($address: String!, $name: String, $taxId: String, $own: Boolean) {
      addWithdrawalAddress(network: "bitcoin", address: $address, label: "Cofre", ownerName: $name, ownerTaxId: $taxId, selfCustody: $own) {
        ownerName ownerTaxId selfCustody } }`;
    const company = { ownerName: 'Corretora Teste', ownerTaxId: null, selfCustody: null };
    const person = { ownerName: 'Maria', ownerTaxId: '52998224725', selfCustody: true };
    const added = (given: object) => kit.run(add, { ...given }, from.trader.principal);
    expect(await valueOf(added({ address: listed }))).toEqual(company);
    const given = { name: 'Maria', taxId: '52998224725', own: true };
    expect(await valueOf(added({ address: named, ...given }))).toEqual(person);
    const other = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
    expect((await added({ address: other, taxId: '52998224726' })).error?.details).toMatchObject([
      { path: 'ownerTaxId' },
    ]);
    await taken(from, { ...large, address: listed });
    await taken(from, { ...large, address: named });
    const list =
      '{ transferWithdrawals(first: 2) { nodes { ownerName: beneficiaryName ownerTaxId: beneficiaryTaxId selfCustody } } }';
    expect(await valueOf(operate(list, {}))).toEqual({ nodes: [person, company] });
  });

  test('to an address from which nothing comes back, or of the house, is refused, as is its place on the list', async () => {
    const from = await kit.funded('0');
    const other = await kit.funded('0');
    const depositAddress = async (currency: string, synthetic: boolean) => {
      const text = `query ($currency: String!, $synthetic: Boolean!) { fetchDepositAddress(currency: $currency, synthetic: $synthetic) { addresses { network address } } }`;
      const { data } = await kit.run(text, { currency, synthetic }, other.trader.principal);
      return (data['fetchDepositAddress'] as { addresses: { network: string; address: string }[] }).addresses;
    };
    const [ethereum] = await depositAddress('ETH', false);
    const destinations = [
      ['USDT', 'polygon', '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'ADDRESS_LOST'],
      ['ETH', 'ethereum', '0x000000000000000000000000000000000000dEaD', 'ADDRESS_LOST'],
      ['BTC', 'bitcoin', '1BitcoinEaterAddressDontSendf59kuE', 'ADDRESS_LOST'],
      ['USDT', 'polygon', ethereum?.address ?? '', 'ADDRESS_OF_HOUSE'],
    ];
    for (const synthetic of [false, true])
      for (const currency of ['BTC', 'BRL'])
        for (const { network, address } of await depositAddress(currency, synthetic))
          for (const spelled of network === 'ted' ? [address, address.replace('/0001/', '/0001-0/000')] : [address])
            destinations.push([currency, network, spelled, 'ADDRESS_OF_HOUSE']);
    const add = `mutation ($network: String!, $address: String!) { addWithdrawalAddress(network: $network, address: $address, label: "x") { id } }`;
    for (const [asset, network, address, rule] of destinations)
      for (const { error } of [
        await send(from, { asset, network, address, amount: '10' }),
        await kit.run(add, { network, address }, from.trader.principal),
      ]) {
        expect(error).toMatchObject({ statusCode: 422 });
        expect(error?.details?.map((one) => [one.path, one.rule])).toEqual([['address', rule]]);
      }
  });

  test.each(['companies', 'profiles'])(
    'of who is suspended (%s) is refused, and what did not leave yet waits',
    async (owners) => {
      const { trader } = await kit.funded('0');
      const profile = await newProfile(trader);
      await kit.credit(await walletOf(trader, profile.id), '1000');
      const over = { profileId: profile.id };
      const suspend = (is: boolean) =>
        owners === 'companies'
          ? kit.rows('UPDATE trading.companies SET status = $2 WHERE id = $1', [
              trader.companyId,
              is ? 'SUSPENDED' : 'ACTIVE',
            ])
          : kit.rows('UPDATE trading.profiles SET suspended_by = $2 WHERE id = $1', [
              profile.id,
              is ? 'OPERATOR' : null,
            ]);
      const sent = await taken({ trader }, over);
      await kit.pass(0);
      const ready = await taken({ trader }, over);
      await suspend(true);
      expect(await statusOf(send({ trader }, over))).toBe(403);
      await kit.settle();
      expect([await stateOf(sent.withdrawalId), await stateOf(ready.withdrawalId)]).toEqual(['COMPLETED', 'READY']);
      expect(await sends(ready.withdrawalId)).toEqual([]);
      await suspend(false);
      await kit.settle();
      expect(await stateOf(ready.withdrawalId)).toBe('COMPLETED');
    },
  );

  test('of a halted currency waits: nothing new is taken, and nothing is begun', async () => {
    const { id: withdrawalId, ...from } = await requested(eth, '1000', 'ETH');
    await halt('ETH');
    await kit.pass(1_000);
    expect(await stateOf(withdrawalId)).toBe('READY');
    expect(await statusOf(send(from, eth))).toBe(503);
    await kit.rows(`DELETE FROM trading.currency_halts WHERE currency = 'ETH'`);
    await kit.settle();
    expect(await stateOf(withdrawalId)).toBe('COMPLETED');
  });

  test('needs the scope `withdraw`', async () => {
    const trader = await newTrader(kit.context, { scopes: ['read', 'trade'] });
    expect(await statusOf(send({ trader }))).toBe(403);
  });

  test('of a synthetic wallet goes the same way, and touches nothing real', async () => {
    const trader = await newTrader(kit.context);
    const wallet = await walletOf(trader, undefined, true);
    await kit.credit(wallet, '500000');
    const [custody, transit] = [await kit.platform('CUSTODY'), await kit.platform('WITHDRAWALS_IN_TRANSIT')];
    // More than any real one could be without approval.
    const { withdrawalId } = await taken({ trader }, { amount: '400000', synthetic: true });
    await kit.settle();
    expect(await stateOf(withdrawalId)).toBe('COMPLETED');
    expect(await kit.balance(wallet)).toEqual({ available: '100000.00', locked: '0.00' });
    expect([await kit.platform('CUSTODY'), await kit.platform('WITHDRAWALS_IN_TRANSIT')]).toEqual([custody, transit]);
    expect(await events(withdrawalId)).toEqual([]);
  });
});

describe('at the same time', () => {
  test('as many of 20 withdrawals are taken as there are funds, and no more', async () => {
    const from = await kit.funded('1000');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send(from, { amount: '150' })));
    const refused = outcomes.flatMap(({ error }) => error ?? []);
    expect(refused).toHaveLength(14);
    expect(new Set(refused.map(({ catalogue }) => catalogue))).toEqual(new Set(['CAAS_ORD_001']));
    expect(await kit.balance(from.wallet)).toEqual({ available: '100.00', locked: '900.00' });
    const engines = Array.from({ length: 3 }, () => kit.openEngine());
    await Promise.all(engines.map((engine) => engine.drain()));
    await kit.settle();
    expect(await kit.balance(from.wallet)).toEqual({ available: '100.00', locked: '0.00' });
    const sent = await kit.rows<{ count: number }>(
      `SELECT count(*)::integer AS count FROM trading.simulated_sends
       WHERE client_id IN (SELECT id FROM trading.withdrawals WHERE wallet_id = $1 AND state = 'COMPLETED')`,
      [from.wallet.id],
    );
    expect(sent).toEqual([{ count: 6 }]);
  });

  test('withdrawals of a company never exceed its limit of a day together', async () => {
    const from = await kit.funded('1000');
    await setLimit(from.trader.companyId, 'BRL', '250');
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => send(from)));
    expect(outcomes.filter(({ error }) => error === undefined)).toHaveLength(2);
    expect(outcomes.flatMap(({ error }) => error?.statusCode ?? [])).toEqual(Array(6).fill(422));
    const terms = `{ withdrawalTerms(currency: "BRL") { networks { network fee minimum } limit limitLeft unapprovedLeftBrl } }`;
    expect(await valueOf(kit.run(terms, {}, from.trader.principal))).toEqual({
      networks: [
        { network: 'pix', fee: '0.00', minimum: '1.00' },
        { network: 'ted', fee: '8.50', minimum: '10.00' },
      ],
      limit: '250.00',
      limitLeft: '50.00',
      unapprovedLeftBrl: expect.stringMatching(/^\d+\.\d\d$/),
    });
    await kit.pass(24 * 3_600_000);
    expect(await statusOf(send(from))).toBeUndefined();
  });
});

describe('an order that custody does not acknowledge', () => {
  // What other tests left to be sent would meet the failure.
  beforeEach(() => kit.settle());

  test('and that it took is looked up, and never sent twice', async () => {
    const { id: withdrawalId, ...from } = await requested();
    kit.custody.failures.failNext('send.after');
    await kit.pass(0);
    expect(await stateOf(withdrawalId)).toBe('SENDING');
    expect(await kit.balance(from.wallet)).toEqual({ available: '900.00', locked: '100.00' });
    await kit.settle();
    expect(await stateOf(withdrawalId)).toBe('COMPLETED');
    expect(await sends(withdrawalId)).toHaveLength(1);
    expect((await journals(withdrawalId)).map(({ cause }) => cause)).toEqual([
      'withdrawal.requested',
      'withdrawal.sent',
      'withdrawal.completed',
    ]);
  });

  test('and that never reached it is sent once it was looked up', async () => {
    const { id: withdrawalId } = await requested();
    kit.custody.failures.failNext('send.before');
    await kit.pass(0);
    expect(await sends(withdrawalId)).toEqual([]);
    kit.custody.failures.failNext('lookUp', 2);
    await kit.settle();
    expect(await stateOf(withdrawalId)).toBe('COMPLETED');
    expect(await sends(withdrawalId)).toHaveLength(1);
  });

  test.each(['before it was sent', 'after custody had it'] as const)(
    'since the program ended %s is not lost and not sent twice',
    async (moment) => {
      const { id: withdrawalId, ...from } = await requested();
      // The program that claimed it ends there: nothing but what was committed is left of it.
      const claim = { lease: newId(), leaseMs: 30_000, limit: 1 };
      const [claimed] = await claimItems(kit.context, dueWithdrawals([false]), claim);
      expect(claimed).toMatchObject({ id: withdrawalId, state: 'SENDING', isFirst: true });
      if (moment === 'after custody had it') {
        const { currency, network, address, amount } = pixOrder;
        await kit.custody.send(kit.context, { clientId: withdrawalId, currency, network, address, amount });
      }
      await kit.pass(1_000);
      expect(await stateOf(withdrawalId)).toBe('SENDING');
      await kit.settle();
      expect(await stateOf(withdrawalId)).toBe('COMPLETED');
      expect(await sends(withdrawalId)).toHaveLength(1);
      expect(await kit.balance(from.wallet)).toEqual({ available: '900.00', locked: '0.00' });
    },
  );

  test('and that is ready while no custody is connected stays so: it is reported, can be rejected, and leaves once there is one', async () => {
    const from = await kit.funded('1000');
    const [kept, rejected] = [await taken(from), await taken(from)];
    const synthetic = await newTrader(kit.context);
    await kit.credit(await walletOf(synthetic, undefined, true), '1000');
    const unconnected = kit.unconnected.openEngine(kit.context);
    const simulated = await taken({ trader: synthetic }, { synthetic: true });
    for (let round = 0; round < 20; round += 1) {
      kit.ahead(700_000);
      await unconnected.drain();
    }
    expect([await stateOf(kept.withdrawalId), await stateOf(rejected.withdrawalId)]).toEqual(['READY', 'READY']);
    expect(await stateOf(simulated.withdrawalId)).toBe('COMPLETED');
    const listed = kit.runWithoutCustody('{ transferWithdrawals(state: READY) { nodes { id attempts } } }', {}, olga);
    expect(await valueOf(listed)).toEqual({
      nodes: [rejected, kept].map(({ withdrawalId: id }) => ({ id, attempts: 0 })),
    });
    expect(await oldestReadyWithdrawal.read(kit.context)).toBeGreaterThanOrEqual(20 * 700);
    const told: unknown[] = [];
    const log = { ...kit.context.log, error: (entry: unknown) => told.push(entry) } as unknown as Logger;
    for (const { jobs } of [kit.unconnected, kit.connected])
      for (const job of jobs) await job.run({ ...kit.context, log });
    expect(told).toEqual([{ count: 2, oldestSeconds: expect.any(Number) }]);
    const text = 'mutation ($id: ID!) { rejectWithdrawal(id: $id, reason: "No custody") { status } }';
    const back = kit.runWithoutCustody(text, { id: rejected.withdrawalId }, olga);
    expect(await valueOf(back)).toEqual({ status: 'FAILED' });
    expect(await kit.balance(from.wallet)).toEqual({ available: '900.00', locked: '100.00' });
    await kit.settle();
    expect(await stateOf(kept.withdrawalId)).toBe('COMPLETED');
    expect(await sends(kept.withdrawalId)).toHaveLength(1);
    expect(await oldestReadyWithdrawal.read(kit.context)).toBe(0);
    await unconnected.stop();
  });

  test('and that custody never says anything of waits for an operator, with its funds set aside', async () => {
    const from = await kit.funded('1000');
    const [{ withdrawalId: lost }, { withdrawalId: found }] = [await taken(from), await taken(from)];
    await silenced(20, 'send.before', 'lookUp');
    expect([await stateOf(lost), await stateOf(found)]).toEqual(['QUARANTINED', 'QUARANTINED']);
    expect(await kit.balance(from.wallet)).toEqual({ available: '800.00', locked: '200.00' });
    expect(await valueOf(resolve(lost, 'FAILED'))).toEqual({ status: 'FAILED' });
    expect(await statusOf(resolve(lost, 'FAILED'))).toBe(409);
    expect(await statusOf(resolve(found, 'SENT'))).toBe(400);
    await kit.custody.send(kit.context, { clientId: found, ...pixOrder });
    await resolve(found, 'SENT', 'abc');
    await kit.settle();
    expect(await stateOf(found)).toBe('COMPLETED');
    expect(await kit.balance(from.wallet)).toEqual({ available: '900.00', locked: '0.00' });
  });

  test('and others that are on their way wait for a custody that is away for hours, and go on when it is back', async () => {
    const from = await kit.funded('1000');
    const sent = await taken(from);
    await kit.pass(0);
    const sending = await taken(from);
    await silenced(30, 'send.before', 'lookUp', 'deposits');
    expect([await stateOf(sent.withdrawalId), await stateOf(sending.withdrawalId)]).toEqual(['SENT', 'SENDING']);
    await kit.pass(700_000);
    await kit.settle();
    expect([await stateOf(sent.withdrawalId), await stateOf(sending.withdrawalId)]).toEqual(['COMPLETED', 'COMPLETED']);
    expect(await kit.balance(from.wallet)).toEqual({ available: '800.00', locked: '0.00' });
  });

  test.each([
    ['CONFIRMED', 'COMPLETED', '900.00'],
    ['RETURNED', 'FAILED', '1000.00'],
    ['FAILED', 'FAILED', '1000.00'],
  ])('and that was sent by hand is an operator’s again, who says that it is %s', async (outcome, state, available) => {
    const { id, ...from } = await requested();
    await silenced(20, 'send.before', 'lookUp');
    await resolve(id, 'SENT', 'by-hand');
    expect(await statusOf(resolve(id, outcome))).toBe(409);
    await hours();
    expect(await stateOf(id)).toBe('UNCONFIRMED');
    expect(await sends(id)).toEqual([]);
    expect(await statusOf(resolve(id, outcome))).toBeUndefined();
    expect(await stateOf(id)).toBe(state);
    expect(await kit.balance(from.wallet)).toEqual({ available, locked: '0.00' });
    expect(await kit.platform('WITHDRAWALS_IN_TRANSIT')).toBe('0');
    expect(await events(id)).toHaveLength(state === 'COMPLETED' ? 1 : 0);
    expect(await kit.rows('SELECT FROM shared.audit_log WHERE subject_id = $1', [id])).toHaveLength(2);
  });

  const cameBack = (id: string, operator = newOperatorPrincipal()) => resolve(id, 'RETURNED', undefined, operator);
  const cameBackTwice = async (id: string) => {
    for (let times = 0; times < 2; times += 1) await cameBack(id);
  };
  const arrived = async (over: Record<string, unknown> = {}) => {
    const one = await requested(over);
    await kit.settle();
    expect(await stateOf(one.id)).toBe('COMPLETED');
    return one;
  };

  test('and that comes back after it had arrived is given back with its fee by two operators, once', async () => {
    const before = [await kit.platform('CUSTODY'), await kit.platform('FEES')];
    const { id, trader, wallet } = await arrived(ted);
    for (const outcome of ['SENT', 'CONFIRMED', 'FAILED']) expect(await statusOf(resolve(id, outcome, 'x'))).toBe(409);
    expect(await valueOf(cameBack(id, olga))).toEqual({ status: 'COMPLETED' });
    await kit.settle();
    expect(await kit.balance(wallet)).toEqual({ available: '891.50', locked: '0.00' });
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => cameBack(id)));
    expect(outcomes.flatMap(({ error }) => error?.statusCode ?? [])).toEqual([409, 409, 409]);
    const back = { available: '1000.00', locked: '0.00' };
    expect(await kit.balance(wallet)).toEqual(back);
    expect(await streamedBalances(kit.context.manager, wallet.id)).toEqual({ BRL: back });
    // The test gave the wallet its funds in custody.
    expect([new Decimal(await kit.platform('CUSTODY')).plus(1000).toFixed(), await kit.platform('FEES')]).toEqual(
      before,
    );
    expect(await kit.platform('WITHDRAWALS_IN_TRANSIT')).toBe('0');
    const list = '{ withdrawals { nodes { status failure completedAt } } }';
    expect((await kit.run(list, {}, trader.principal)).data['withdrawals']).toEqual({
      nodes: [{ status: 'FAILED', failure: 'Asked the provider', completedAt: null }],
    });
    const entries = await kit.rows('SELECT before, after FROM shared.audit_log WHERE subject_id = $1 ORDER BY id', [
      id,
    ]);
    const completed = { state: 'COMPLETED', completedAt: expect.any(String) };
    expect(entries).toEqual([
      { before: completed, after: { state: 'COMPLETED', reason: 'Asked the provider' } },
      { before: completed, after: { state: 'FAILED', reason: 'Asked the provider' } },
    ]);
  });

  test('is not given back by one operator, however often and by whatever key, nor by the program', async () => {
    const { id, wallet } = await arrived();
    const keys = [olga, { ...olga, id: newId() }, olga, { ...olga, id: newId() }];
    const outcomes = await Promise.all(keys.map((key) => cameBack(id, key)));
    expect(outcomes.flatMap(({ error }) => error?.statusCode ?? [])).toEqual([409, 409, 409]);
    expect(await statusOf(cameBack(id, kit.context.principal))).toBe(403);
    await kit.settle();
    expect(await stateOf(id)).toBe('COMPLETED');
    expect(await kit.balance(wallet)).toEqual({ available: '900.00', locked: '0.00' });
    const list = '{ transferWithdrawals(returnReported: true, first: 1) { nodes { id returnReports } } }';
    expect(await valueOf(operate(list, {}))).toEqual({ nodes: [{ id, returnReports: 1 }] });
  });

  test('is given back where two operators say so at once, once', async () => {
    const { id, wallet } = await arrived();
    const outcomes = await Promise.all([cameBack(id), cameBack(id)]);
    expect(outcomes.map(({ data }) => data['resolveWithdrawal'])).toEqual(
      expect.arrayContaining([{ status: 'COMPLETED' }, { status: 'FAILED' }]),
    );
    expect(await kit.balance(wallet)).toEqual({ available: '1000.00', locked: '0.00' });
  });

  test('is given back where one operator and custody say so', async () => {
    const { id, wallet } = await arrived();
    await kit.rows(`UPDATE trading.simulated_sends SET returned = 'The bank sent it back' WHERE client_id = $1`, [id]);
    kit.custody.failures.failNext('lookUp');
    await cameBack(id);
    await kit.settle();
    expect(await stateOf(id)).toBe('FAILED');
    expect(await kit.balance(wallet)).toEqual({ available: '1000.00', locked: '0.00' });
    expect(await statusOf(cameBack(id))).toBe(409);
  });

  test('counts in every limit of its 24 hours though it came back', async () => {
    const { id, trader } = await arrived();
    await setLimit(trader.companyId, 'BRL', '150');
    await cameBackTwice(id);
    expect(await stateOf(id)).toBe('FAILED');
    expect(await statusOf(send({ trader }))).toBe(422);
    expect(await statusOf(send({ trader }, { amount: '50' }))).toBeUndefined();
    const large = await kit.funded('400000');
    const { withdrawalId } = await taken(large, { amount: '60000' });
    await kit.settle();
    await cameBackTwice(withdrawalId);
    expect(await stateOf((await taken(large, { amount: '60000' })).withdrawalId)).toBe('AWAITING_APPROVAL');
  });

  const findingsOf = async (currency: string) => {
    const found = operate('mutation { reconcileLedger { id invariant currency synthetic expected actual } }', {});
    return (await valueOf<{ id: string; currency: string }[]>(found)).filter((one) => one.currency === currency);
  };

  test('is a finding where it is said to have come back, and custody has not got it', async () => {
    // Others have given BRL back without custody.
    const check = () => findingsOf('ETH');
    const from = await kit.funded('2', 'ETH');
    const { withdrawalId: id } = await taken(from, { ...eth, amount: '0.2' });
    await kit.settle();
    const waiting = await taken(from, { ...eth, amount: '0.2' });
    expect(await check()).toEqual([]);
    await cameBackTwice(id);
    const held = new Decimal(await kit.platform('CUSTODY', 'ETH')).negated();
    const finding = { invariant: 'CUSTODY_BALANCE', currency: 'ETH', synthetic: false, expected: held.toFixed() };
    const found = await check();
    expect(found).toEqual([{ ...finding, id: expect.any(String), actual: held.minus('0.2').toFixed() }]);
    // Nothing is halted: it may be funds that were moved by hand.
    await kit.settle();
    expect(await stateOf(waiting.withdrawalId)).toBe('COMPLETED');
    await kit.rows(`UPDATE trading.simulated_sends SET returned = 'The bank sent it back' WHERE client_id = $1`, [id]);
    const end = `mutation ($id: ID!) { resolveReconciliationFinding(id: $id, reason: "It came later") { id } }`;
    await operate(end, { id: found[0]?.id });
    expect(await check()).toEqual([]);
  });

  test('is no finding at any point of its way, nor is a deposit', async () => {
    const check = () => findingsOf('BTC');
    const trader = await newTrader(kit.context);
    const address = `{ fetchDepositAddress(currency: "BTC") { addresses { address } } }`;
    const given = kit.run(address, {}, trader.principal);
    const [to] = (await valueOf<{ addresses: { address: string }[] }>(given)).addresses;
    const deposit = { currency: 'BTC', network: 'bitcoin', address: to?.address ?? '', amount: '1.000000001' };
    const transaction = await inTransaction(kit.context, (tx) => kit.custody.receive(tx, deposit));
    const inCustody = (act: 'reorganise' | 'include') =>
      inTransaction(kit.context, (tx) => kit.custody[act](tx, transaction));
    const [pass, settle] = [() => kit.pass(0), () => kit.settle()];
    const steps = [pass, settle, () => inCustody('reorganise'), settle, () => inCustody('include'), pass, settle];
    for (const step of steps) {
      expect(await check()).toEqual([]);
      await step();
    }
    const btc = { asset: 'BTC', amount: '0.005', address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' };
    for (const point of ['send.after', 'send.before', 'send.return', 'send.refuse'] as const) {
      await taken({ trader }, btc);
      kit.custody.failures.failNext(point);
      for (let round = 0; round < 5; round += 1) {
        expect(await check()).toEqual([]);
        await kit.pass(2_000 * round);
      }
      await kit.settle();
      expect(await check()).toEqual([]);
    }
    // The client has spent what its network takes back: it is owed, and custody has none of it.
    await inCustody('reorganise');
    await kit.settle();
    expect(await check()).toEqual([]);
  });

  test.each(['send.refuse', 'send.return'] as const)(
    'as it fails (%s) gives amount and fee back, once',
    async (point) => {
      const { id: withdrawalId, ...from } = await requested(ted);
      kit.custody.failures.failNext(point);
      await kit.settle();
      expect(await stateOf(withdrawalId)).toBe('FAILED');
      expect(await kit.balance(from.wallet)).toEqual({ available: '1000.00', locked: '0.00' });
      expect(await kit.platform('WITHDRAWALS_IN_TRANSIT')).toBe('0');
      expect((await journals(withdrawalId)).filter(({ cause }) => cause === 'withdrawal.returned')).toHaveLength(1);
      const hold = 'SELECT trim_scale(remaining)::text AS remaining FROM trading.holds WHERE id = $1';
      expect(await kit.rows(hold, [withdrawalId])).toEqual([{ remaining: '0' }]);
      expect(await events(withdrawalId)).toEqual([]);
    },
  );
});

const pixOrder = { currency: 'BRL', network: 'pix', address: pix.address, amount: '100' };

describe('four eyes', () => {
  const large = async () => {
    const { id, ...from } = await requested({ amount: '150000' }, '200000');
    return { id, from };
  };
  /** A credential that an operator issued to a company with funds, and a large withdrawal that it requested. */
  const byCredentialOf = async (issuer: Principal) => {
    const { trader } = await kit.funded('200000');
    const issue = `mutation ($id: ID!) { addTradingCredential(companyId: $id, scopes: ["withdraw"]) { id } }`;
    const { id } = await valueOf<{ id: string }>(operate(issue, { id: trader.companyId }, issuer));
    const principal = { ...trader.principal, id, scopes: ['withdraw'] } as const;
    return (await taken({ trader: { ...trader, principal } }, { amount: '150000' })).withdrawalId;
  };

  test('a large withdrawal is sent once two different operators approved it, none of them twice, however often at once', async () => {
    const { id } = await large();
    await kit.pass(60_000);
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
    const statuses = await Promise.all(Array.from({ length: 10 }, () => approve(id, olga)));
    expect(statuses.filter((status) => status === undefined)).toHaveLength(1);
    expect(await approve(id, { ...olga, id: newId() })).toBe(409);
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
    expect(await valueOf(approval(id))).toEqual({ status: 'PENDING' });
    await kit.settle();
    expect(await stateOf(id)).toBe('COMPLETED');
    expect(await approve(id)).toBe(409);
  });

  test('the company sees how many approvals it has, and the operator whose it is and what went there before', async () => {
    const { id, from } = await large();
    const own = `query ($id: ID!) { withdrawal(id: $id) { approvals approvalsNeeded } }`;
    const desk = `{ transferWithdrawals(state: AWAITING_APPROVAL, first: 100) { nodes { id background { companyName profileName earlier withdrawn limit } } } }`;
    const background = async (of: string) => {
      const { nodes } = await valueOf<{ nodes: readonly { id: string; background: object }[] }>(operate(desk, {}));
      return nodes.find((one) => one.id === of)?.background;
    };
    await approve(id, olga);
    expect(await valueOf(kit.run(own, { id }, from.trader.principal))).toEqual({ approvals: 1, approvalsNeeded: 2 });
    expect(await background(id)).toMatchObject({ profileName: null, earlier: 0, withdrawn: '150000.00', limit: null });
    await approve(id, newOperatorPrincipal());
    await kit.settle();
    expect(await stateOf(id)).toBe('COMPLETED');
    await kit.credit(from.wallet, '150000');
    await setLimit(from.trader.companyId, 'BRL', '400000');
    const { withdrawalId: second } = await taken(from, { amount: '150000' });
    expect(await background(second)).toMatchObject({ earlier: 1, withdrawn: '300000.00', limit: '400000.00' });
    const { withdrawalId: elsewhere } = await taken(from, { amount: '10000', address: 'ana@casa.example' });
    expect(await stateOf(elsewhere)).toBe('READY');
    const byStatus = `query ($status: WithdrawalStatus) { withdrawals(status: $status, first: 1) { nodes { id } totalCount pageInfo { endCursor } } }`;
    const read = (status: string) => valueOf(kit.run(byStatus, { status }, from.trader.principal));
    expect(await read('PENDING')).toMatchObject({ nodes: [{ id: elsewhere }], totalCount: 2 });
    expect(await read('COMPLETED')).toMatchObject({ nodes: [{ id }], totalCount: 1 });
    await operate('mutation ($id: ID!) { rejectWithdrawal(id: $id, reason: "a test") { id } }', { id: second });
  });

  test('a sum is not sent in parts without the approval that it needs as a whole, however many are requested at once', async () => {
    const from = await kit.funded('400000');
    const parts = await Promise.all(Array.from({ length: 6 }, () => taken(from, { amount: '30000' })));
    const states = await Promise.all(parts.map(({ withdrawalId }) => stateOf(withdrawalId)));
    const waiting = parts.filter((_, index) => states[index] === 'AWAITING_APPROVAL');
    expect(waiting).toHaveLength(3);
    // What was approved is no part of it.
    for (const { withdrawalId: id } of waiting) for (let times = 0; times < 2; times += 1) await approve(id);
    const waits = async (amount: string) =>
      (await stateOf((await taken(from, { amount })).withdrawalId)) === 'AWAITING_APPROVAL';
    expect([await waits('10000'), await waits('100')]).toEqual([false, true]);
    await kit.settle();
    await kit.pass(24 * 3_600_000);
    expect(await waits('100000')).toBe(false);
  });

  test('whoever issued the credential that requested it does not approve it, by no key; others do, and see that they may', async () => {
    const paulo = newOperatorPrincipal();
    const id = await byCredentialOf(olga);
    const barOf = async (operator: typeof olga) => {
      const text = `{ transferWithdrawals(state: AWAITING_APPROVAL, first: 100) { nodes { id approvalBar } } }`;
      const listed = valueOf<{ nodes: { id: string; approvalBar: string | null }[] }>(operate(text, {}, operator));
      return (await listed).nodes.find((one) => one.id === id)?.approvalBar;
    };
    expect([await barOf(olga), await barOf(paulo)]).toEqual(['ISSUED_CREDENTIAL', null]);
    for (const key of [olga, { ...olga, id: newId() }]) expect(await approve(id, key)).toBe(403);
    expect(await approve(id, paulo)).toBeUndefined();
    expect(await barOf(paulo)).toBe('ALREADY_APPROVED');
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
    expect(await approve(id)).toBeUndefined();
    await kit.settle();
    expect(await stateOf(id)).toBe('COMPLETED');
  });

  test('the owner and the issuer of a key count as one person, in any order, also where the issuer issued the credential', async () => {
    const key = async (issuer: Principal, owner: Principal) => {
      const act = { action: 'addOperatorKey', subject: { type: 'operator', id: owner.ownerId } } as const;
      await inTransaction({ ...kit.context, principal: issuer }, (tx) => recordAudit(tx, act));
    };
    const approved = async (id: string, operator?: Principal) => (await approve(id, operator)) ?? 200;
    const [olga, paulo] = [newOperatorPrincipal(), newOperatorPrincipal()];
    await key(olga, paulo);
    for (const [first, second] of [
      [olga, paulo],
      [paulo, olga],
    ] as const) {
      const { id } = await large();
      expect([await approved(id, first), await approved(id, second)]).toEqual([200, 403]);
      expect(await approved(id)).toBe(200);
    }
    const rita = newOperatorPrincipal();
    await key(paulo, rita);
    const { id: chained } = await large();
    expect([await approved(chained, olga), await approved(chained, rita)]).toEqual([200, 403]);
    const id = await byCredentialOf(olga);
    expect(await approved(id, paulo)).toBe(403);
    const above = newOperatorPrincipal();
    await key(above, olga);
    expect(await approved(id, above)).toBe(403);
  });

  test('above a limit that was lowered since the request nobody approves it; the refusal says which figures, and what to do', async () => {
    const { from, id } = await large();
    await approve(id);
    await setLimit(from.trader.companyId, 'BRL', '149999.99');
    expect((await approval(id)).error).toMatchObject({ rule: 'WITHDRAWAL_ABOVE_LIMIT', statusCode: 409 });
    await setLimit(from.trader.companyId, 'BRL', '150000');
    expect(await approve(id)).toBeUndefined();
  });

  test.each([
    ['revokeOperator', {}],
    ['changeOperatorRoles', { roles: ['read'] }],
  ] as const)(
    'the approval of an operator after %s counts no longer; with the role again the operator approves anew',
    async (action, after) => {
      const { id } = await large();
      const act = { action, subject: { type: 'operator', id: olga.ownerId }, after } as const;
      await approve(id, olga);
      await inTransaction(kit.context, (tx) => recordAudit(tx, act));
      expect(await approve(id)).toBeUndefined();
      expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
      expect(await approve(id, olga)).toBeUndefined();
      expect(await stateOf(id)).toBe('READY');
    },
  );

  test('whose e-mail is that of the account of the company, or of the profile, does not approve it, and did not, when linked since', async () => {
    const owner = { ...newOperatorPrincipal(), accountId: newId() };
    const { from, id } = await large();
    await approve(id, owner);
    await kit.rows('UPDATE trading.companies SET account_id = $2 WHERE id = $1', [
      from.trader.companyId,
      owner.accountId,
    ]);
    expect((await approval(id, owner)).error).toMatchObject({ rule: 'OWN_WALLET', statusCode: 403 });
    await approve(id);
    expect(await stateOf(id)).toBe('AWAITING_APPROVAL');
    const profile = await newProfile(from.trader);
    await kit.credit(await walletOf(from.trader, profile.id), '150000');
    const { withdrawalId } = await taken(from, { profileId: profile.id, amount: '150000' });
    expect(await approve(withdrawalId, { ...newOperatorPrincipal(), name: profile.email })).toBe(403);
  });

  test('of approvals and rejections at once the withdrawal is either sent or returned', async () => {
    const { from, id } = await large();
    await Promise.all([approve, reject, approve, reject, approve].map((act) => act(id)));
    await kit.settle();
    const isRejected = (await stateOf(id)) === 'REJECTED';
    expect(await kit.balance(from.wallet)).toEqual({
      available: isRejected ? '200000.00' : '50000.00',
      locked: '0.00',
    });
    expect(await sends(id)).toHaveLength(isRejected ? 0 : 1);
  });

  test('nobody approves what may not leave by now: of who is suspended, or to an address that is not on the list, or cools', async () => {
    const { from, id } = await large();
    const { companyId, principal } = from.trader;
    const set = (status: string) =>
      kit.rows('UPDATE trading.companies SET status = $2 WHERE id = $1', [companyId, status]);
    await set('SUSPENDED');
    expect(await approve(id)).toBe(409);
    await set('ACTIVE');
    expect(await approve(id)).toBeUndefined();
    await requireList(companyId);
    expect(await approve(id)).toBe(409);
    const add = `mutation ($address: String!) { addWithdrawalAddress(network: "pix", address: $address, label: "Maria") { id } }`;
    const { data } = await kit.run(add, { address: pix.address }, principal);
    expect(await approve(id)).toBe(409);
    await kit.pass(3_600_001);
    expect(await approve(id)).toBeUndefined();
    // Approved twice by now, and taken off the list before an engine took it.
    const { id: entry } = data['addWithdrawalAddress'] as { id: string };
    await kit.run('mutation ($id: ID!) { removeWithdrawalAddress(id: $id) }', { id: entry }, principal);
    await kit.settle();
    expect(await stateOf(id)).toBe('READY');
    await reject(id);
    const entries = 'SELECT action FROM shared.audit_log WHERE subject_id = $1 AND outcome = $2 ORDER BY id DESC';
    expect((await kit.rows(entries, [id, 'DONE'])).slice(0, 2)).toEqual([
      { action: 'rejectWithdrawal' },
      { action: 'approveWithdrawal' },
    ]);
    expect(await kit.balance(from.wallet)).toEqual({ available: '200000.00', locked: '0.00' });
  });

  test('neither the program itself nor an operator without the role approves, and none rejects without a reason', async () => {
    const { id } = await large();
    const unsaid = 'mutation ($id: ID!) { rejectWithdrawal(id: $id, reason: " ") { status } }';
    expect(await statusOf(operate(unsaid, { id }))).toBe(400);
    const system = kit.context.principal;
    expect(await approve(id, system)).toBe(403);
    expect(await approve(id, { ...newOperatorPrincipal(), scopes: ['read'] })).toBe(403);
    expect(await approve(newId())).toBe(404);
  });
});

describe('who may see and use what', () => {
  const list = `query ($profileId: ID, $first: Int, $after: String) {
    withdrawals(profileId: $profileId, first: $first, after: $after) { nodes { id status } totalCount pageInfo { hasNextPage endCursor } } }`;
  interface Listed {
    readonly nodes: readonly { readonly id: string }[];
    readonly totalCount: number;
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  }

  test('a company sees the withdrawals of its own wallets alone, page by page', async () => {
    const [own, other] = [await kit.funded('1000'), await kit.funded('1000')];
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await taken(own)).withdrawalId);
    const read = async (variables: Record<string, unknown>, principal = own.trader.principal) =>
      (await kit.run(list, variables, principal)).data['withdrawals'] as Listed;
    const first = await read({ first: 2 });
    expect(first.nodes.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const second = await read({ first: 2, after: first.pageInfo.endCursor });
    expect(second.nodes.map(({ id }) => id)).toEqual([ids[0]]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect([first.totalCount, second.totalCount]).toEqual([3, 3]);
    expect(await read({}, other.trader.principal)).toMatchObject({ nodes: [], totalCount: 0 });
    const foreign = await kit.run(list, { after: first.pageInfo.endCursor }, other.trader.principal);
    expect(foreign.error).toMatchObject({ statusCode: 400 });
    const single = `query ($id: ID!) { withdrawal(id: $id) { id } }`;
    expect((await kit.run(single, { id: ids[0] }, other.trader.principal)).data['withdrawal']).toBeNull();
  });
});

describe('a list of withdrawal addresses', () => {
  const add = `mutation ($address: String!) { addWithdrawalAddress(network: "pix", address: $address, label: "Maria") { id usableAt } }`;

  test('keeps a company to its addresses, each once its cooling period is over', async () => {
    const from = await kit.funded('1000');
    const { companyId, principal } = from.trader;
    await requireList(companyId);
    expect(await statusOf(send(from))).toBe(422);
    const added = (await kit.run(add, { address: pix.address.toUpperCase() }, principal)).data['addWithdrawalAddress'];
    expect(await statusOf(send(from))).toBe(422);
    await kit.pass(3_000_000);
    // Adding it again neither starts the period anew nor ends it.
    expect((await kit.run(add, { address: pix.address }, principal)).data['addWithdrawalAddress']).toEqual(added);
    expect(await statusOf(send(from))).toBe(422);
    await kit.pass(600_001);
    expect(await statusOf(send(from))).toBeUndefined();
    const remove = `mutation ($id: ID!) { removeWithdrawalAddress(id: $id) }`;
    const { id } = added as { id: string };
    const stranger = (await kit.funded('0')).trader.principal;
    expect(await statusOf(kit.run(remove, { id }, stranger))).toBe(404);
    await kit.run(remove, { id }, principal);
    expect(await statusOf(send(from))).toBe(422);
  });

  test('takes labels and names that can be seen', async () => {
    const text = `mutation ($hidden: String!) {
      addWithdrawalAddress(network: "pix", address: "a@b.example", label: $hidden, ownerName: $hidden) { id } }`;
    const { error } = await kit.run(text, { hidden: '\u200b' }, (await kit.funded('0')).trader.principal);
    expect(error?.details?.map(({ path }) => path)).toEqual(['label', 'ownerName']);
  });

  test('leaves the end of the address of a person in the audit log, the whole one of a chain, and no label', async () => {
    const { principal } = (await kit.funded('0')).trader;
    const addresses = [
      ['pix', 'luana.dias@example.com', '***.com'],
      ['pix', '+5511988887777', '***7777'],
      ['ethereum', evm, evm],
    ] as const;
    for (const [network, address, shown] of addresses) {
      const { data } = await kit.run(
        'mutation ($network: String!, $address: String!) { addWithdrawalAddress(network: $network, address: $address, label: "Luana Dias") { id } }',
        { network, address },
        principal,
      );
      const { id } = data['addWithdrawalAddress'] as { id: string };
      await kit.run('mutation ($id: ID!) { removeWithdrawalAddress(id: $id) }', { id }, principal);
      const states = await kit.rows<{ state: Record<string, unknown> }>(
        'SELECT coalesce(before, after) AS state FROM shared.audit_log WHERE subject_id = $1',
        [id],
      );
      expect(states).toHaveLength(2);
      for (const { state } of states) {
        expect(state).toMatchObject({ network, address: shown });
        expect(JSON.stringify(state)).not.toContain('Luana');
      }
    }
  });

  test('has at most 1,000 of them, however many are added at once, and each change is in the audit log', async () => {
    const { trader } = await kit.funded('0');
    const { companyId, principal } = trader;
    await kit.rows(
      `INSERT INTO trading.withdrawal_addresses (id, company_id, network, address, label, created_at, usable_at)
       SELECT gen_random_uuid(), $1, 'pix', 'a' || n || '@cliente.example', 'a', now(), now() FROM generate_series(1, 998) AS n`,
      [companyId],
    );
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => kit.run(add, { address: `b${index}@cliente.example` }, principal)),
    );
    const added = outcomes.flatMap(({ data }) => (data['addWithdrawalAddress'] as { id: string } | null) ?? []);
    expect(added).toHaveLength(2);
    expect(outcomes.flatMap(({ error }) => error?.statusCode ?? [])).toEqual(Array(6).fill(409));
    const [id] = added.map((one) => one.id);
    await kit.run('mutation ($id: ID!) { removeWithdrawalAddress(id: $id) }', { id }, principal);
    const entries = await kit.rows('SELECT action FROM shared.audit_log WHERE subject_id = $1 ORDER BY id', [id]);
    expect(entries).toEqual([{ action: 'addWithdrawalAddress' }, { action: 'removeWithdrawalAddress' }]);
  });
});
