import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { Decimal } from '../../shared/kernel/decimal.js';
import { applySighting } from '../../subgraphs/trading/transfers/deposits/apply-sighting.js';
import type { DepositSighting } from '../../subgraphs/trading/transfers/custody/custody.js';
import { untilBlocked } from '../kit/database.js';
import { newProfile, newTrader, walletOf } from './kit.js';
import { newOperatorPrincipal, openTransfers, type Funded, type TransferKit } from './transfers-kit.js';
import { streamedBalances } from './streamed-balances.js';

let kit: TransferKit;
const operator = newOperatorPrincipal();

beforeAll(async () => {
  kit = await openTransfers();
});
afterAll(() => kit.close());
afterEach(async () => {
  expect(await kit.discrepancies()).toEqual([]);
});

const simulate = `mutation ($companyId: ID!, $profileId: ID, $synthetic: Boolean!, $currency: String!, $network: String, $amount: Decimal!) {
  simulateDeposit(companyId: $companyId, profileId: $profileId, synthetic: $synthetic, currency: $currency, network: $network, amount: $amount) }`;

/** Lets a deposit of 2 BTC, or of something else, come in. Returns its transaction. */
async function deposit({ trader }: Pick<Funded, 'trader'>, over: Record<string, unknown> = {}): Promise<string> {
  const variables = { companyId: trader.companyId, synthetic: false, currency: 'BTC', amount: '2', ...over };
  const { data, error } = await kit.run(simulate, variables, operator);
  if (error !== undefined) throw new Error(error.message);
  return data['simulateDeposit'] as string;
}

interface Stored {
  readonly id: string;
  readonly state: string;
  readonly takenBack: string;
}
async function stored(value: string, column: 'transaction' | 'id' = 'transaction'): Promise<Stored> {
  const [row, ...more] = await kit.rows<Stored>(
    `SELECT id, state, trim_scale(taken_back)::text AS "takenBack" FROM trading.deposits WHERE ${column} = $1`,
    [value],
  );
  if (row === undefined || more.length > 0) throw new Error('There is not one deposit of the transaction');
  return row;
}
const events = (id: string) => kit.rows<{ payload: unknown }>('SELECT payload FROM shared.outbox WHERE key = $1', [id]);
/** What was announced of a deposit, in short. */
const announced = (id: string) =>
  kit.rows(
    `SELECT topic, payload->'data'->>'amount' AS amount, payload->'data'->>'status' AS status, payload->'data'->>'correction' AS correction
     FROM shared.outbox WHERE key = $1 ORDER BY payload->'data'->>'occurredAt'`,
    [id],
  );
/** As everything about bitcoin is written. */
const inBtc = (amount: string) => new Decimal(amount).toFixed(8);
const confirmed = (amount: string, correction: string | null = null) => ({
  topic: 'deposit.confirmed',
  amount: inBtc(amount),
  status: null,
  correction,
});
const reversed = (amount: string, status: string) => ({
  topic: 'deposit.reversed',
  amount: inBtc(amount),
  status,
  correction: null,
});
const reorganise = (transaction: string) => inTransaction(kit.context, (tx) => kit.custody.reorganise(tx, transaction));
const include = (transaction: string) => inTransaction(kit.context, (tx) => kit.custody.include(tx, transaction));

async function sightingOf(transaction: string): Promise<DepositSighting> {
  const [sighting] = await kit.custody.lookUpDeposits(kit.context, [{ network: 'bitcoin', transaction, output: 0 }]);
  if (sighting === undefined) throw new Error('The provider does not know the transaction');
  return sighting;
}

describe('a deposit', () => {
  test('is credited and announced with its last confirmation, and not before', async () => {
    const to = await kit.funded('0');
    const custody = await kit.platform('CUSTODY', 'BTC');
    const transaction = await deposit(to);
    await kit.pass(0);
    expect(await stored(transaction)).toMatchObject({ state: 'SEEN' });
    expect(await kit.balance(to.wallet, 'BTC')).toEqual({ available: '0.00000000', locked: '0.00000000' });
    await kit.pass(5_000);
    const { id, state } = await stored(transaction);
    expect(state).toBe('CONFIRMED');
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '2.00000000' });
    expect(await streamedBalances(kit.context.manager, to.wallet.id)).toEqual({
      BTC: { available: '2.00000000', locked: '0.00000000' },
    });
    expect(Number(await kit.platform('CUSTODY', 'BTC')) - Number(custody)).toBe(-2);
    expect(await events(id)).toEqual([
      {
        payload: {
          ownerId: to.trader.companyId,
          data: expect.objectContaining({ depositId: id, asset: 'BTC', amount: '2.00000000', network: 'bitcoin' }),
        },
      },
    ]);
  });

  test('is credited though there are many of which custody does not know any more', async () => {
    const to = await kit.funded('0');
    await kit.database.asOwner(
      `INSERT INTO trading.deposits (id, wallet_id, synthetic, currency, network, address, transaction, output, amount, credited, state,
         revision, confirmations, seen_at, updated_at)
       SELECT gen_random_uuid(), '${to.wallet.id}', false, 'BTC', 'bitcoin', 'gone', 'gone-' || number, 0, 1, 1, 'SEEN',
         1, 0, now(), now() - interval '1 day' FROM generate_series(1, 200) AS number`,
    );
    const transaction = await deposit(to);
    for (const ms of [0, 5_000, 5_000]) await kit.pass(ms);
    await kit.database.asOwner(`DELETE FROM trading.deposits WHERE address = 'gone'`);
    expect(await stored(transaction)).toMatchObject({ state: 'CONFIRMED' });
  });

  test('is credited once, however often and by however many it is reported', async () => {
    const to = await kit.funded('0');
    const transaction = await deposit(to);
    await kit.pass(0);
    const sighting = { ...(await sightingOf(transaction)), confirmations: 6 };
    await Promise.all(Array.from({ length: 10 }, () => applySighting(kit.context, false, sighting)));
    const engines = Array.from({ length: 3 }, () => kit.openEngine());
    await Promise.all(engines.map((engine) => engine.drain()));
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '2.00000000' });
    expect(await events((await stored(transaction)).id)).toHaveLength(1);
  });

  test('to a profile is credited to the profile, and a synthetic one to the synthetic wallet', async () => {
    const trader = await newTrader(kit.context);
    const { id: profileId } = await newProfile(trader);
    await deposit({ trader }, { profileId, currency: 'USDT', network: 'polygon', amount: '12.5' });
    await deposit({ trader }, { profileId, currency: 'USDT', synthetic: true, amount: '7' });
    await kit.settle();
    const real = await walletOf(trader, profileId);
    const synthetic = await walletOf(trader, profileId, true);
    expect(await kit.balance(real, 'USDT')).toMatchObject({ available: '12.500000' });
    expect(await kit.balance(synthetic, 'USDT')).toMatchObject({ available: '7.000000' });
    expect(await kit.balance(await walletOf(trader), 'USDT')).toMatchObject({ available: '0.000000' });
    const announced = await kit.rows('SELECT payload FROM shared.outbox WHERE payload @> $1', [
      { ownerId: trader.companyId },
    ]);
    expect(announced).toMatchObject([{ payload: { data: { profileId, asset: 'USDT', amount: '12.500000' } } }]);
  });

  test('finer than its currency is credited as far as the currency goes, and the rest is the rounding of the house', async () => {
    const to = await kit.funded('0');
    const rounding = await kit.platform('ROUNDING', 'ETH');
    await deposit(to, { currency: 'ETH', amount: '1.000000009999' });
    await kit.settle();
    expect(await kit.balance(to.wallet, 'ETH')).toMatchObject({ available: '1.00000000' });
    expect(rounding).toBe('0');
    expect(await kit.platform('ROUNDING', 'ETH')).toBe('0.000000009999');
  });

  test('that cannot be taken in holds up none behind it, is reported to the operator, and is credited once it can be', async () => {
    const [stuck, other] = [await kit.funded('0'), await kit.funded('0')];
    await kit.database.asOwner(`
      CREATE FUNCTION trading.fail_deposit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no such thing'; END $$;
      CREATE TRIGGER fail_deposit BEFORE INSERT ON trading.deposits FOR EACH ROW WHEN (NEW.wallet_id = '${stuck.wallet.id}')
        EXECUTE FUNCTION trading.fail_deposit()`);
    const [first, second] = [await deposit(stuck), await deposit(other)];
    const found = () =>
      kit.rows<{ subject: string; actual: string }>(
        `SELECT subject, actual FROM trading.reconciliation_findings WHERE invariant = 'DEPOSIT_SET_ASIDE' AND resolved_at IS NULL`,
      );
    await kit.pass(0);
    expect(await found()).toEqual([]);
    for (let round = 0; round < 4; round += 1) await kit.pass(10_000);
    expect(await stored(second)).toMatchObject({ state: 'CONFIRMED' });
    const third = await deposit(other);
    for (let round = 0; round < 3; round += 1) await kit.pass(10_000);
    expect(await stored(third)).toMatchObject({ state: 'CONFIRMED' });
    expect(await found()).toEqual([{ subject: `bitcoin ${first} 0`, actual: 'no such thing' }]);
    await kit.database.asOwner('DROP TRIGGER fail_deposit ON trading.deposits; DROP FUNCTION trading.fail_deposit()');
    await kit.settle();
    expect(await stored(first)).toMatchObject({ state: 'CONFIRMED' });
    expect(await kit.balance(stuck.wallet, 'BTC')).toMatchObject({ available: '2.00000000' });
    expect(await kit.rows('SELECT FROM trading.set_aside_deposits')).toEqual([]);
  });

  test('that custody does not report for a while is credited later', async () => {
    const to = await kit.funded('0');
    kit.custody.failures.failNext('deposits', 3);
    await deposit(to);
    await kit.settle();
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '2.00000000' });
  });
});

describe('a deposit whose amount custody corrects', () => {
  const findings = (transaction: string) =>
    kit.rows<{ actual: string }>(
      `SELECT actual FROM trading.reconciliation_findings WHERE invariant = 'DEPOSIT_SET_ASIDE' AND subject = $1 AND resolved_at IS NULL`,
      [`bitcoin ${transaction} 0`],
    );
  /** Custody reports another amount from now on. */
  const correct = (transaction: string, amount: string) =>
    kit.rows(
      `UPDATE trading.simulated_deposits SET amount = $2, revision = (SELECT max(revision) + 1 FROM trading.simulated_deposits)
       WHERE transaction = $1`,
      [transaction, amount],
    );

  test('is credited with the newest amount', async () => {
    const to = await kit.funded('0');
    const transaction = await deposit(to);
    await kit.pass(0);
    await correct(transaction, '0.5');
    await kit.settle();
    expect(await stored(transaction)).toMatchObject({ state: 'CONFIRMED' });
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '0.50000000' });
  });

  test.each([
    ['0.5', '0.50000000'],
    ['3.000000001', '3.00000000'],
  ])('is corrected after the credit, to %s', async (amount, available) => {
    const to = await kit.funded('0');
    const custody = await kit.platform('CUSTODY', 'BTC');
    const transaction = await deposit(to);
    await kit.settle();
    await correct(transaction, amount);
    await kit.settle();
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available });
    expect(await streamedBalances(kit.context.manager, to.wallet.id)).toMatchObject({ BTC: { available } });
    expect(new Decimal(custody).minus(await kit.platform('CUSTODY', 'BTC')).toFixed()).toBe(amount);
    const { id } = await stored(transaction);
    expect(await announced(id)).toEqual([confirmed('2'), confirmed(new Decimal(available).toFixed(), 'true')]);
    await reorganise(transaction);
    await kit.settle();
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '0.00000000' });
    expect(await kit.platform('CUSTODY', 'BTC')).toBe(custody);
  });

  test('to less than the client has left is reported to the operator, and corrected once the client has it', async () => {
    const to = await kit.funded('0');
    const transaction = await deposit(to);
    await kit.settle();
    await kit.credit(to.wallet, '-1.5', 'BTC');
    await correct(transaction, '0.25');
    await kit.settle();
    expect(await findings(transaction)).toEqual([
      { actual: 'Custody corrected the amount from 2 to 0.25, and the client has less than the difference' },
    ]);
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '0.50000000' });
    await kit.credit(to.wallet, '2', 'BTC');
    await kit.settle();
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '0.75000000' });
    expect(await kit.rows('SELECT FROM trading.set_aside_deposits')).toEqual([]);
  });

  test('and that is reversed afterwards is taken back, with what was credited', async () => {
    const to = await kit.funded('0');
    const transaction = await deposit(to);
    await kit.settle();
    const sighting = await sightingOf(transaction);
    const revision = sighting.revision + 1n;
    await applySighting(kit.context, false, { ...sighting, revision, amount: '0.5', reorganised: true });
    expect(await stored(transaction)).toMatchObject({ state: 'REVERSED' });
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '0.00000000' });
  });

  test('and its currency is set aside with a finding, and stays as it was', async () => {
    const to = await kit.funded('0');
    const transaction = await deposit(to, { currency: 'ETH' });
    await kit.settle();
    await kit.rows(
      `UPDATE trading.simulated_deposits SET currency = 'USDT', revision = (SELECT max(revision) + 1 FROM trading.simulated_deposits)
       WHERE transaction = $1`,
      [transaction],
    );
    await kit.settle();
    const found = await kit.rows(`SELECT actual FROM trading.reconciliation_findings WHERE subject = $1`, [
      `ethereum ${transaction} 0`,
    ]);
    expect(found).toEqual([{ actual: 'Custody reported another currency or address of a deposit than before' }]);
    expect(await kit.balance(to.wallet, 'ETH')).toMatchObject({ available: '2.00000000' });
    await kit.rows(`UPDATE trading.simulated_deposits SET currency = 'ETH' WHERE transaction = $1`, [transaction]);
    await kit.settle();
  });
});

test('a deposit in a currency that has no network there is set aside with a finding', async () => {
  const to = await kit.funded('0');
  const transaction = await deposit(to, { currency: 'ETH' });
  const rename = (currency: string) =>
    kit.rows(`UPDATE trading.simulated_deposits SET currency = $2 WHERE transaction = $1`, [transaction, currency]);
  await rename('DOGE');
  await kit.settle();
  const found = await kit.rows(`SELECT actual FROM trading.reconciliation_findings WHERE subject = $1`, [
    `ethereum ${transaction} 0`,
  ]);
  expect(found).toEqual([{ actual: 'DOGE has no network ethereum here' }]);
  await rename('ETH');
  await kit.settle();
  expect(await stored(transaction)).toMatchObject({ state: 'CONFIRMED' });
});

describe('a deposit that its network takes back', () => {
  test('before it was credited is never credited', async () => {
    const to = await kit.funded('0');
    const transaction = await deposit(to);
    await kit.pass(0);
    await reorganise(transaction);
    await kit.settle();
    expect(await stored(transaction)).toMatchObject({ state: 'REVERSED' });
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '0.00000000' });
    await include(transaction);
    await kit.settle();
    expect(await announced((await stored(transaction)).id)).toEqual([confirmed('2')]);
  });

  test('is taken back from the client, and credited again where another block has it', async () => {
    const to = await kit.funded('0');
    const transaction = await deposit(to);
    await kit.settle();
    await reorganise(transaction);
    await kit.settle();
    expect(await stored(transaction)).toMatchObject({ state: 'REVERSED' });
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '0.00000000' });
    await include(transaction);
    await kit.pass(0);
    expect(await stored(transaction)).toMatchObject({ state: 'SEEN' });
    await kit.settle();
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '2.00000000' });
    const { id } = await stored(transaction);
    expect(await announced(id)).toEqual([confirmed('2'), reversed('2', 'REVERSED'), confirmed('2', 'true')]);
  });

  test('is not credited by what was reported before and comes later', async () => {
    const to = await kit.funded('0');
    const transaction = await deposit(to);
    const old = { ...(await sightingOf(transaction)), confirmations: 6 };
    await reorganise(transaction);
    await applySighting(kit.context, false, await sightingOf(transaction));
    await applySighting(kit.context, false, old);
    expect(await stored(transaction)).toMatchObject({ state: 'REVERSED' });
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '0.00000000' });
  });

  describe('after the client used it', () => {
    const resolve = `mutation ($id: ID!, $outcome: DepositResolution!) {
      resolveDeposit(id: $id, outcome: $outcome, reason: "Agreed with the client") { deposit { status } } }`;
    const withdraw = `mutation ($amount: Decimal!) { withdraw(asset: "BTC", amount: $amount, address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
      selfCustody: true, beneficiaryName: "Maria", beneficiaryTaxId: "52998224725") { withdrawalId: id } }`;

    const inReais = `mutation { withdraw(asset: "BRL", amount: "10", address: "maria@cliente.example") { withdrawalId: id } }`;

    /** A deposit of 2 BTC that is reorganised when 0.1 and the fee are gone. */
    const spent = async () => {
      const to = await kit.funded('0');
      const transaction = await deposit(to);
      await kit.settle();
      await kit.run(withdraw, { amount: '0.1' }, to.trader.principal);
      await kit.settle();
      await reorganise(transaction);
      await kit.settle();
      return { ...to, transaction, ...(await stored(transaction)) };
    };

    test('waits for an operator, and the wallet withdraws nothing meanwhile, of no currency', async () => {
      const { id, state, trader, wallet } = await spent();
      expect(state).toBe('QUARANTINED');
      expect((await kit.run(withdraw, { amount: '0.1' }, trader.principal)).error).toMatchObject({ statusCode: 409 });
      await kit.credit(wallet, '1000');
      expect((await kit.run(inReais, {}, trader.principal)).error).toMatchObject({ statusCode: 409 });
      const list = await kit.run(
        '{ quarantinedDeposits { id missing deposit { asset amount status } } }',
        {},
        operator,
      );
      expect(list.data['quarantinedDeposits']).toContainEqual({
        id,
        missing: '0.10010000',
        deposit: { asset: 'BTC', amount: '2.00000000', status: 'QUARANTINED' },
      });
      // The client has too little still.
      expect((await kit.run(resolve, { id, outcome: 'REVERSED' }, operator)).error).toMatchObject({
        catalogue: 'CAAS_ORD_001',
      });
      await kit.credit(wallet, '1', 'BTC');
      expect((await kit.run(resolve, { id, outcome: 'REVERSED' }, operator)).error).toBeUndefined();
      expect(await kit.balance(wallet, 'BTC')).toMatchObject({ available: '0.89990000' });
      expect((await kit.run(withdraw, { amount: '0.1' }, trader.principal)).error).toBeUndefined();
      expect((await kit.run(resolve, { id, outcome: 'REVERSED' }, operator)).error).toMatchObject({
        statusCode: 409,
      });
    });

    test('also stops what was ready in another currency', async () => {
      const to = await kit.funded('1000');
      const transaction = await deposit(to);
      await kit.settle();
      await kit.run(withdraw, { amount: '0.1' }, to.trader.principal);
      await kit.settle();
      const { withdrawalId } = (await kit.run(inReais, {}, to.trader.principal)).data['withdraw'] as {
        withdrawalId: string;
      };
      const state = () => kit.rows('SELECT state FROM trading.withdrawals WHERE id = $1', [withdrawalId]);
      await kit.rows(`UPDATE trading.withdrawals SET due_at = due_at + interval '1 hour' WHERE id = $1`, [
        withdrawalId,
      ]);
      await reorganise(transaction);
      await kit.pass(0);
      await kit.pass(3_600_000);
      expect(await state()).toEqual([{ state: 'READY' }]);
      await include(transaction);
      await kit.settle();
      expect(await state()).toEqual([{ state: 'COMPLETED' }]);
    });

    test('is taken back at once as far as the client has it, and nothing of it can be used', async () => {
      const custody = await kit.platform('CUSTODY', 'BTC');
      const { wallet } = await spent();
      expect(await kit.balance(wallet, 'BTC')).toEqual({ available: '0.00000000', locked: '0.00000000' });
      expect(await streamedBalances(kit.context.manager, wallet.id)).toMatchObject({
        BTC: { available: '0.00000000', locked: '0.00000000' },
      });
      // 0.1 left, and 0.1 with the fee is still missing.
      expect(new Decimal(await kit.platform('CUSTODY', 'BTC')).minus(custody).toFixed()).toBe('-0.0001');
    });

    test('is taken back without what the client uses at that moment', async () => {
      const to = await kit.funded('0');
      const transaction = await deposit(to);
      await kit.settle();
      await reorganise(transaction);
      const sighting = await sightingOf(transaction);
      const reversal = await inTransaction(kit.context, async (tx) => {
        await kit.credit(to.wallet, '-0.5', 'BTC', tx);
        const applied = applySighting(kit.context, false, sighting);
        await untilBlocked(kit.context.manager);
        return { applied };
      });
      await reversal.applied;
      expect(await stored(transaction)).toMatchObject({ state: 'QUARANTINED', takenBack: '1.5' });
      expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available: '0.00000000' });
    });

    test('is borne by the house as far as the client has it no more, and both have theirs back where its network has it', async () => {
      const { id, transaction, wallet } = await spent();
      const capital = await kit.platform('CAPITAL', 'BTC');
      await kit.credit(wallet, '0.03', 'BTC');
      await kit.run(resolve, { id, outcome: 'WRITTEN_OFF' }, operator);
      const borne = new Decimal(await kit.platform('CAPITAL', 'BTC')).minus(capital);
      expect(borne.toFixed()).toBe('-0.0701');
      expect(await kit.balance(wallet, 'BTC')).toMatchObject({ available: '0.00000000' });
      await include(transaction);
      await kit.settle();
      expect(await stored(transaction)).toMatchObject({ state: 'CONFIRMED', takenBack: '0' });
      expect(await kit.platform('CAPITAL', 'BTC')).toBe(capital);
      expect(await kit.balance(wallet, 'BTC')).toMatchObject({ available: '1.92990000' });
      expect(await announced(id)).toEqual([
        confirmed('2'),
        reversed('1.8999', 'QUARANTINED'),
        reversed('0.03', 'REVERSED'),
        confirmed('2', 'true'),
      ]);
    });

    test('is not borne by the house where the client has all of it by then', async () => {
      const { id, wallet } = await spent();
      await kit.credit(wallet, '1', 'BTC');
      const { data } = await kit.run(resolve, { id, outcome: 'WRITTEN_OFF' }, operator);
      expect(data['resolveDeposit']).toEqual({ deposit: { status: 'REVERSED' } });
      expect(await stored(id, 'id')).toMatchObject({ state: 'REVERSED', takenBack: '2' });
      expect(await kit.balance(wallet, 'BTC')).toMatchObject({ available: '0.89990000' });
    });

    test.each(['QUARANTINED', 'WRITTEN_OFF', 'REVERSED'])(
      'and is %s by then, is the client’s again with the confirmations in another block, though it is seen there before',
      async (state) => {
        const { id, transaction, wallet } = await spent();
        if (state === 'WRITTEN_OFF') await kit.run(resolve, { id, outcome: state }, operator);
        await include(transaction);
        await kit.pass(0);
        expect(await stored(transaction)).toMatchObject({ state: state === 'REVERSED' ? 'QUARANTINED' : state });
        if (state === 'REVERSED') {
          await kit.credit(wallet, '0.1001', 'BTC');
          await kit.run(resolve, { id, outcome: state }, operator);
        }
        expect(await kit.balance(wallet, 'BTC')).toMatchObject({ available: '0.00000000' });
        await kit.pass(5_000);
        expect(await stored(transaction)).toMatchObject({ state: 'CONFIRMED', takenBack: '0' });
        expect(await kit.balance(wallet, 'BTC')).toMatchObject({
          available: state === 'REVERSED' ? '2.00000000' : '1.89990000',
        });
      },
    );
  });
});

test('where no custody is connected real funds neither come nor go, and synthetic ones do', async () => {
  const { trader, wallet } = await kit.funded('1000');
  const address = `query ($synthetic: Boolean) { fetchDepositAddress(currency: "BTC", synthetic: $synthetic) { currency } }`;
  const withdraw = `mutation ($synthetic: Boolean) {
    withdraw(asset: "BRL", amount: "10", address: "maria@cliente.example", synthetic: $synthetic) { status } }`;
  await kit.credit(await walletOf(trader, undefined, true), '1000');
  // Addresses of a provider that was connected before are not given out either.
  await kit.run(address, {}, trader.principal);
  for (const text of [address, withdraw]) {
    expect((await kit.runWithoutCustody(text, {}, trader.principal)).error).toMatchObject({
      statusCode: 503,
      message: expect.stringContaining('No custody is connected') as unknown,
    });
    expect((await kit.runWithoutCustody(text, { synthetic: true }, trader.principal)).error).toBeUndefined();
  }
  const variables = { companyId: trader.companyId, synthetic: false, currency: 'BRL', amount: '1' };
  expect((await kit.runWithoutCustody(simulate, variables, operator)).error).toMatchObject({ statusCode: 409 });
  expect((await kit.runWithoutCustody(simulate, { ...variables, synthetic: true }, operator)).error).toBeUndefined();
  expect(await kit.balance(wallet)).toEqual({ available: '1000.00', locked: '0.00' });
});

describe('deposit addresses', () => {
  const query = `query ($currency: String!, $network: String, $profileId: ID, $synthetic: Boolean! = false) {
    fetchDepositAddress(currency: $currency, network: $network, profileId: $profileId, synthetic: $synthetic) {
      currency addresses { network address memo confirmations } } }`;

  test('are one for each network of the currency, and stay the same', async () => {
    const { trader } = await kit.funded('0');
    const first = await kit.run(query, { currency: 'USDT' }, trader.principal);
    expect(first.data['fetchDepositAddress']).toEqual({
      currency: 'USDT',
      addresses: [
        { network: 'ethereum', address: expect.stringMatching(/^0x/), memo: null, confirmations: 12 },
        { network: 'polygon', address: expect.stringMatching(/^0x/), memo: null, confirmations: 64 },
      ],
    });
    const again = await Promise.all(
      Array.from({ length: 5 }, () => kit.run(query, { currency: 'USDT' }, trader.principal)),
    );
    for (const { data } of again) expect(data).toEqual(first.data);
    const pix = await kit.run(query, { currency: 'BRL', network: 'pix' }, trader.principal);
    expect(pix.data['fetchDepositAddress']).toMatchObject({ addresses: [{ network: 'pix' }] });
  });

  test('are of one wallet alone: of no other company, profile or world', async () => {
    const [one, other] = [await kit.funded('0'), await kit.funded('0')];
    const { id: profileId } = await newProfile(one.trader);
    const calls = [
      kit.run(query, { currency: 'BTC' }, one.trader.principal),
      kit.run(query, { currency: 'BTC', synthetic: true }, one.trader.principal),
      kit.run(query, { currency: 'BTC', profileId }, one.trader.principal),
      kit.run(query, { currency: 'BTC' }, other.trader.principal),
    ];
    const addresses = (await Promise.all(calls)).map(({ data }) => JSON.stringify(data['fetchDepositAddress']));
    expect(new Set(addresses).size).toBe(4);
    expect((await kit.run(query, { currency: 'BTC', profileId }, other.trader.principal)).error).toMatchObject({
      statusCode: 404,
    });
  });

  test.each([
    [{ currency: 'DOGE' }, 'currency', 'is not a currency that can be deposited: BRL, BTC, ETH, USDT can'],
    [{ currency: 'BTC', network: 'pix' }, 'network', 'must be one of bitcoin'],
  ])('of %j are refused', async (variables, path, message) => {
    const { trader } = await kit.funded('0');
    const { error } = await kit.run(query, variables, trader.principal);
    expect(error).toMatchObject({ statusCode: 400, details: [{ path, message }] });
  });
});

test('a company sees the deposits of its own wallets alone', async () => {
  const [one, other] = [await kit.funded('0'), await kit.funded('0')];
  const transaction = await deposit(one);
  await kit.settle();
  const list = '{ deposits { nodes { asset amount transaction status } } }';
  expect((await kit.run(list, {}, one.trader.principal)).data['deposits']).toEqual({
    nodes: [{ asset: 'BTC', amount: '2.00000000', transaction, status: 'CONFIRMED' }],
  });
  expect((await kit.run(list, {}, other.trader.principal)).data['deposits']).toEqual({ nodes: [] });
});

test('operators see the deposits of all, whose they are and in which world', async () => {
  const { trader, wallet } = await kit.funded('0');
  const real = await deposit({ trader });
  const simulated = await deposit({ trader }, { synthetic: true });
  await kit.settle();
  const list = '{ transferDeposits(first: 2) { nodes { walletId synthetic deposit { transaction status } } } }';
  const { data } = await kit.run(list, {}, operator);
  const { nodes } = data['transferDeposits'] as { nodes: unknown[] };
  expect(nodes).toHaveLength(2);
  expect(nodes).toContainEqual({
    walletId: wallet.id,
    synthetic: false,
    deposit: { transaction: real, status: 'CONFIRMED' },
  });
  const { id } = await walletOf(trader, undefined, true);
  expect(nodes).toContainEqual({
    walletId: id,
    synthetic: true,
    deposit: { transaction: simulated, status: 'CONFIRMED' },
  });
});
