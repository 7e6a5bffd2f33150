import type { DataSource, QueryRunner } from 'typeorm';
import { Manager } from '../database/manager.js';
import { lazily } from '../lazily.js';
import { createRewriter, type Statement, type TablesAsOf } from './rewrite.js';

type Rewriter = ReturnType<typeof createRewriter>;

const rewriters = new WeakMap<DataSource, () => Promise<Rewriter>>();

/**
 * Creates a manager that reads the database as of a moment, through the same stores as usual: every versioned table is replaced by the function that
 * returns its rows at that moment. It rejects everything but reads. Each statement takes a connection from the pool and returns it; inside a transaction
 * it uses that transaction's.
 */
export function managerAt(manager: Manager, moment: Date): Manager {
  const { dataSource, queryRunner } = manager;
  const rewriter = rewriterOf(dataSource);
  // It holds no connection: its own `query` is replaced below, and nothing else of it is used.
  const runner = dataSource.createQueryRunner();
  const query = async (sql: string, parameters: unknown[] = [], structured = false): Promise<unknown> => {
    const rewritten = (await rewriter())({ sql, parameters }, moment);
    return queryRunner === undefined
      ? withConnection(dataSource, (own) => run(own, rewritten, structured))
      : run(queryRunner, rewritten, structured);
  };
  const refuse = () => Promise.reject(new Error('A past state is read-only and has no transactions'));
  Object.assign(runner, { query, startTransaction: refuse, stream: refuse });
  return new Manager(dataSource, runner);
}

function run(runner: QueryRunner, { sql, parameters }: Statement, structured: boolean): Promise<unknown> {
  return structured ? runner.query(sql, [...parameters], true) : runner.query(sql, [...parameters]);
}

async function withConnection<T>(dataSource: DataSource, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  const own = dataSource.createQueryRunner();
  try {
    return await work(own);
  } finally {
    await own.release();
  }
}

function rewriterOf(dataSource: DataSource): () => Promise<Rewriter> {
  const known = rewriters.get(dataSource);
  if (known !== undefined) return known;
  const made = lazily(async () => createRewriter(await readTables(dataSource)));
  rewriters.set(dataSource, made);
  return made;
}

/** Reads the tables `t` with a function `t(timestamptz)` that returns their rows, or `t_as_of(timestamptz)`, which takes precedence. */
async function readTables(dataSource: DataSource): Promise<TablesAsOf> {
  const rows = await dataSource.query<{ name: string; reader: string }[]>(
    `SELECT n.nspname || '.' || c.relname AS name, n.nspname || '.' || p.proname AS reader
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     JOIN pg_class c ON c.reltype = p.prorettype AND c.relnamespace = n.oid
     WHERE p.proretset AND p.pronargs = 1 AND p.proargtypes[0] = 'timestamptz'::regtype
       AND p.proname IN (c.relname, c.relname || '_as_of')
     ORDER BY p.proname`,
  );
  return new Map(rows.map(({ name, reader }) => [name, reader]));
}
