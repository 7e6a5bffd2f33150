import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Decimal } from '../../shared/kernel/decimal.js';
import { newId } from '../../shared/kernel/ids.js';
import type { Logger } from '../../shared/kernel/log.js';
import { haltsOf, addHalts } from '../../subgraphs/trading/ledger/journal.store.js';
import { newFindings, openVenueDifferences } from '../../subgraphs/trading/ledger/metrics.js';
import { reconcileBalances } from '../../subgraphs/trading/ledger/reconcile.js';
import { createTrading } from '../../subgraphs/trading/subgraph.js';
import { lookAge } from '../../subgraphs/trading/venues/balances/metrics.js';
import {
  differencesOf,
  createBalanceWatch,
  type BalanceWatch,
} from '../../subgraphs/trading/venues/balances/watch-balances.js';
import { bookCapital } from '../../subgraphs/trading/venues/capital.js';
import { superviseVenue } from '../../subgraphs/trading/venues/supervise-venue.js';
import { operator, quietLog, testKeyRing } from '../kit/context.js';
import { until } from '../kit/until.js';
import { openLedger, systemClock, type LedgerKit } from './ledger-kit.js';
import { openExchange, type TestExchange } from './venue-kit.js';

let kit: LedgerKit;
let exchange: TestExchange;
let watch: BalanceWatch;
let runs = 0;
const told: unknown[] = [];

beforeAll(async () => {
  kit = await openLedger(4);
  // Executions and hedges stand here without orders and quotes.
  for (const table of ['executions', 'hedges'])
    await kit.database.asOwner(
      `DO $$ DECLARE v_name text; BEGIN
         FOR v_name IN SELECT conname FROM pg_constraint WHERE conrelid = 'trading.${table}'::regclass AND contype = 'f' LOOP
           EXECUTE format('ALTER TABLE trading.${table} DROP CONSTRAINT %I', v_name);
         END LOOP; END $$`,
    );
});
afterAll(() => kit.close());
// Each test has an exchange of its own, whose capital is in the books.
beforeEach(async () => {
  await kit.database.asOwner('DELETE FROM trading.reconciliation_findings; DELETE FROM trading.currency_halts');
  runs += 1;
  exchange = openExchange({ name: `haus-${runs}` });
  const balances = await exchange.balances();
  await kit.act((tx) => bookCapital(tx, exchange, balances));
  told.length = 0;
  const log = { ...quietLog, error: (entry: unknown) => told.push(entry), warn: () => undefined } as unknown as Logger;
  const venue = superviseVenue(exchange, { clock: systemClock, log });
  watch = createBalanceWatch({ ...kit.context, log }, [venue]);
});

/** The house trades by hand in its account there: 1 BTC at the best price. */
const tradeByHand = () =>
  exchange.place({
    clientOrderId: newId(),
    symbol: 'BTC/BRL',
    side: 'BUY',
    type: 'MARKET',
    amount: new Decimal('1'),
    timeInForce: 'IOC',
    postOnly: false,
  });

async function look(times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) await watch.look();
}

interface Finding {
  readonly id: string;
  readonly invariant: string;
  readonly currency: string;
  readonly subject: string;
  readonly expected: string;
  readonly actual: string;
}

async function findings(): Promise<Finding[]> {
  const { data } = await kit.run(
    '{ found: reconciliationFindings { id invariant currency subject expected actual } }',
    {},
    operator,
  );
  const found = data?.['found'] as Finding[];
  return [...found].sort((left, right) => (left.currency < right.currency ? -1 : 1));
}

const correctText = `mutation ($key: ID!, $postings: [CorrectionPostingInput!]!) {
  postCorrection(key: $key, synthetic: false, reason: "Traded by hand", postings: $postings) { journalId } }`;
const resolveText = 'mutation ($id: ID!) { resolveReconciliationFinding(id: $id, reason: "Traded by hand") { id } }';

/** Books what the findings say, as an operator does. */
async function correct(found: readonly Finding[]): Promise<void> {
  const postings = found.flatMap(({ currency, expected, actual }) => {
    const more = new Decimal(actual).minus(expected);
    return [
      { account: 'VENUE', venue: exchange.name, currency, amount: more.negated().toFixed() },
      { account: 'CAPITAL', currency, amount: more.toFixed() },
    ];
  });
  const { error } = await kit.run(correctText, { key: newId(), postings }, operator);
  expect(error).toBeUndefined();
}

test('the age of the last look that counted is a metric of each venue, and grows while none counts', async () => {
  const start = Date.now();
  let now = start;
  const clock = { now: () => new Date(now) };
  const venue = superviseVenue(exchange, { clock: systemClock, log: quietLog });
  const timed = createBalanceWatch({ ...kit.context, clock }, [venue]);
  const age = async () => {
    const { values } = await lookAge.get();
    return values.find(({ labels }) => labels.venue === exchange.name)?.value;
  };
  now += 60_000;
  expect(await age()).toBe(60);
  await timed.look();
  expect(await age()).toBe(0);
  exchange.failures.next('balances', 'ERROR_BEFORE');
  now += 15_000;
  await timed.look();
  expect(await age()).toBe(15);
  await timed.stop();
  expect(await age()).toBeUndefined();
});

describe('what a venue holds', () => {
  test('otherwise than the ledger says is a finding at the third look, which halts nothing and ends with a correction', async () => {
    await look(4);
    expect(await findings()).toEqual([]);
    await tradeByHand();
    await look(2);
    expect(await findings()).toEqual([]);
    await look(3);
    const found = await findings();
    const subject = `venue ${exchange.name}`;
    expect(found).toMatchObject([
      { invariant: 'VENUE_BALANCE', currency: 'BRL', subject, expected: '10000000' },
      { invariant: 'VENUE_BALANCE', currency: 'BTC', subject, expected: '100', actual: '101' },
    ]);
    expect(await haltsOf(kit.context, ['BRL', 'BTC'], false)).toEqual([]);
    expect(told).toHaveLength(2);
    expect(told).toContainEqual({ finding: expect.objectContaining({ currency: 'BTC', subject }) });
    const { values } = await newFindings.get();
    expect(values.find(({ labels }) => labels.invariant === 'VENUE_BALANCE')?.value).toBe(2);
    expect(await openVenueDifferences.read(kit.context)).toBe(2);
    await correct(found);
    for (const { id } of found) expect((await kit.run(resolveText, { id }, operator)).error).toBeUndefined();
    await look(4);
    expect(await findings()).toEqual([]);
    expect(await openVenueDifferences.read(kit.context)).toBe(0);
    expect(await reconcileBalances(kit.context)).toEqual([]);
  });

  test('is no finding where it is less than the last decimal in which the venue keeps the currency', async () => {
    const keeps = (by: string, decimals: ReadonlyMap<string, number>) =>
      differencesOf(
        { unsettled: false, movements: '1', held: new Map([['BTC', '1.123456785']]) },
        [{ currency: 'BTC', available: new Decimal('1.123456785').plus(by), locked: new Decimal(0) }],
        decimals,
      ).length;
    const eight = new Map([['BTC', 8]]);
    expect([keeps('0.000000005', eight), keeps('-0.000000009', eight), keeps('0.00000001', eight)]).toEqual([0, 0, 1]);
    // To the last digit where the venue does not say.
    expect([keeps('0', new Map()), keeps('0.000000000000000001', new Map())]).toEqual([0, 1]);
    // A watch takes it from the venue.
    const venue = superviseVenue(
      {
        ...exchange,
        balanceDecimals: () =>
          new Map([
            ['BRL', 0],
            ['BTC', 0],
          ]),
      },
      { clock: systemClock, log: quietLog },
    );
    jest
      .spyOn(venue, 'balances')
      .mockResolvedValue((await exchange.balances()).map((one) => ({ ...one, available: one.available.plus('0.4') })));
    const own = createBalanceWatch({ ...kit.context, log: quietLog }, [venue]);
    for (let index = 0; index < 4; index += 1) await own.look();
    expect(await findings()).toEqual([]);
  });

  test('is found again where the finding is resolved and the difference stays', async () => {
    await tradeByHand();
    await look(3);
    const found = await findings();
    for (const { id } of found) await kit.run(resolveText, { id }, operator);
    await look(1);
    const again = await findings();
    expect(again).toMatchObject(found.map(({ currency, actual }) => ({ currency, actual })));
    expect(again.map(({ id }) => id)).not.toEqual(found.map(({ id }) => id));
  });

  test('does not count while it changes from look to look', async () => {
    for (let index = 0; index < 4; index += 1) {
      await tradeByHand();
      await look(2);
    }
    expect(await findings()).toEqual([]);
  });

  test.each(['OPEN', 'UNKNOWN', 'FILLED'])(
    'does not count while an execution there is not settled (%s)',
    async (state) => {
      await kit.database.asOwner(
        `INSERT INTO trading.executions (id, order_id, synthetic, venue, symbol, side, amount, limit_price, time_in_force, post_only,
           state, reported_amount, filled_amount, session, looks, created_at, updated_at)
         VALUES ('${newId()}', '${newId()}', false, '${exchange.name}', 'BTC/BRL', 'BUY', 1, 1, 'GTC', false,
           '${state}', 1, 0.5, '${newId()}', 0, now(), now())`,
      );
      await tradeByHand();
      await look(5);
      expect(await findings()).toEqual([]);
      await kit.database.asOwner(
        `UPDATE trading.executions SET state = 'FILLED', filled_amount = 1, reported_amount = 1`,
      );
      await look(3);
      expect(await findings()).toHaveLength(2);
    },
  );

  test('counts while orders rest there, but not while one of them is to be looked up', async () => {
    const id = newId();
    await kit.database.asOwner(
      `INSERT INTO trading.executions (id, order_id, synthetic, venue, symbol, side, amount, limit_price, time_in_force, post_only,
         state, reported_amount, filled_amount, session, looks, next_look_at, created_at, updated_at)
       VALUES ('${id}', '${newId()}', false, '${exchange.name}', 'BTC/BRL', 'BUY', 1, 1, 'GTC', false,
         'OPEN', 0.5, 0.5, '${newId()}', 0, now(), now(), now())`,
    );
    await tradeByHand();
    await look(5);
    expect(await findings()).toEqual([]);
    await kit.database.asOwner(`UPDATE trading.executions SET next_look_at = NULL WHERE id = '${id}'`);
    await look(3);
    expect(await findings()).toHaveLength(2);
  });

  test('does not count while a hedge there is not settled', async () => {
    const quote = newId();
    await kit.database.asOwner(
      `INSERT INTO trading.hedges (quote_id, synthetic, state, due_at) VALUES ('${quote}', false, 'OPEN', now());
       INSERT INTO trading.hedge_orders (id, quote_id, venue, amount, limit_price, state, created_at)
       VALUES ('${newId()}', '${quote}', '${exchange.name}', 1, 1, 'SENDING', now())`,
    );
    await tradeByHand();
    await look(5);
    expect(await findings()).toEqual([]);
    await kit.database.asOwner(`UPDATE trading.hedge_orders SET state = 'REJECTED'`);
    await look(3);
    expect(await findings()).toHaveLength(2);
  });

  test('is no finding of a venue that does not respond, and a look that failed breaks the row', async () => {
    await tradeByHand();
    await look(2);
    exchange.failures.next('balances', 'ERROR_BEFORE');
    await look(3);
    expect(await findings()).toEqual([]);
    await look(1);
    expect(await findings()).toHaveLength(2);
  });

  test('leaves a halt of the currency to the findings that made it', async () => {
    await tradeByHand();
    await look(3);
    const [ofBrl] = await findings();
    const broken = { id: newId(), invariant: 'ZERO_SUM' };
    await kit.database.asOwner(
      `INSERT INTO trading.reconciliation_findings (id, invariant, currency, synthetic, subject, expected, actual, found_at, last_seen_at)
       VALUES ('${broken.id}', '${broken.invariant}', 'BRL', false, '', '0', '1', now(), now())`,
    );
    await addHalts(kit.context, [{ currency: 'BRL', synthetic: false, reason: 'Reconciliation: ZERO_SUM' }]);
    await kit.run(resolveText, { id: ofBrl?.id }, operator);
    expect(await haltsOf(kit.context, ['BRL'], false)).toHaveLength(1);
    await look(1);
    await kit.run(resolveText, { id: broken.id }, operator);
    expect(await haltsOf(kit.context, ['BRL'], false)).toEqual([]);
    expect(await findings()).toHaveLength(2);
  });
});

test('a running house looks at its exchanges by itself, and not at the simulated ones of the demo', async () => {
  const trading = createTrading({
    config: { sandbox: false, demo: true, transfers: { approvalAbove: 100_000, travelRuleAbove: 5_000, coolingMs: 0 } },
    keyRing: testKeyRing,
    clock: systemClock,
    log: quietLog,
    databaseUrl: kit.database.url,
    exchanges: [exchange],
    balanceLooksMs: 20,
  });
  const running = await trading.open(kit.context);
  try {
    await tradeByHand();
    const aurora = trading.markets.venues.simulated.find(({ synthetic }) => !synthetic);
    await aurora?.place({
      clientOrderId: newId(),
      symbol: 'BTC/BRL',
      side: 'BUY',
      type: 'MARKET',
      amount: new Decimal('0.1'),
      timeInForce: 'IOC',
      postOnly: false,
    });
    await until('both findings', async () => (await findings()).length >= 2);
    await sleep(200);
    expect((await findings()).map(({ subject }) => subject)).toEqual(Array(2).fill(`venue ${exchange.name}`));
  } finally {
    await running.close();
    await trading.close();
  }
});
