import { afterAll, expect, test } from '@jest/globals';
import { killWhen, moduleAt } from '../kit/killed-process.js';
import { contracts } from './kit.js';
import { openSettlements, payment, processDue } from './settlement-kit.js';

// An instance in a process of its own, so that it can be killed as a machine kills.
const program = (now: string) => `
  const { openDatabase } = await import(${moduleAt('shared/database/database.ts')});
  const { testContext } = await import(${moduleAt('tests/kit/context.ts')});
  const { fixedClock } = await import(${moduleAt('tests/kit/clock.ts')});
  const { createRelay } = await import(${moduleAt('shared/events/outbox/relay.ts')});
  const { processDue } = await import(${moduleAt('tests/credit-assignment/settlement-kit.ts')});
  const { applySettlements } = await import(${moduleAt('subgraphs/tokenization/assignments/apply-settlements.ts')});
  const { concludeBatches } = await import(${moduleAt('subgraphs/credit-assignment/processing/process-batch.ts')});
  const { settlementBatches } = await import(${moduleAt('subgraphs/credit-assignment/settlement-batches/settlement-batch.kind.ts')});
  const { manager } = await openDatabase({ url: process.argv[1], poolSize: 2, applicationName: 'killed' });
  const context = testContext({ manager, clock: fixedClock('${now}') });
  await processDue(context);
  await createRelay(context, { consumers: [applySettlements, concludeBatches(settlementBatches)], batchSize: 1 }).drain();
  await new Promise(() => setInterval(() => undefined, 1000));`;

const kit = await openSettlements();
afterAll(() => kit.close());
const bank = await kit.client();

const count = async (text: string) =>
  (await kit.platform.manager.value<number>(`SELECT count(*)::int FROM ${text}`)) ?? 0;

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
    const now = kit.clock.now().toISOString();
    const isReached = async () => (await count(reached)) > before;
    expect(await killWhen(kit.platform.manager, program(now), [kit.database.url], isReached)).toBe(true);

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
