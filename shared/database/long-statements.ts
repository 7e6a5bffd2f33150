import type { Manager } from './manager.js';
import { PreparingClient } from './preparing-client.js';

/** Raises the time limit of the transaction's statements; PostgreSQL cancels at it, and a connection without a response is closed. */
export async function allowLongStatements(manager: Manager, ms: number): Promise<void> {
  const client: unknown = await manager.queryRunner?.connect();
  if (!(client instanceof PreparingClient)) throw new Error('Long statements must run inside a transaction');
  await manager.execute(`SET LOCAL statement_timeout = ${String(ms)}`);
  client.allowLongStatements(ms);
}
