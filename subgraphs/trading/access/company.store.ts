import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Manager } from '../../../shared/database/manager.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import { valuesOf } from '../../../shared/kernel/values-of.js';
import type { CompanyStatus, Terms } from './company.js';

/** A company that trades, with its terms, as it is stored. */
export interface CompanyRow extends Terms {
  readonly id: string;
  readonly name: string;
  readonly accountId: string | null;
  readonly rateLimit: number | null;
  readonly status: CompanyStatus;
  readonly createdAt: Date;
}

const select = `
  SELECT c.id, c.name, c.account_id AS "accountId", c.rate_limit AS "rateLimit", c.status, c.created_at AS "createdAt",
    trim_scale(t.maker_fee)::text AS "makerFee", trim_scale(t.taker_fee)::text AS "takerFee",
    t.max_order_value AS "maxOrderValue", t.max_open_orders AS "maxOpenOrders", t.max_daily_volume AS "maxDailyVolume",
    t.profile_max_open_orders AS "profileMaxOpenOrders", t.profile_max_daily_volume AS "profileMaxDailyVolume",
    t.max_quoted_value AS "maxQuotedValue",
    (SELECT jsonb_agg(jsonb_build_object('aboveBrl', trim_scale(above_brl)::text, 'percent', trim_scale(percent)::text) ORDER BY above_brl)
     FROM trading.spread_tiers AS tier WHERE tier.company_id = c.id) AS "spreadTiers"
  FROM trading.companies c JOIN trading.company_terms t ON t.company_id = c.id`;

/** Lists companies, newest first, at most `limit`. */
export function listCompanies({ manager }: Context, limit: number): Promise<CompanyRow[]> {
  return manager.rows(`${select} ORDER BY c.id DESC LIMIT $1`, [limit]);
}

/** Finds a company by its id. */
export async function findCompanyById({ manager }: Context, id: string): Promise<CompanyRow | undefined> {
  return isUuid(id) ? manager.row(`${select} WHERE c.id = $1`, [id]) : undefined;
}

/**
 * Locks a company and its terms until the transaction ends; its trading does not wait for the lock.
 * @throws {ApiError} NOT_FOUND
 */
export async function lockCompany({ manager }: Context, id: string): Promise<CompanyRow> {
  // It is read once the lock is held: a read that waits for the lock would return the row as it was before.
  if (isUuid(id)) await manager.execute('SELECT FROM trading.companies WHERE id = $1 FOR NO KEY UPDATE', [id]);
  const row = isUuid(id) ? await manager.row<CompanyRow>(`${select} WHERE c.id = $1`, [id]) : undefined;
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such company' });
  return row;
}

export async function insertCompany({ manager }: Context, row: CompanyRow): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.companies (id, name, account_id, rate_limit, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [row.id, row.name, row.accountId, row.rateLimit, row.status, row.createdAt],
  );
  await manager.execute(
    `INSERT INTO trading.company_terms (company_id, maker_fee, taker_fee, max_order_value, max_open_orders,
       max_daily_volume, profile_max_open_orders, profile_max_daily_volume, max_quoted_value, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [row.id, ...termsOf(row), row.createdAt],
  );
  await insertTiers(manager, row);
}

/** Writes the mutable fields of a company. */
export async function saveCompany({ manager, clock }: Context, row: CompanyRow): Promise<void> {
  await manager.execute(
    `UPDATE trading.companies SET name = $2, account_id = $3, rate_limit = $4, status = $5, updated_at = $6 WHERE id = $1`,
    [row.id, row.name, row.accountId, row.rateLimit, row.status, clock.now()],
  );
  await manager.execute(
    `UPDATE trading.company_terms SET maker_fee = $2, taker_fee = $3, max_order_value = $4, max_open_orders = $5,
       max_daily_volume = $6, profile_max_open_orders = $7, profile_max_daily_volume = $8, max_quoted_value = $9, updated_at = $10
     WHERE company_id = $1`,
    [row.id, ...termsOf(row), clock.now()],
  );
  await manager.execute('DELETE FROM trading.spread_tiers WHERE company_id = $1', [row.id]);
  await insertTiers(manager, row);
}

async function insertTiers(manager: Manager, { id, spreadTiers }: CompanyRow): Promise<void> {
  const tiers = spreadTiers ?? [];
  await manager.execute(
    `INSERT INTO trading.spread_tiers (company_id, above_brl, percent)
     SELECT $1, * FROM unnest($2::numeric[], $3::numeric[])`,
    [id, ...arraysOf(tiers, 'aboveBrl', 'percent')],
  );
}

/** Unlinks companies from accounts. */
export async function unlinkCompanies({ manager, clock }: Context, accountIds: readonly string[]): Promise<void> {
  await manager.execute('UPDATE trading.companies SET account_id = NULL, updated_at = $2 WHERE account_id = ANY ($1)', [
    accountIds,
    clock.now(),
  ]);
}

/** Finds the id of the company with a name that is linked with an account, for the demo. */
export function findCompany({ manager }: Context, accountId: string, name: string): Promise<string | undefined> {
  return manager.value('SELECT id FROM trading.companies WHERE account_id = $1 AND name = $2 ORDER BY id LIMIT 1', [
    accountId,
    name,
  ]);
}

function termsOf(row: Terms): unknown[] {
  return [
    ...valuesOf(row, 'makerFee', 'takerFee', 'maxOrderValue', 'maxOpenOrders', 'maxDailyVolume'),
    ...valuesOf(row, 'profileMaxOpenOrders', 'profileMaxDailyVolume', 'maxQuotedValue'),
  ];
}
