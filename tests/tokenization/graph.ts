import { parse } from 'graphql';
import { operator, quietLog, testContext, testKeyRing } from '../kit/context.js';
import { countQueries } from '../kit/count-queries.js';
import { openTestDatabase } from '../kit/database.js';
import { until } from '../kit/until.js';
import { fixedClock } from '../kit/clock.js';
import { anonymous } from '../../shared/kernel/context.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import { createTokenization } from '../../subgraphs/tokenization/subgraph.js';

/** The subgraph on a database of its own, asked by a stranger without a credential. */
export async function openTokenizationGraph() {
  const database = await openTestDatabase();
  const { dataSource } = database;
  const clock = fixedClock('2026-11-20T15:00:00Z');
  const tokenization = await createTokenization({
    config: { chain: undefined },
    keyRing: testKeyRing,
    dataSource,
    log: quietLog,
  });
  const { schema, jobs, consumers = [] } = tokenization;
  const executor = createExecutor(schema, testKeyRing);
  /** A context of the operator, a second after the one before: every act and read has a moment of its own. */
  const acting = () => {
    clock.advance(1000);
    return testContext({ manager: dataSource.manager, clock, principal: operator });
  };
  return {
    ...database,
    acting,
    /** Runs a document as the operator. */
    operate: (document: string) => executor.execute({ document: parse(document) }, acting()),
    close: async () => {
      await tokenization.close();
      await database.close();
    },
    schema,
    executor,
    jobs,
    consumers,
    clock,
    /** Deletes estates with all that belongs to them, and events; then it is noon of 2026-06-10 in São Paulo. */
    empty: async () => {
      clock.set('2026-06-10T15:00:00Z');
      // A run of prices that a test has woken may still hold some of them.
      await until('the tables to be free', async () => {
        await database.asOwner('TRUNCATE tokenization.patrimonies, tokenization.asset_totals, shared.outbox CASCADE');
        return true;
      });
    },
    data: async (document: string, variables?: Readonly<Record<string, unknown>>) => {
      const context = testContext({ manager: dataSource.manager, clock, principal: anonymous('127.0.0.1') });
      const answer = await executor.execute({ document: parse(document), variables }, context);
      if (answer.errors !== undefined || answer.data == null) throw new Error(JSON.stringify(answer));
      return answer.data;
    },
    countQueries: (work: () => Promise<unknown>) => countQueries(dataSource, work),
  };
}
