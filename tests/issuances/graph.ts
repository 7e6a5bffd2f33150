import { parse, type GraphQLSchema } from 'graphql';
import { testContext, testKeyRing } from '../kit/context.js';
import { countQueries } from '../kit/count-queries.js';
import { openTestDatabase, type TestDatabase } from '../kit/database.js';
import type { Context } from '../../shared/kernel/context.js';
import { fixedClock } from '../kit/clock.js';
import { createExecutor } from '../../shared/graphql/execute.js';
import type { GraphResult, Executor } from '../../shared/graphql/executor.js';
import { createIssuances } from '../../subgraphs/issuances/subgraph.js';

/** The subgraph on a database of its own. */
export interface TestGraph extends TestDatabase {
  readonly schema: GraphQLSchema;
  readonly executor: Executor;
  readonly clock: ReturnType<typeof fixedClock>;
  /** A fresh request's context: an API key, unless told otherwise. */
  context(parts?: Partial<Context>): Context;
  /** Runs a document in a request of its own. */
  run(document: string, variables?: Readonly<Record<string, unknown>>, parts?: Partial<Context>): Promise<GraphResult>;
  /** The data of a document that must not fail. */
  data(document: string, variables?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>>;
  /** How many statements `work` sends to the database. */
  countQueries(work: () => Promise<unknown>): Promise<number>;
}

/** São Paulo is at noon of this day. */
export const now = '2026-11-20T15:00:00Z';

const apiKey = { kind: 'API_KEY', id: 'key', ownerId: 'account', scopes: [] } as const;

export async function openTestGraph(inventoryMaxContracts = 5000): Promise<TestGraph> {
  const database = await openTestDatabase();
  const { dataSource } = database;
  const clock = fixedClock(now);
  const subgraph = await createIssuances({ config: { inventoryMaxContracts }, keyRing: testKeyRing, dataSource });
  const executor = createExecutor(subgraph.schema, testKeyRing);
  const context: TestGraph['context'] = (parts) =>
    testContext({ manager: dataSource.manager, clock, principal: apiKey, ...parts });
  const run: TestGraph['run'] = (document, variables, parts) =>
    executor.execute({ document: parse(document), variables }, context(parts));
  return {
    ...database,
    schema: subgraph.schema,
    executor,
    clock,
    context,
    run,
    data: async (document, variables) => {
      const answer = await run(document, variables);
      if (answer.errors !== undefined || answer.data == null) throw new Error(JSON.stringify(answer));
      return answer.data;
    },
    countQueries: (work) => countQueries(dataSource, work),
  };
}
