import type { Manager } from './manager.js';
import { PreparingClient } from './preparing-client.js';

/**
 * Raises the time limit of the current transaction's statements, for imports and migrations, which move many rows. After that time PostgreSQL cancels a
 * statement, and the connection of one without a response is closed.
 */
export async function allowLongStatements(manager: Manager, ms: number): Promise<void> {
  const client: unknown = await manager.queryRunner?.connect();
  if (!(client instanceof PreparingClient)) throw new Error('Long statements must run inside a transaction');
  await manager.execute(`SET LOCAL statement_timeout = ${String(ms)}`);
  client.allowLongStatements(ms);
}
