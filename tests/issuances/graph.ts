import { parse } from 'graphql';
import { testContext, testKeyRing } from '../kit/context.js';
import { countQueries } from '../kit/count-queries.js';
import { openTestDatabase } from '../kit/database.js';
import type { Context } from '../../shared/kernel/context.js';
import { fixedClock } from '../kit/clock.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import { createIssuances } from '../../subgraphs/issuances/subgraph.js';

/** São Paulo is at noon of this day. */
export const now = '2026-11-20T15:00:00Z';

const apiKey = { kind: 'API_KEY', id: 'key', ownerId: 'account', scopes: [] } as const;

/** The subgraph on a database of its own. */
export async function openTestGraph(inventoryMaxContracts = 5000) {
  const database = await openTestDatabase();
  const { dataSource } = database;
  const clock = fixedClock(now);
  const subgraph = await createIssuances({ config: { inventoryMaxContracts }, keyRing: testKeyRing, dataSource });
  const executor = createExecutor(subgraph.schema, testKeyRing);
  /** A fresh request's context: an API key, unless told otherwise. */
  const context = (parts?: Partial<Context>) =>
    testContext({ manager: dataSource.manager, clock, principal: apiKey, ...parts });
  const run = (document: string, variables?: Readonly<Record<string, unknown>>, parts?: Partial<Context>) =>
    executor.execute({ document: parse(document), variables }, context(parts));
  return {
    ...database,
    schema: subgraph.schema,
    executor,
    clock,
    context,
    run,
    data: async (document: string, variables?: Readonly<Record<string, unknown>>) => {
      const answer = await run(document, variables);
      if (answer.errors !== undefined || answer.data == null) throw new Error(JSON.stringify(answer));
      return answer.data;
    },
    countQueries: (work: () => Promise<unknown>) => countQueries(dataSource, work),
  };
}
