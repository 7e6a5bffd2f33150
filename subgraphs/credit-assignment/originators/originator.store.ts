import type { Context } from '../../../shared/context.js';

/** A client of the credit-assignment interface, as it is stored. */
export interface OriginatorRow {
  readonly id: string;
  readonly name: string;
  readonly accountId: string | null;
  readonly rateLimit: number | null;
  readonly status: 'ACTIVE' | 'SUSPENDED';
  readonly createdAt: Date;
}

/** Every client, the newest first, at most `limit`. */
export function listOriginators({ manager }: Context, limit: number): Promise<OriginatorRow[]> {
  return manager.query(
    `SELECT id, name, account_id AS "accountId", rate_limit AS "rateLimit", status, created_at AS "createdAt"
     FROM credit_assignment.originators ORDER BY id DESC LIMIT $1`,
    [limit],
  );
}

/** The clients whose batches a caller may see: a client itself; an account's people and keys those that are linked with it. */
export async function originatorsOf({ principal, manager }: Context): Promise<readonly string[]> {
  if (principal.kind === 'CLIENT') return [principal.ownerId];
  if (principal.kind === 'ANONYMOUS') return [];
  const rows: { id: string }[] = await manager.query(
    'SELECT id FROM credit_assignment.originators WHERE account_id = $1 ORDER BY id LIMIT 100',
    [principal.ownerId],
  );
  return rows.map(({ id }) => id);
}
