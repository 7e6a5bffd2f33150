import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Context } from '../../shared/context.js';
import { inTransaction } from '../../shared/database/transaction.js';
import { newId } from '../../shared/ids.js';
import { postJournals } from '../../subgraphs/trading/ledger/post-journals.js';
import { fundSynthetic } from '../../subgraphs/trading/transfers/fund-synthetic.js';
import { openCredentials } from '../../subgraphs/trading/venues/configured/credentials.js';
import { lastro } from '../kit/command-line.js';
import { testMasterKey } from '../kit/context.js';
import { openTestPlatform, type TestPlatform } from '../kit/platform.js';
import { newOperator } from '../kit/operator.js';
import { newTrader, plenty, tradingCallerOf, walletOf } from './kit.js';

let platform: TestPlatform;
let context: Context;

beforeAll(async () => {
  platform = await openTestPlatform(plenty);
  context = platform.infrastructure.context;
  const olga = await newOperator(context, ['trade', 'administer']);
  Object.assign(process.env, {
    DATABASE_URL: platform.infrastructure.databaseUrl,
    DATA_DIR: platform.dataDir,
    LOG_LEVEL: 'fatal',
    LASTRO_OPERATOR_KEY: olga.key,
    MASTER_KEY: testMasterKey.toString('base64'),
  });
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

test('markets are listed, halted, changed and resumed, one and all of them, and each act is on record', async () => {
  expect(await lastro('market', 'halt', 'BTC/BRL', '--reason', 'Maintenance')).toEqual(done('BTC/BRL is HALTED.\n'));
  expect(await lastro('market', 'halt', '--all', '--reason', 'Incident', '--json')).toMatchObject({ code: 0 });
  const listed = JSON.parse((await lastro('market', 'list', '--json')).stdout) as { markets: object[] };
  expect(listed).toMatchObject({ status: { halted: true, reason: 'Incident' } });
  expect(listed.markets).toContainEqual(
    expect.objectContaining({ symbol: 'BTC/BRL', status: 'HALTED', haltReason: 'Maintenance' }),
  );
  expect(await lastro('market', 'resume', '--all')).toEqual(done('Trading is ACTIVE.\n'));
  expect(await lastro('market', 'change', 'BTC/BRL', '--collar', '51')).toMatchObject({
    code: 1,
    stderr: '--collar must be greater than 0 and at most 50\n',
  });
  expect(await lastro('market', 'resume', 'BTC/BRL')).toEqual(done('BTC/BRL is ACTIVE.\n'));
  expect(await entries('haltTrading')).toMatchObject([{ halted: true, reason: 'Incident' }]);
  expect(await entries('haltMarket')).toMatchObject([{ haltReason: 'Maintenance' }]);
  expect(await lastro('market', 'halt', 'BTC/BRL')).toMatchObject({ code: 2 });
  expect(await lastro('market', 'resume', 'BTC/BRL', '--all')).toMatchObject({ code: 2 });
});

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
  const listed = JSON.parse((await lastro('order', 'quarantine', '--json')).stdout) as {
    orderId: string;
    executions: { id: string }[];
  }[];
  expect(listed).toMatchObject([{ orderId, executions: [{ limitPrice: '1000', filledAmount: '0' }] }]);
  const id = listed[0]?.executions[0]?.id ?? '';
  const fill = (...more: string[]) => lastro('order', 'resolve', id, ...more, '--reason', 'Statement of the exchange');
  expect(await fill('filled', '--amount', '1.5', '--price', '1000.01')).toMatchObject({
    code: 1,
    stderr:
      'amount must be greater than 0 and at most 1\nprice must be at most 1000, which is the limit of the execution\n',
  });
  expect(await fill('cancelled', '--amount', '0.4', '--price', '990')).toEqual(
    done(`The order ${orderId} is CANCELLED, with 0.40000000 filled.\n`),
  );
  expect(await entries('resolveExecution')).toMatchObject([{ amount: '0.4', reason: 'Statement of the exchange' }]);
  expect(await lastro('order', 'resolve', id, 'lost', '--reason', 'x')).toMatchObject({ code: 2 });
  expect(await lastro('order', 'resolve-hedge', newId(), 'rejected', '--reason', 'x')).toMatchObject({
    code: 1,
    stderr: 'There is no such hedge order\n',
  });
  expect(await lastro('ledger', 'hedges')).toMatchObject({ code: 0 });
});

test('what reconciliation finds is shown in the metrics, halts its currency, and is resolved with it', async () => {
  const trader = await newTrader(context);
  const { id: walletId } = await walletOf(trader);
  const move = (from: 'CAPITAL' | 'CUSTODY', amount: string) =>
    inTransaction(context, (tx) =>
      postJournals(tx, [
        {
          key: newId(),
          cause: 'test',
          causeId: newId(),
          synthetic: false,
          postings:
            from === 'CAPITAL'
              ? [
                  { account: { kind: 'CAPITAL', currency: 'ETH' }, amount: `-${amount}` },
                  { account: { kind: 'AVAILABLE', walletId, currency: 'ETH' }, amount },
                ]
              : [
                  { account: { kind: 'CUSTODY', currency: 'ETH' }, amount: `-${amount}` },
                  { account: { kind: 'CAPITAL', currency: 'ETH' }, amount },
                ],
        },
      ]),
    );
  await move('CAPITAL', '2');
  const found = await lastro('ledger', 'reconcile');
  expect(found).toEqual(done(expect.stringMatching(/^\S+ {2}LIABILITIES_COVERED {2}ETH: 0 instead of at least 2 /)));
  const metrics = await (await fetch(`${platform.url}/metrics`)).text();
  expect(metrics).toMatch(/^trading_reconciliation_findings_open 1$/m);
  expect(metrics).toMatch(/^trading_oldest_open_hedge_seconds 0$/m);
  expect((await lastro('ledger', 'halts')).stdout).toMatch(
    /^ETH {2}since \S+ {2}Reconciliation: LIABILITIES_COVERED\n$/,
  );
  await move('CUSTODY', '2');
  expect(await lastro('ledger', 'resume', 'ETH', '--reason', 'Booked late')).toEqual(
    done('Trading of ETH is resumed; 1 findings are resolved.\n'),
  );
  expect(await lastro('ledger', 'reconcile')).toEqual(done('There are no findings.\n'));
  expect(await entries('resumeCurrency')).toMatchObject([{ currency: 'ETH', resolved: 1 }]);
});

test('the ledger is corrected by postings of a file or of options, once a key', async () => {
  const trader = await newTrader(context);
  const listed = JSON.parse((await lastro('ledger', 'wallets', trader.companyId, '--json')).stdout) as { id: string }[];
  const { id } = await walletOf(trader);
  expect(listed).toMatchObject([{ id, synthetic: false }, { synthetic: true }]);
  const file = join(platform.dataDir, 'postings.json');
  const postings = [
    { account: 'AVAILABLE', walletId: id, currency: 'USDT', amount: '12.5' },
    { account: 'CUSTODY', currency: 'USDT', amount: '-12.5' },
  ];
  await writeFile(file, JSON.stringify(postings));
  const correct = (...more: string[]) =>
    lastro('ledger', 'correct', '--key', 'ticket-1', '--reason', 'Not credited', ...more);
  const posted = await correct('--postings', file);
  expect(posted).toEqual(done(expect.stringMatching(/^The journal \S+ is posted\.\n$/)));
  const options = ['--posting', `AVAILABLE/${id}:USDT:12.5`, '--posting', 'CUSTODY:USDT:-12.5'];
  const again = JSON.parse((await correct(...options, '--json')).stdout) as object;
  expect(again).toMatchObject({ key: 'ticket-1', repeated: true });
  expect(await correct('--posting', `AVAILABLE/${id}:USDT:12.5`, '--posting', 'CUSTODY:USDT:-12')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'postings must sum to zero in USDT, but the sum is 0.5\n',
  });
  expect(await correct()).toMatchObject({ code: 2 });
  expect(await correct('--postings', file, ...options)).toMatchObject({ code: 2 });
  expect(await entries('postCorrection')).toMatchObject([{ postings, repeated: false }, { repeated: true }]);
});

test('a venue is added with keys that come by standard input, and listed without them', async () => {
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin');
  Object.defineProperty(process, 'stdin', { value: Readable.from(['the-key\nthe-secret\n']), configurable: true });
  try {
    const wanted = ['--exchange', 'kraken', '--symbols', 'BTC/BRL,ETH/BRL', '--maker-fee', '0.1', '--taker-fee', '0.2'];
    const added = await lastro('venue', 'add', 'casa-kraken', ...wanted);
    expect(added).toEqual(done('casa-kraken is added. The server connects to it at its next start.\n'));
  } finally {
    if (stdin !== undefined) Object.defineProperty(process, 'stdin', stdin);
  }
  expect(await lastro('venue', 'list')).toEqual(
    done('casa-kraken  kraken  BTC/BRL,ETH/BRL  fees 0.1% and 0.2%  in use\n'),
  );
  const [row] = await context.manager.query<{ credentials: Buffer }[]>('SELECT credentials FROM trading.venues');
  expect(openCredentials(platform.infrastructure.keyRing, row?.credentials ?? Buffer.alloc(0))).toEqual({
    apiKey: 'the-key',
    secret: 'the-secret',
  });
  expect(JSON.stringify(await entries('addTradingVenue'))).not.toMatch(/the-(key|secret)/);
});
