import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Principal } from '../../shared/kernel/context.js';
import { until } from '../kit/until.js';
import { contracts } from './kit.js';
import { openSettlements, payment, processDue, type SettlementKit } from './settlement-kit.js';

const root = new URL('../../', import.meta.url);
const at = (path: string) => JSON.stringify(new URL(path, root).href);
const loader = `import { register } from 'node:module'; register(${at('tests/kit/typescript-loader.mjs')});`;
// An instance in a process of its own, so that it can be killed as a machine kills.
const program = (now: string) => `
  const { openDatabase } = await import(${at('shared/database/database.ts')});
  const { testContext } = await import(${at('tests/kit/context.ts')});
  const { fixedClock } = await import(${at('shared/kernel/clock.ts')});
  const { createRelay } = await import(${at('shared/events/outbox/relay.ts')});
  const { processDue } = await import(${at('tests/credit-assignment/settlement-kit.ts')});
  const { applySettlements } = await import(${at('subgraphs/tokenization/assignments/apply-settlements.ts')});
  const { concludeBatches } = await import(${at('subgraphs/credit-assignment/processing/conclude-batches.ts')});
  const { settlementBatches } = await import(${at('subgraphs/credit-assignment/settlement-batches/settlement-batch.kind.ts')});
  const { manager } = await openDatabase({ url: process.argv[1], poolSize: 2, applicationName: 'killed' });
  const context = testContext({ manager, clock: fixedClock('${now}') });
  await processDue(context);
  await createRelay(context, { consumers: [applySettlements, concludeBatches(settlementBatches)], batchSize: 1 }).drain();
  await new Promise(() => setInterval(() => undefined, 1000));`;

let kit: SettlementKit;
let bank: Principal;

beforeAll(async () => {
  kit = await openSettlements();
  bank = await kit.client();
});
afterAll(() => kit.close());

const count = async (text: string): Promise<number> => {
  const [row] = await kit.platform.manager.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${text}`);
  return row?.n ?? 0;
};

async function killWhen(reached: () => Promise<boolean>): Promise<void> {
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(loader)}`, '--input-type=module'];
  const now = kit.clock.now().toISOString();
  const child = spawn(process.execPath, [...flags, '-e', program(now), '--', kit.database.url], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  // eslint-disable-next-line no-restricted-syntax -- until looks too seldom for a moment that is as short as this one.
  while (!(await reached()) && child.exitCode === null) await sleep(2);
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await ended;
  // PostgreSQL ends the statement that was under way first; until then its locks are held, and a claim passes over them.
  await until(
    'the connections of the killed process to end',
    async () =>
      (await count(`pg_stat_activity WHERE datname = current_database() AND application_name = 'killed'`)) === 0,
  );
}

test.each([
  ['claimed', `credit_assignment.settlement_batches WHERE lease IS NOT NULL`],
  ['decided', `credit_assignment.outstanding_pieces`],
  ['halfway into the assets', 'tokenization.settled_pieces'],
])(
  'a batch whose instance is killed once it is %s goes on where it stands, and nothing is taken twice',
  async (_, reached) => {
    const { id, ids } = await kit.assigned(bank, contracts(3000, 'K'));
    const before = await count(reached);
    const made = await kit.settled(
      bank,
      id,
      ids.map((one) => payment(one, '60')),
    );
    kit.clock.advance(30_000);
    await killWhen(async () => (await count(reached)) > before);

    kit.clock.advance(60_001);
    await processDue(kit.platform);
    await kit.drain();
    expect(
      await kit.platform.manager.query(
        `SELECT batch.status, (SELECT sum(open_balance) FROM credit_assignment.receivables WHERE batch_id = $2) AS open,
           (SELECT sum(current_balance) FROM tokenization.assets WHERE batch_id = $2) AS balance,
           (SELECT sum(received) FROM tokenization.assets WHERE batch_id = $2) AS received
         FROM credit_assignment.settlement_batches AS batch WHERE id = $1`,
        [made, id],
      ),
    ).toEqual([{ status: 'PROCESSED', open: '121500.00', balance: '121500.00', received: '180000.00' }]);
    expect(await kit.told(made)).toEqual(['settlement.processed', 'settlement_batch.processed']);
    expect(await count(`shared.outbox WHERE topic = 'receivables.settled' AND key = '${made}'`)).toBe(3);
    expect(await count('credit_assignment.outstanding_pieces')).toBe(0);
  },
  300_000,
);
