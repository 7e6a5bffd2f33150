import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, jest, test } from '@jest/globals';
import { Decimal } from '../../../shared/kernel/decimal.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { proveLedger } from '../../../subgraphs/trading/ledger/reconcile.js';
import { findInBalances } from '../../../subgraphs/trading/ledger/ledger.store.js';
import { random } from '../../kit/random.js';
import { until } from '../../kit/until.js';
import { createClients, type Act } from '../kill-clients.js';
import { openKillPlatform, type Bank } from '../kill-kit.js';

jest.setTimeout(1_800_000);

// The whole promise is TRADING_KILLS=40. Of ten kills one is PostgreSQL's.
const kills = Number(process.env['TRADING_KILLS'] ?? 2);
const isPostgresTurn = (round: number) => round % 10 === 1;

const platform = await openKillPlatform();
const banks = [await platform.bank(), await platform.bank()];
const clients = createClients(platform, banks);
afterAll(() => platform.close());

/** Where orders stood when their program was killed, and how many in all. */
const struck = {
  /** The hold is not committed. */
  holding: 0,
  /** It is, and the exchange does not have the order yet. */
  sending: 0,
  /** The exchange has it, and has not said so. */
  unanswered: 0,
  /** It has said so, and that is not settled. */
  settling: 0,
  /** A fill of an order that rests was not heard of, or not settled. */
  filling: 0,
  /** A withdrawal is under way to custody. */
  withdrawing: 0,
  /** So is the hedge of a quote. */
  hedging: 0,
};

async function countStruck(underWay: readonly Act[]): Promise<void> {
  const { exchange } = platform;
  const live = await platform.rows<{ id: string; state: string; filled: string }>(
    `SELECT id, state, filled_amount AS filled FROM trading.executions
     WHERE NOT synthetic AND state IN ('SENDING', 'OPEN')`,
  );
  const filledThere = sumByOrder();
  for (const { id, state, filled } of live) {
    if (state === 'OPEN') struck.filling += (filledThere.get(id) ?? new Decimal(0)).greaterThan(filled) ? 1 : 0;
    else if (!exchange.placed.has(id)) struck.sending += 1;
    else if (exchange.answered.has(id)) struck.settling += 1;
    else struck.unanswered += 1;
  }
  const begun = underWay.filter(({ kind }) => kind === 'order');
  const found = await ordersOf(begun);
  struck.holding += begun.length - found.length;
  const [others] = await platform.rows<{ withdrawals: number; hedges: number }>(
    `SELECT (SELECT count(*)::integer FROM trading.withdrawals WHERE state IN ('READY', 'SENDING', 'SENT')) AS withdrawals,
       (SELECT count(*)::integer FROM trading.hedges WHERE state = 'OPEN') AS hedges`,
  );
  struck.withdrawing += others?.withdrawals ?? 0;
  struck.hedging += others?.hedges ?? 0;
}

/** What the exchange executed of each order of the house. */
function sumByOrder(): Map<string, Decimal> {
  const groups = groupBy(platform.exchange.fills, ({ clientOrderId }) => clientOrderId);
  return new Map(
    [...groups].map(([id, own]) => [id, own.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0))]),
  );
}

/** The orders of some requests, found by wallet and amount, which no other has. */
async function ordersOf(acts: readonly Act[]) {
  return platform.rows<{ id: string; wallet: string; amount: string }>(
    `SELECT id, wallet_id AS wallet, amount::text AS amount FROM trading.orders
     WHERE quote_id IS NULL AND (wallet_id, amount) IN (SELECT * FROM unnest($1::uuid[], $2::numeric[]))`,
    [acts.map(({ wallet }) => wallet), acts.map(({ body }) => body['amount'])],
  );
}

function startReaders() {
  const seen: { broken: unknown[]; reads: number; balances: number } = { broken: [], reads: 0, balances: 0 };
  let reading = true;
  const inDatabase = async () => {
    while (reading) {
      const found = await findInBalances(platform.context).catch(() => undefined);
      seen.reads += found === undefined ? 0 : 1;
      seen.broken.push(...(found ?? []));
      await sleep(50);
    }
  };
  const asClient = async (bank: Bank) => {
    while (reading) {
      const reply = await clients.ask(bank, 'GET', '/v1/wallet/fetchBalance');
      const wallets = reply?.status === 200 ? (reply.body['wallets'] as Record<string, string>[]) : [];
      for (const { currency, available = '', locked = '', total = '' } of wallets) {
        seen.balances += 1;
        const adds = new Decimal(available).plus(locked).equals(total);
        if (!adds || available.startsWith('-') || locked.startsWith('-'))
          seen.broken.push({ currency, available, locked, total });
      }
      await sleep(50);
    }
  };
  const lanes = [inDatabase(), ...banks.map(asClient)];
  return {
    stop: async () => {
      reading = false;
      await Promise.all(lanes);
      return seen;
    },
  };
}

/** Waits until so many requests were sent, however long the machine takes. */
const untilActs = (count: number) => until(`act ${count} of the clients`, () => clients.acts.length >= count);

async function killPostgres(): Promise<void> {
  await platform.postgres.kill();
  await platform.postgres.start();
}

async function killProgram(): Promise<void> {
  // Of two kills, one meets all transactions before their commit.
  const letGo = random() < 0.5 ? await platform.stall() : () => Promise.resolve();
  await sleep(20 + random() * 60);
  const underWay = [...clients.underWay];
  const killed = platform.kill();
  await letGo();
  await killed;
  await countStruck(underWay);
  await platform.start();
}

const unfinished = `
  SELECT (SELECT count(*)::integer FROM trading.executions WHERE state IN ('SENDING', 'UNKNOWN') OR next_look_at IS NOT NULL) AS executions,
    (SELECT count(*)::integer FROM trading.hedges WHERE state = 'OPEN') AS hedges,
    (SELECT count(*)::integer FROM trading.withdrawals WHERE state <> 'COMPLETED') AS withdrawals,
    (SELECT count(*)::integer FROM trading.fills WHERE venue = 'boreal') +
      (SELECT count(*)::integer FROM trading.hedge_fills WHERE venue = 'boreal') AS fills`;

/** Waits until all that was under way has come to its end. What rests goes on being filled by strangers until the exchange stands still. */
async function settleDown(): Promise<void> {
  await platform.exchange.exchange.stop();
  const isOver = async () => {
    const over = { executions: 0, hedges: 0, withdrawals: 0, fills: platform.exchange.fills.length };
    expect(await platform.rows(unfinished)).toEqual([over]);
    return true;
  };
  await until('everything to be over', isOver, { within: 90_000 });
}

/** Repeats what has a key: what was acknowledged is told again, and the rest comes to a result. */
async function repeatAll(): Promise<void> {
  const keyed = clients.acts.filter(
    ({ key, result }, index) => key !== undefined && (result === undefined || index % 5 === 0),
  );
  const lane = async () => {
    for (let act = keyed.shift(); act !== undefined; act = keyed.shift()) {
      const again = await clients.repeat(act);
      if (act.result === undefined) act.result = again;
      else expect(again).toEqual(act.result);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

/** What a request may come to; a request that was cut short and comes again, too. */
const results: Readonly<Record<Act['kind'], readonly number[]>> = {
  order: [201, 400],
  cancel: [200, 409],
  quote: [201, 400, 410],
  withdraw: [201, 400],
};

async function expectOrdersOnce(): Promise<void> {
  const strange = clients.acts.filter(
    ({ kind, result }) => result !== undefined && !results[kind].includes(result.status),
  );
  expect(strange.map(({ kind, result }) => ({ kind, result }))).toEqual([]);
  const orders = clients.acts.filter(({ kind }) => kind === 'order');
  const found = groupBy(await ordersOf(orders), ({ wallet, amount }) => `${wallet} ${new Decimal(amount).toFixed()}`);
  for (const { wallet, body, key, result } of orders) {
    const own = found.get(`${wallet} ${new Decimal(body['amount'] ?? 0).toFixed()}`) ?? [];
    // What cannot be repeated was placed or not; the others were, unless they were refused.
    if (result?.status === 201) expect(own.map(({ id }) => id)).toEqual([result.body['orderId']]);
    else expect(own.length).toBeLessThanOrEqual(key === undefined ? 1 : 0);
  }
  const quotes = clients.acts.filter(({ kind, result }) => kind === 'quote' && result?.status === 201);
  const executed = await platform.rows<{ quote: string; id: string }>(
    'SELECT quote_id AS quote, id FROM trading.orders WHERE quote_id IS NOT NULL',
  );
  for (const { body, result } of quotes)
    expect(executed.filter(({ quote }) => quote === body['quoteId'])).toMatchObject([{ id: result?.body['orderId'] }]);
}

/** Both sides of the house agree: nothing was sent twice, and every fill is booked once, for an order or for a hedge. */
async function expectExchangeAgrees(): Promise<void> {
  const { sent, fills } = platform.exchange;
  expect([...sent.values()].filter((times) => times > 1)).toEqual([]);
  const booked = await platform.rows<{ id: string }>(
    `SELECT trade_id AS id FROM trading.fills WHERE venue = 'boreal'
     UNION ALL SELECT trade_id FROM trading.hedge_fills WHERE venue = 'boreal'`,
  );
  expect(booked.map(({ id }) => id).sort()).toEqual(fills.map(({ tradeId }) => tradeId).sort());
  const adrift = await platform.rows(
    `SELECT id FROM trading.orders WHERE quote_id IS NULL AND filled_amount <> (
       SELECT coalesce(sum(fill.amount), 0) FROM trading.fills AS fill
       JOIN trading.executions AS execution ON execution.id = execution_id WHERE order_id = orders.id)
     UNION ALL
     SELECT id FROM trading.executions WHERE filled_amount <> (
       SELECT coalesce(sum(amount), 0) FROM trading.fills WHERE execution_id = executions.id)`,
  );
  expect(adrift).toEqual([]);
}

async function expectWithdrawalsOnce(): Promise<void> {
  const asked = clients.acts.filter(({ kind, result }) => kind === 'withdraw' && result?.status === 201);
  const sends = await platform.rows<{ id: string; amount: string }>(
    'SELECT client_id AS id, amount FROM trading.simulated_sends ORDER BY client_id',
  );
  const done = await platform.rows(`SELECT id, amount FROM trading.withdrawals WHERE state = 'COMPLETED' ORDER BY id`);
  expect(sends).toEqual(done);
  expect(new Set(sends.map(({ id }) => id))).toEqual(new Set(asked.map(({ result }) => result?.body['withdrawalId'])));
}

/** Readers and webhooks are told of each end once; numbers have no gaps. */
async function expectToldOnce(): Promise<void> {
  const wrong = await platform.rows(
    `SELECT 'gap' AS what, wallet_id::text AS id FROM trading.stream_events GROUP BY wallet_id, channel
     HAVING max(event_id) <> count(*) OR min(event_id) <> 1
     UNION ALL
     SELECT 'last event', id::text FROM trading.orders WHERE status IS DISTINCT FROM (
       SELECT data->>'status' FROM trading.stream_events AS event
       WHERE event.wallet_id = orders.wallet_id AND channel = 'orders' AND data->>'orderId' = orders.id::text
       ORDER BY event_id DESC LIMIT 1)
     UNION ALL
     SELECT 'webhook', id::text FROM trading.orders WHERE NOT synthetic AND status IN ('FILLED', 'CANCELLED') AND 1 <> (
       SELECT count(*) FROM shared.outbox WHERE key = orders.id::text AND payload->'data'->>'status' = orders.status
         AND topic = 'order.' || lower(orders.status))
     UNION ALL
     SELECT 'webhook', id::text FROM trading.withdrawals WHERE NOT synthetic AND state = 'COMPLETED' AND 1 <> (
       SELECT count(*) FROM shared.outbox WHERE topic = 'withdrawal.completed' AND payload::text LIKE '%' || withdrawals.id || '%')`,
  );
  expect(wrong).toEqual([]);
}

test('a program that is killed at any moment, and its database too, loses and doubles nothing, and no read sees anything amiss', async () => {
  const readers = startReaders();
  let seen: Awaited<ReturnType<typeof readers.stop>>;
  clients.start();
  try {
    for (let round = 0; round < kills; round += 1) {
      await untilActs(clients.acts.length + 60);
      await (isPostgresTurn(round) ? killPostgres() : killProgram());
    }
    await untilActs(clients.acts.length + 20);
    await clients.stop();
    platform.exchange.calm();
    await repeatAll();
    await settleDown();
  } finally {
    await clients.stop();
    seen = await readers.stop();
  }
  const { broken, ...reads } = seen;
  if (kills >= 20) console.info(JSON.stringify({ kills, acts: clients.acts.length, ...reads, struck }));
  expect(broken).toEqual([]);
  expect([seen.reads > kills, seen.balances > kills]).toEqual([true, true]);
  expect(await proveLedger(platform.context)).toEqual([]);
  expect(await platform.rows('SELECT * FROM trading.reconciliation_findings')).toEqual([]);
  await expectOrdersOnce();
  await expectExchangeAgrees();
  await expectWithdrawalsOnce();
  await expectToldOnce();
  if (kills >= 20) expect(Object.entries(struck).filter(([, times]) => times === 0)).toEqual([]);
});
