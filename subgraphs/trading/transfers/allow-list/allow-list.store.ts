import type { Context } from '../../../../shared/context.js';

/** An address that a company may withdraw to. */
export interface AllowedAddressRow {
  readonly id: string;
  readonly companyId: string;
  readonly network: string;
  readonly address: string;
  readonly label: string;
  readonly createdAt: Date;
  /** From when on it may be used. */
  readonly usableAt: Date;
}

const columns = `id, company_id AS "companyId", network, address, label, created_at AS "createdAt", usable_at AS "usableAt"`;

/** Whether a company withdraws to addresses of its list alone. */
export async function hasAllowList({ manager }: Context, companyId: string): Promise<boolean> {
  const [row]: { enabled: boolean }[] = await manager.query(
    'SELECT EXISTS (SELECT FROM trading.withdrawal_allow_lists WHERE company_id = $1) AS enabled',
    [companyId],
  );
  return row?.enabled === true;
}

/** Makes the list of a company count, or no longer. */
export async function saveAllowList({ manager, clock }: Context, companyId: string, required: boolean): Promise<void> {
  if (required) {
    await manager.query(
      'INSERT INTO trading.withdrawal_allow_lists (company_id, enabled_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [companyId, clock.now()],
    );
  } else await manager.query('DELETE FROM trading.withdrawal_allow_lists WHERE company_id = $1', [companyId]);
}

/** The addresses of a company, the newest first. */
export function listAllowedAddresses({ manager }: Context, companyId: string): Promise<AllowedAddressRow[]> {
  return manager.query(`SELECT ${columns} FROM trading.withdrawal_addresses WHERE company_id = $1 ORDER BY id DESC`, [
    companyId,
  ]);
}

/** The entry of an address; undefined where it is not on the list. */
export async function findAllowedAddress(
  { manager }: Context,
  { companyId, network, address }: Pick<AllowedAddressRow, 'companyId' | 'network' | 'address'>,
): Promise<AllowedAddressRow | undefined> {
  const [row]: AllowedAddressRow[] = await manager.query(
    `SELECT ${columns} FROM trading.withdrawal_addresses WHERE company_id = $1 AND network = $2 AND address = $3`,
    [companyId, network, address],
  );
  return row;
}

/** Adds an address. Returns false where it is on the list already, which then stays as it was. */
export async function insertAllowedAddress({ manager }: Context, row: AllowedAddressRow): Promise<boolean> {
  const added: unknown[] = await manager.query(
    `INSERT INTO trading.withdrawal_addresses (id, company_id, network, address, label, created_at, usable_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT withdrawal_addresses_once DO NOTHING RETURNING id`,
    [row.id, row.companyId, row.network, row.address, row.label, row.createdAt, row.usableAt],
  );
  return added.length > 0;
}

/** Takes an address off the list of a company. Returns whether it was there. */
export async function deleteAllowedAddress({ manager }: Context, companyId: string, id: string): Promise<boolean> {
  const rows: { removed: boolean }[] = await manager.query(
    `WITH removed AS (DELETE FROM trading.withdrawal_addresses WHERE company_id = $1 AND id = $2 RETURNING id)
     SELECT true AS removed FROM removed`,
    [companyId, id],
  );
  return rows.length > 0;
}
