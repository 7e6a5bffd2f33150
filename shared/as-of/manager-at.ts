import type { DataSource } from 'typeorm';
import { Manager } from '../database/manager.js';
import { createRewriter, type TablesAsOf } from './rewrite.js';

type Rewriter = ReturnType<typeof createRewriter>;

const rewriters = new WeakMap<DataSource, Promise<Rewriter>>();

/**
 * Creates a manager that reads the database as of a moment, through the same stores as usual: every versioned table is replaced by the function that
 * returns its rows at that moment. It rejects everything but reads. Each statement takes a connection from the pool and returns it; inside a transaction
 * it uses that transaction's.
 */
export function managerAt(manager: Manager, moment: Date): Manager {
  const { dataSource } = manager;
  // It holds no connection: its own `query` is replaced below, and nothing else of it is used.
  const runner = dataSource.createQueryRunner();
  const query = async (sql: string, parameters: unknown[] = [], structured = false): Promise<unknown> => {
    const rewritten = (await rewriterOf(manager))({ sql, parameters }, moment);
    const result = await manager.statement(rewritten.sql, rewritten.parameters);
    return structured ? result : result.records;
  };
  const refuse = () => Promise.reject(new Error('A past state is read-only and has no transactions'));
  Object.assign(runner, { query, startTransaction: refuse, stream: refuse });
  return new Manager(dataSource, runner);
}

/** Returns the rewriter of a database, made once; a failure is not remembered. */
function rewriterOf(manager: Manager): Promise<Rewriter> {
  const { dataSource } = manager;
  const known = rewriters.get(dataSource);
  if (known !== undefined) return known;
  const made = readTables(manager).then(createRewriter);
  rewriters.set(dataSource, made);
  made.catch(() => rewriters.delete(dataSource));
  return made;
}

/** Reads the tables `t` with a function `t(timestamptz)` that returns their rows, or `t_as_of(timestamptz)`, which takes precedence. */
async function readTables(manager: Manager): Promise<TablesAsOf> {
  const rows = await manager.rows<{ name: string; reader: string }>(
    `SELECT n.nspname || '.' || c.relname AS name, n.nspname || '.' || p.proname AS reader
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     JOIN pg_class c ON c.reltype = p.prorettype AND c.relnamespace = n.oid
     WHERE p.proretset AND p.pronargs = 1 AND p.proargtypes[0] = 'timestamptz'::regtype
       AND p.proname IN (c.relname, c.relname || '_as_of')
     ORDER BY p.proname`,
  );
  return new Map(rows.map(({ name, reader }) => [name, reader]));
}
