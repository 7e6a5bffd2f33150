import type { Context } from '../../../shared/kernel/context.js';
import { requireFound } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { OriginatorStatus } from './originator.js';

export interface OriginatorRow {
  readonly id: string;
  readonly name: string;
  readonly accountId: string | null;
  readonly accountMaySend: boolean;
  readonly rateLimit: number | null;
  readonly status: OriginatorStatus;
  readonly createdAt: Date;
}

const columns =
  'id, name, account_id AS "accountId", account_may_send AS "accountMaySend", rate_limit AS "rateLimit", status, created_at AS "createdAt"';

/** Lists clients, newest first, at most `limit`. */
export function listOriginators({ manager }: Context, limit: number): Promise<OriginatorRow[]> {
  return manager.rows(`SELECT ${columns} FROM credit_assignment.originators ORDER BY id DESC LIMIT $1`, [limit]);
}

/** Returns the clients with the given ids, in the order of their names. */
export function originatorsById({ manager }: Context, ids: readonly string[]): Promise<OriginatorRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM credit_assignment.originators WHERE id = ANY ($1::uuid[]) ORDER BY name, id`,
    [ids],
  );
}

/** Returns the clients whose batches a caller may see: for a client itself; for an account's people and keys the clients linked with it. */
export async function originatorsOf({ principal, manager }: Context): Promise<readonly string[]> {
  if (principal.kind === 'CLIENT') return [principal.ownerId];
  if (principal.kind === 'ANONYMOUS') return [];
  return manager.values('SELECT id FROM credit_assignment.originators WHERE account_id = $1 ORDER BY id LIMIT 100', [
    principal.ownerId,
  ]);
}

/** Batches that the client sends meanwhile do not wait. @throws {ApiError} NOT_FOUND */
export async function lockOriginator({ manager }: Context, id: string): Promise<OriginatorRow> {
  const [row]: OriginatorRow[] = isUuid(id)
    ? await manager.rows(`SELECT ${columns} FROM credit_assignment.originators WHERE id = $1 FOR NO KEY UPDATE`, [id])
    : [];
  return requireFound(row, 'There is no such client');
}

export async function insertOriginator({ manager }: Context, row: OriginatorRow): Promise<void> {
  await manager.execute(
    `INSERT INTO credit_assignment.originators (id, name, account_id, rate_limit, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [row.id, row.name, row.accountId, row.rateLimit, row.status, row.createdAt],
  );
}

export async function unlinkOriginators({ manager, clock }: Context, accountIds: readonly string[]): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.originators SET account_id = NULL, account_may_send = false, updated_at = $2
     WHERE account_id = ANY ($1)`,
    [accountIds, clock.now()],
  );
}

export async function saveOriginator({ manager, clock }: Context, row: OriginatorRow): Promise<void> {
  await manager.execute(
    `UPDATE credit_assignment.originators
     SET name = $2, account_id = $3, rate_limit = $4, status = $5, account_may_send = $6, updated_at = $7 WHERE id = $1`,
    [row.id, row.name, row.accountId, row.rateLimit, row.status, row.accountMaySend, clock.now()],
  );
}
