import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { systemClock } from '../../../shared/kernel/clock.js';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Logger } from '../../../shared/kernel/log.js';
import { haltsOf, addHalts } from '../../../subgraphs/trading/ledger/ledger.store.js';
import { newFindings, openVenueDifferences } from '../../../subgraphs/trading/ledger/findings.acts.js';
import { reconcileBalances } from '../../../subgraphs/trading/ledger/reconcile.js';
import { createTrading } from '../../../subgraphs/trading/subgraph.js';
import {
  differencesOf,
  createBalanceWatch,
  type BalanceWatch,
  lookAge,
} from '../../../subgraphs/trading/venues/balances/watch-balances.js';
import { bookCapital } from '../../../subgraphs/trading/venues/open-venues.js';
import { superviseVenue } from '../../../subgraphs/trading/venues/supervise-venue.js';
import type { Venue } from '../../../subgraphs/trading/venues/venue.js';
import { operator, quietLog } from '../../kit/context.js';
import { until } from '../../kit/until.js';
import { statusOf, partsOf, valueOf } from '../domain-kit.js';
import { openLedger } from '../ledger/kit.js';
import { openExchange, venueOrder, type TestExchange } from './kit.js';

let exchange: TestExchange;
let watch: BalanceWatch;
let runs = 0;
const told: unknown[] = [];

const kit = await openLedger(4);
// Executions and hedges stand here without orders and quotes.
for (const table of ['executions', 'hedges'])
  await kit.database.asOwner(
    `DO $$ DECLARE v_name text; BEGIN
       FOR v_name IN SELECT conname FROM pg_constraint WHERE conrelid = 'trading.${table}'::regclass AND contype = 'f' LOOP
         EXECUTE format('ALTER TABLE trading.${table} DROP CONSTRAINT %I', v_name);
       END LOOP; END $$`,
  );
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
const tradeByHand = (at: Venue = exchange) => at.place(venueOrder({ amount: new Decimal('1') }));

/** An execution of the house there, of which the venue reported what is said. */
const addExecution = (columns: Readonly<Record<string, string>>) => {
  const row = {
    ...{ id: newId(), order_id: newId(), synthetic: 'false', venue: exchange.name, symbol: 'BTC/BRL', side: 'BUY' },
    ...{ amount: '1', limit_price: '1', time_in_force: 'GTC', post_only: 'false', session: newId(), looks: '0' },
    ...{ created_at: 'now', updated_at: 'now', ...columns },
  };
  return kit.database.asOwner(
    `INSERT INTO trading.executions (${Object.keys(row).join()}) VALUES ('${Object.values(row).join("', '")}')`,
  );
};

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
  const text = '{ reconciliationFindings { id invariant currency subject expected actual } }';
  const found = await valueOf<Finding[]>(kit.run(text, {}, operator));
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
  expect(await statusOf(kit.run(correctText, { key: newId(), postings }, operator))).toBeUndefined();
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
    newFindings.reset();
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
    for (const { id } of found) expect(await statusOf(kit.run(resolveText, { id }, operator))).toBeUndefined();
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
    const whole = { ...exchange, balanceDecimals: () => new Map(Object.entries({ BRL: 0, BTC: 0 })) };
    const venue = superviseVenue(whole, { clock: systemClock, log: quietLog });
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

  const addHedge = () => {
    const quote = newId();
    return kit.database.asOwner(
      `INSERT INTO trading.hedges (quote_id, synthetic, state, due_at) VALUES ('${quote}', false, 'OPEN', now());
       INSERT INTO trading.hedge_orders (id, quote_id, venue, amount, limit_price, state, created_at)
       VALUES ('${newId()}', '${quote}', '${exchange.name}', 1, 1, 'SENDING', now())`,
    );
  };
  const half = { reported_amount: '0.5', filled_amount: '0.5' };
  const filled = `UPDATE trading.executions SET state = 'FILLED', filled_amount = 1, reported_amount = 1`;
  test.each<[string, () => Promise<void>, string]>([
    ...['OPEN', 'UNKNOWN', 'FILLED'].map((state): [string, () => Promise<void>, string] => [
      `an execution there is not settled (${state})`,
      () => addExecution({ ...half, state, reported_amount: '1' }),
      filled,
    ]),
    [
      'an order that rests there is to be looked up',
      () => addExecution({ ...half, state: 'OPEN', next_look_at: 'now' }),
      'UPDATE trading.executions SET next_look_at = NULL',
    ],
    ['a hedge there is not settled', addHedge, `UPDATE trading.hedge_orders SET state = 'REJECTED'`],
  ])('does not count while %s', async (_what, begin, settle) => {
    await begin();
    await tradeByHand();
    await look(5);
    expect(await findings()).toEqual([]);
    await kit.database.asOwner(settle);
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
  const parts = partsOf(kit.database);
  const trading = createTrading({
    ...parts,
    config: { ...parts.config, demo: true },
    exchanges: [exchange],
    balanceLooksMs: 20,
  });
  const running = await trading.open(kit.context);
  try {
    await tradeByHand();
    const aurora = trading.markets.venues.simulated.find(({ synthetic }) => !synthetic);
    if (aurora !== undefined) await tradeByHand(aurora);
    await until('both findings', async () => (await findings()).length >= 2);
    await sleep(200);
    expect((await findings()).map(({ subject }) => subject)).toEqual(Array(2).fill(`venue ${exchange.name}`));
  } finally {
    await running.close();
    await trading.close();
  }
});
