import { afterAll, expect, test } from '@jest/globals';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/kernel/ids.js';
import { postJournals, type Journal } from '../../subgraphs/trading/ledger/post-journals.js';
import { fundSynthetic } from '../../subgraphs/trading/profiles/profiles.acts.js';
import { lastro } from '../kit/command-line.js';
import { testMasterKey } from '../kit/context.js';
import { openTestPlatform } from '../kit/platform.js';
import { newOperator } from '../kit/operator.js';
import { journal, move } from './ledger/kit.js';
import { newTrader, plenty, tradingCallerOf, walletOf } from './kit.js';

const platform = await openTestPlatform(plenty);
const context = platform.infrastructure.context;
const olga = await newOperator(context, ['trade', 'administer']);
Object.assign(process.env, {
  DATABASE_URL: platform.infrastructure.databaseUrl,
  DATA_DIR: platform.dataDir,
  LOG_LEVEL: 'fatal',
  LASTRO_OPERATOR_KEY: olga.key,
  MASTER_KEY: testMasterKey.toString('base64'),
});
afterAll(() => platform.close());

const entries = async (action: string) =>
  (
    await context.manager.query<{ after: unknown }[]>(
      `SELECT "after" FROM shared.audit_log WHERE action = $1 AND outcome = 'DONE' ORDER BY id`,
      [action],
    )
  ).map(({ after }) => after);

const done = (stdout: unknown) => ({ code: 0, stderr: '', stdout });

async function json<T>(...args: string[]): Promise<T> {
  const printed = await lastro(...args, '--json');
  if (printed.code !== 0) throw new Error(printed.stderr);
  return JSON.parse(printed.stdout) as T;
}

test('an order in quarantine is listed with its execution, and settled by what the operator found out', async () => {
  const trader = await newTrader(context, { fund: fundSynthetic });
  const caller = tradingCallerOf(platform);
  const { headers } = await caller.session(trader);
  const placed = await caller.graphql(
    'mutation { createOrder(symbol: "BTC/BRL", side: BUY, type: LIMIT, amount: "1", price: "1000.00", synthetic: true) { orderId } }',
    {},
    headers,
  );
  const { orderId } = (placed.body as { data: { createOrder: { orderId: string } } }).data.createOrder;
  await context.manager.query(
    `UPDATE trading.executions SET state = 'UNKNOWN', next_look_at = NULL WHERE order_id = $1`,
    [orderId],
  );
  await context.manager.query('UPDATE trading.orders SET quarantined_at = now() WHERE id = $1', [orderId]);
  const listed = await json<{ orderId: string; executions: { id: string }[] }[]>('quarantinedOrders');
  expect(listed).toMatchObject([{ orderId, executions: [{ limitPrice: '1000', filledAmount: '0' }] }]);
  const id = listed[0]?.executions[0]?.id ?? '';
  const fill = (outcome: string, ...more: string[]) =>
    lastro('resolveExecution', '--id', id, '--outcome', outcome, ...more, '--reason', 'Statement of the exchange');
  expect(await fill('filled', '--amount', '1.5', '--price', '1000.01')).toMatchObject({
    code: 1,
    stderr:
      '--amount must be greater than 0 and at most 1\n--price must be at most 1000, which is the limit of the execution\n',
  });
  expect(await fill('cancelled', '--amount', '0.4', '--price', '990')).toEqual(
    done(expect.stringMatching(new RegExp(`^orderId +${orderId}\n[^]*^status +CANCELLED$`, 'm'))),
  );
  expect(await entries('resolveExecution')).toMatchObject([{ amount: '0.4', reason: 'Statement of the exchange' }]);
  expect(await fill('lost')).toMatchObject({ code: 2 });
  const hedge = ['--id', newId(), '--outcome', 'rejected', '--reason', 'x'];
  expect(await lastro('resolveHedgeOrder', ...hedge)).toMatchObject({
    code: 1,
    stderr: 'There is no such hedge order\n',
  });
  expect(await lastro('openHedges')).toEqual(done('There are none.\n'));
});

test('what reconciliation finds is shown in the metrics, halts its currency, and is resolved with it', async () => {
  const trader = await newTrader(context);
  const { id: walletId } = await walletOf(trader);
  const [capital, custody] = [
    { kind: 'CAPITAL', currency: 'ETH' },
    { kind: 'CUSTODY', currency: 'ETH' },
  ] as const;
  const post = (parts: Partial<Journal>) => inTransaction(context, (tx) => postJournals(tx, [journal(parts)]));
  await post(move(capital, { kind: 'AVAILABLE', walletId, currency: 'ETH' }, '2'));
  expect(await json('reconcileLedger')).toMatchObject([
    { invariant: 'LIABILITIES_COVERED', currency: 'ETH', expected: 'at least 2', actual: '0' },
  ]);
  const metrics = await (await fetch(`${platform.url}/metrics`)).text();
  expect(metrics).toMatch(/^trading_reconciliation_findings_open 1$/m);
  expect(metrics).toMatch(/^trading_oldest_open_hedge_seconds 0$/m);
  expect(await json('currencyHalts')).toMatchObject([
    { currency: 'ETH', reason: 'Reconciliation: LIABILITIES_COVERED' },
  ]);
  await post(move(custody, capital, '2'));
  expect(await lastro('resumeCurrency', '--currency', 'ETH', '--reason', 'Booked late')).toEqual(done('1\n'));
  expect(await lastro('reconcileLedger')).toEqual(done('There are none.\n'));
  expect(await entries('resumeCurrency')).toMatchObject([{ currency: 'ETH', resolved: 1 }]);
});
