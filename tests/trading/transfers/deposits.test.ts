import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '../../../shared/database/transaction.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { applySighting } from '../../../subgraphs/trading/transfers/deposits/apply-sighting.js';
import type { DepositSighting } from '../../../subgraphs/trading/transfers/custody/custody.js';
import { untilBlocked } from '../../kit/database.js';
import { statusOf, valueOf } from '../domain-kit.js';
import { newProfile, newTrader, walletOf, type TestTrader } from '../kit.js';
import { newOperatorPrincipal, openTransfers, type Funded } from './kit.js';
import { streamedBalances } from '../streamed-balances.js';

const operator = newOperatorPrincipal();

const kit = await openTransfers();
afterAll(() => kit.close());
afterEach(async () => {
  expect(await kit.discrepancies()).toEqual([]);
});

const simulate = `mutation ($companyId: ID!, $profileId: ID, $synthetic: Boolean!, $currency: String!, $network: String, $amount: Decimal!) {
  simulateDeposit(companyId: $companyId, profileId: $profileId, synthetic: $synthetic, currency: $currency, network: $network, amount: $amount) }`;

/** Lets a deposit of 2 BTC, or of something else, come in. Returns its transaction. */
const deposit = ({ trader }: Pick<Funded, 'trader'>, over: object = {}): Promise<string> =>
  valueOf(
    kit.run(
      simulate,
      { companyId: trader.companyId, synthetic: false, currency: 'BTC', amount: '2', ...over },
      operator,
    ),
  );
/** A company to which a deposit comes in. */
async function receiving(over: object = {}, funds = '0') {
  const to = await kit.funded(funds);
  return { ...to, transaction: await deposit(to, over) };
}
async function credited(over: object = {}, funds = '0') {
  const to = await receiving(over, funds);
  await kit.settle();
  return to;
}
const availableOf = async (wallet: Funded['wallet'], currency = 'BTC') =>
  (await kit.balance(wallet, currency)).available;

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
const announced = (id: string) =>
  kit.rows(
    `SELECT topic, payload->'data'->>'amount' AS amount, payload->'data'->>'status' AS status, payload->'data'->>'correction' AS correction
     FROM shared.outbox WHERE key = $1 ORDER BY payload->'data'->>'occurredAt'`,
    [id],
  );
/** As everything about bitcoin is written. */
const inBtc = (amount: string) => new Decimal(amount).toFixed(8);
const confirmed = (amount: string, correction: string | null = null) => ({
  ...{ topic: 'deposit.confirmed', amount: inBtc(amount), status: null, correction },
});
const reversed = (amount: string, status: string) => ({
  ...{ topic: 'deposit.reversed', amount: inBtc(amount), status, correction: null },
});
const stateOf = async (transaction: string) => (await stored(transaction)).state;
const reorganise = (transaction: string) => inTransaction(kit.context, (tx) => kit.custody.reorganise(tx, transaction));
const include = (transaction: string) => inTransaction(kit.context, (tx) => kit.custody.include(tx, transaction));

const reorganised = async (transaction: string) => {
  await reorganise(transaction);
  await kit.settle();
};
const included = async (transaction: string) => {
  await include(transaction);
  await kit.settle();
};

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
    expect(await stateOf(transaction)).toBe('SEEN');
    expect(await kit.balance(to.wallet, 'BTC')).toEqual({ available: '0.00000000', locked: '0.00000000' });
    await kit.pass(5_000);
    const { id, state } = await stored(transaction);
    expect(state).toBe('CONFIRMED');
    expect(await availableOf(to.wallet)).toBe('2.00000000');
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
    expect(await stateOf(transaction)).toBe('CONFIRMED');
  });

  test('is credited once, however often and by however many it is reported', async () => {
    const { transaction, ...to } = await receiving();
    await kit.pass(0);
    const sighting = { ...(await sightingOf(transaction)), confirmations: 6 };
    await Promise.all(Array.from({ length: 10 }, () => applySighting(kit.context, false, sighting)));
    const engines = Array.from({ length: 3 }, () => kit.openEngine());
    await Promise.all(engines.map((engine) => engine.drain()));
    expect(await availableOf(to.wallet)).toBe('2.00000000');
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
    expect(await availableOf(real, 'USDT')).toBe('12.500000');
    expect(await availableOf(synthetic, 'USDT')).toBe('7.000000');
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
    expect(await availableOf(to.wallet, 'ETH')).toBe('1.00000000');
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
    expect(await stateOf(second)).toBe('CONFIRMED');
    const third = await deposit(other);
    for (let round = 0; round < 3; round += 1) await kit.pass(10_000);
    expect(await stateOf(third)).toBe('CONFIRMED');
    expect(await found()).toEqual([{ subject: `bitcoin ${first} 0`, actual: 'no such thing' }]);
    await kit.database.asOwner('DROP TRIGGER fail_deposit ON trading.deposits; DROP FUNCTION trading.fail_deposit()');
    await kit.settle();
    expect(await stateOf(first)).toBe('CONFIRMED');
    expect(await availableOf(stuck.wallet)).toBe('2.00000000');
    expect(await kit.rows('SELECT FROM trading.set_aside_deposits')).toEqual([]);
  });

  test('that custody does not report for a while is credited later', async () => {
    const to = await kit.funded('0');
    kit.custody.failures.failNext('deposits', 3);
    await deposit(to);
    await kit.settle();
    expect(await availableOf(to.wallet)).toBe('2.00000000');
  });
});

/** Custody reports another amount, or another currency, from now on. */
const correct = (transaction: string, column: 'amount' | 'currency', value: string) =>
  kit.rows(
    `UPDATE trading.simulated_deposits SET ${column} = $2, revision = (SELECT max(revision) + 1 FROM trading.simulated_deposits)
     WHERE transaction = $1`,
    [transaction, value],
  );
const findings = async (transaction: string, network = 'bitcoin') =>
  (
    await kit.rows<{ actual: string }>(
      'SELECT actual FROM trading.reconciliation_findings WHERE subject = $1 AND resolved_at IS NULL',
      [`${network} ${transaction} 0`],
    )
  ).map(({ actual }) => actual);

describe('a deposit whose amount custody corrects', () => {
  test('is credited with the newest amount', async () => {
    const { transaction, ...to } = await receiving();
    await kit.pass(0);
    await correct(transaction, 'amount', '0.5');
    await kit.settle();
    expect(await stateOf(transaction)).toBe('CONFIRMED');
    expect(await availableOf(to.wallet)).toBe('0.50000000');
  });

  test.each([
    ['0.5', '0.50000000'],
    ['3.000000001', '3.00000000'],
  ])('is corrected after the credit, to %s', async (amount, available) => {
    const to = await kit.funded('0');
    const custody = await kit.platform('CUSTODY', 'BTC');
    const transaction = await deposit(to);
    await kit.settle();
    await correct(transaction, 'amount', amount);
    await kit.settle();
    expect(await kit.balance(to.wallet, 'BTC')).toMatchObject({ available });
    expect(await streamedBalances(kit.context.manager, to.wallet.id)).toMatchObject({ BTC: { available } });
    expect(new Decimal(custody).minus(await kit.platform('CUSTODY', 'BTC')).toFixed()).toBe(amount);
    const { id } = await stored(transaction);
    expect(await announced(id)).toEqual([confirmed('2'), confirmed(new Decimal(available).toFixed(), 'true')]);
    await reorganised(transaction);
    expect(await availableOf(to.wallet)).toBe('0.00000000');
    expect(await kit.platform('CUSTODY', 'BTC')).toBe(custody);
  });

  test('to less than the client has left is reported to the operator, and corrected once the client has it', async () => {
    const { transaction, ...to } = await credited();
    await kit.credit(to.wallet, '-1.5', 'BTC');
    await correct(transaction, 'amount', '0.25');
    await kit.settle();
    expect(await findings(transaction)).toEqual([
      'Custody corrected the amount from 2 to 0.25, and the client has less than the difference',
    ]);
    expect(await availableOf(to.wallet)).toBe('0.50000000');
    await kit.credit(to.wallet, '2', 'BTC');
    await kit.settle();
    expect(await availableOf(to.wallet)).toBe('0.75000000');
    expect(await kit.rows('SELECT FROM trading.set_aside_deposits')).toEqual([]);
  });

  test('and that is reversed afterwards is taken back, with what was credited', async () => {
    const { transaction, ...to } = await credited();
    const sighting = await sightingOf(transaction);
    const revision = sighting.revision + 1n;
    await applySighting(kit.context, false, { ...sighting, revision, amount: '0.5', reorganised: true });
    expect(await stateOf(transaction)).toBe('REVERSED');
    expect(await availableOf(to.wallet)).toBe('0.00000000');
  });

  test('and its currency is set aside with a finding, and stays as it was', async () => {
    const { transaction, ...to } = await credited({ currency: 'ETH' });
    await correct(transaction, 'currency', 'USDT');
    await kit.settle();
    const actual = 'Custody reported another currency or address of a deposit than before';
    expect(await findings(transaction, 'ethereum')).toEqual([actual]);
    expect(await availableOf(to.wallet, 'ETH')).toBe('2.00000000');
    await correct(transaction, 'currency', 'ETH');
    await kit.settle();
  });
});

test('a deposit in a currency that has no network there is set aside with a finding', async () => {
  const { transaction } = await receiving({ currency: 'ETH' });
  await correct(transaction, 'currency', 'DOGE');
  await kit.settle();
  expect(await findings(transaction, 'ethereum')).toEqual(['DOGE has no network ethereum here']);
  await correct(transaction, 'currency', 'ETH');
  await kit.settle();
  expect(await stateOf(transaction)).toBe('CONFIRMED');
});

describe('a deposit that its network takes back', () => {
  test('before it was credited is never credited', async () => {
    const { transaction, ...to } = await receiving();
    await kit.pass(0);
    await reorganised(transaction);
    expect(await stateOf(transaction)).toBe('REVERSED');
    expect(await availableOf(to.wallet)).toBe('0.00000000');
    await included(transaction);
    expect(await announced((await stored(transaction)).id)).toEqual([confirmed('2')]);
  });

  test('is taken back from the client, and credited again where another block has it', async () => {
    const { transaction, ...to } = await credited();
    await reorganised(transaction);
    expect(await stateOf(transaction)).toBe('REVERSED');
    expect(await availableOf(to.wallet)).toBe('0.00000000');
    await include(transaction);
    await kit.pass(0);
    expect(await stateOf(transaction)).toBe('SEEN');
    await kit.settle();
    expect(await availableOf(to.wallet)).toBe('2.00000000');
    const { id } = await stored(transaction);
    expect(await announced(id)).toEqual([confirmed('2'), reversed('2', 'REVERSED'), confirmed('2', 'true')]);
  });

  test('is not credited by what was reported before and comes later', async () => {
    const { transaction, ...to } = await receiving();
    const old = { ...(await sightingOf(transaction)), confirmations: 6 };
    await reorganise(transaction);
    await applySighting(kit.context, false, await sightingOf(transaction));
    await applySighting(kit.context, false, old);
    expect(await stateOf(transaction)).toBe('REVERSED');
    expect(await availableOf(to.wallet)).toBe('0.00000000');
  });

  describe('after the client used it', () => {
    const resolve = (id: string, outcome: string) =>
      kit.run(
        `mutation ($id: ID!, $outcome: DepositResolution!) {
          resolveDeposit(id: $id, outcome: $outcome, reason: "Agreed with the client") { deposit { status } } }`,
        { id, outcome },
        operator,
      );
    const withdraw = ({ principal }: TestTrader) =>
      statusOf(
        kit.run(
          `mutation { withdraw(asset: "BTC", amount: "0.1", address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
            selfCustody: true, beneficiaryName: "Maria", beneficiaryTaxId: "52998224725") { withdrawalId: id } }`,
          {},
          principal,
        ),
      );
    const inReais = `mutation { withdraw(asset: "BRL", amount: "10", address: "maria@cliente.example") { withdrawalId: id } }`;

    /** A deposit of 2 BTC that is reorganised when 0.1 and the fee are gone. */
    const spent = async () => {
      const { transaction, ...to } = await credited();
      await withdraw(to.trader);
      await kit.settle();
      await reorganised(transaction);
      return { ...to, transaction, ...(await stored(transaction)) };
    };

    test('waits for an operator, and the wallet withdraws nothing meanwhile, of no currency', async () => {
      const { id, state, trader, wallet } = await spent();
      expect(state).toBe('QUARANTINED');
      expect(await withdraw(trader)).toBe(409);
      await kit.credit(wallet, '1000');
      expect(await statusOf(kit.run(inReais, {}, trader.principal))).toBe(409);
      const list =
        '{ quarantinedDeposits { id missing owner { companyId profileName } deposit { amount status missing } } }';
      expect(await valueOf(kit.run(list, {}, operator))).toContainEqual({
        ...{ id, missing: '0.10010000', owner: { companyId: trader.companyId, profileName: null } },
        deposit: { amount: '2.00000000', status: 'QUARANTINED', missing: '0.10010000' },
      });
      // The client has too little still.
      expect((await resolve(id, 'REVERSED')).error).toMatchObject({
        catalogue: 'CAAS_ORD_001',
      });
      await kit.credit(wallet, '1', 'BTC');
      expect(await statusOf(resolve(id, 'REVERSED'))).toBeUndefined();
      expect(await availableOf(wallet)).toBe('0.89990000');
      expect(await withdraw(trader)).toBeUndefined();
      expect(await statusOf(resolve(id, 'REVERSED'))).toBe(409);
    });

    test('also stops what was ready in another currency', async () => {
      const { transaction, ...to } = await credited({}, '1000');
      await withdraw(to.trader);
      await kit.settle();
      const requested = valueOf<{ withdrawalId: string }>(kit.run(inReais, {}, to.trader.principal));
      const { withdrawalId } = await requested;
      const state = () => kit.rows('SELECT state FROM trading.withdrawals WHERE id = $1', [withdrawalId]);
      await kit.rows(`UPDATE trading.withdrawals SET due_at = due_at + interval '1 hour' WHERE id = $1`, [
        withdrawalId,
      ]);
      await reorganise(transaction);
      await kit.pass(0);
      await kit.pass(3_600_000);
      expect(await state()).toEqual([{ state: 'READY' }]);
      const list = `query ($id: ID) { transferWithdrawals(companyId: $id, state: READY) { nodes { id waitsFor } } }`;
      expect(await valueOf(kit.run(list, { id: to.trader.companyId }, operator))).toEqual({
        nodes: [{ id: withdrawalId, waitsFor: 'QUARANTINE' }],
      });
      await included(transaction);
      expect(await state()).toEqual([{ state: 'COMPLETED' }]);
    });

    test('begins a quarantine anew: without what was decided in the one before', async () => {
      const { id, transaction, wallet } = await spent();
      await resolve(id, 'WRITTEN_OFF');
      await included(transaction);
      await kit.credit(wallet, '-1', 'BTC');
      await reorganised(transaction);
      const list = '{ quarantinedDeposits { id resolution deposit { quarantinedAt } } }';
      expect(await valueOf(kit.run(list, {}, operator))).toContainEqual({
        ...{ id, resolution: null, deposit: { quarantinedAt: expect.any(String) } },
      });
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
      const { transaction, ...to } = await credited();
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
      expect(await availableOf(to.wallet)).toBe('0.00000000');
    });

    test('is borne by the house as far as the client has it no more, and both have theirs back where its network has it', async () => {
      const { id, transaction, wallet } = await spent();
      const capital = await kit.platform('CAPITAL', 'BTC');
      await kit.credit(wallet, '0.03', 'BTC');
      await resolve(id, 'WRITTEN_OFF');
      const borne = new Decimal(await kit.platform('CAPITAL', 'BTC')).minus(capital);
      expect(borne.toFixed()).toBe('-0.0701');
      expect(await availableOf(wallet)).toBe('0.00000000');
      await included(transaction);
      expect(await stored(transaction)).toMatchObject({ state: 'CONFIRMED', takenBack: '0' });
      expect(await kit.platform('CAPITAL', 'BTC')).toBe(capital);
      expect(await availableOf(wallet)).toBe('1.92990000');
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
      expect(await valueOf(resolve(id, 'WRITTEN_OFF'))).toEqual({ deposit: { status: 'REVERSED' } });
      expect(await stored(id, 'id')).toMatchObject({ state: 'REVERSED', takenBack: '2' });
      expect(await availableOf(wallet)).toBe('0.89990000');
    });

    test.each(['QUARANTINED', 'WRITTEN_OFF', 'REVERSED'])(
      'and is %s by then, is the client’s again with the confirmations in another block, though it is seen there before',
      async (state) => {
        const { id, transaction, wallet } = await spent();
        if (state === 'WRITTEN_OFF') await resolve(id, state);
        await include(transaction);
        await kit.pass(0);
        expect(await stored(transaction)).toMatchObject({ state: state === 'REVERSED' ? 'QUARANTINED' : state });
        if (state === 'REVERSED') {
          await kit.credit(wallet, '0.1001', 'BTC');
          await resolve(id, state);
        }
        expect(await availableOf(wallet)).toBe('0.00000000');
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
    expect(await statusOf(kit.runWithoutCustody(text, { synthetic: true }, trader.principal))).toBeUndefined();
  }
  const variables = { companyId: trader.companyId, synthetic: false, currency: 'BRL', amount: '1' };
  expect(await statusOf(kit.runWithoutCustody(simulate, variables, operator))).toBe(409);
  expect(await statusOf(kit.runWithoutCustody(simulate, { ...variables, synthetic: true }, operator))).toBeUndefined();
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
    const ask = (of: object, { trader } = one) => kit.run(query, { currency: 'BTC', ...of }, trader.principal);
    const calls = [ask({}), ask({ synthetic: true }), ask({ profileId }), ask({}, other)];
    const addresses = (await Promise.all(calls)).map(({ data }) => JSON.stringify(data['fetchDepositAddress']));
    expect(new Set(addresses).size).toBe(4);
    expect(await statusOf(ask({ profileId }, other))).toBe(404);
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

test('a company sees the deposits of its own wallets alone; operators those of all, whose they are and in which world', async () => {
  // What other tests left comes in before.
  await kit.settle();
  const { transaction: real, trader, wallet } = await receiving();
  const simulated = await deposit({ trader }, { synthetic: true });
  await kit.settle();
  const list = '{ deposits { nodes { asset amount transaction status } } }';
  const status = 'CONFIRMED';
  expect(await valueOf(kit.run(list, {}, trader.principal))).toEqual({
    nodes: [{ asset: 'BTC', amount: '2.00000000', transaction: real, status }],
  });
  const stranger = await kit.funded('0');
  expect(await valueOf(kit.run(list, {}, stranger.trader.principal))).toEqual({ nodes: [] });
  const all = '{ transferDeposits(first: 2) { nodes { walletId synthetic deposit { transaction status } } } }';
  const { nodes } = await valueOf<{ nodes: unknown[] }>(kit.run(all, {}, operator));
  const { id } = await walletOf(trader, undefined, true);
  expect(nodes).toHaveLength(2);
  expect(nodes).toContainEqual({ walletId: wallet.id, synthetic: false, deposit: { transaction: real, status } });
  expect(nodes).toContainEqual({ walletId: id, synthetic: true, deposit: { transaction: simulated, status } });
});
