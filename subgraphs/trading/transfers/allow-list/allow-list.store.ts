import type { Context } from '../../../../shared/kernel/context.js';
import { valuesOf } from '../../../../shared/kernel/group-by.js';

export const maxAllowedAddresses = 1_000;

export interface AllowedAddressRow {
  readonly id: string;
  readonly companyId: string;
  readonly network: string;
  readonly address: string;
  readonly label: string;
  /** Whose it is: the company itself where it named nobody; null where it did not say that. */
  readonly ownerName: string | null;
  /** CPF or CNPJ without punctuation. */
  readonly ownerTaxId: string | null;
  readonly selfCustody: boolean | null;
  readonly createdAt: Date;
  readonly usableAt: Date;
}

const columns = `id, company_id AS "companyId", network, address, label, owner_name AS "ownerName", owner_tax_id AS "ownerTaxId",
  self_custody AS "selfCustody", created_at AS "createdAt", usable_at AS "usableAt"`;

export async function hasAllowList({ manager }: Context, companyId: string): Promise<boolean> {
  const row = await manager.row<{ enabled: boolean }>(
    'SELECT EXISTS (SELECT FROM trading.withdrawal_allow_lists WHERE company_id = $1) AS enabled',
    [companyId],
  );
  return row?.enabled === true;
}

export async function haveAllowLists({ manager }: Context, companyIds: readonly string[]): Promise<boolean[]> {
  const restricted = await manager.values<string>(
    'SELECT company_id FROM trading.withdrawal_allow_lists WHERE company_id = ANY ($1::uuid[])',
    [companyIds],
  );
  return companyIds.map((id) => restricted.includes(id));
}

export async function saveAllowList({ manager, clock }: Context, companyId: string, required: boolean): Promise<void> {
  if (required) {
    await manager.execute(
      'INSERT INTO trading.withdrawal_allow_lists (company_id, enabled_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [companyId, clock.now()],
    );
  } else await manager.execute('DELETE FROM trading.withdrawal_allow_lists WHERE company_id = $1', [companyId]);
}

export function listAllowedAddresses({ manager }: Context, companyId: string): Promise<AllowedAddressRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM trading.withdrawal_addresses WHERE company_id = $1 ORDER BY id DESC LIMIT $2`,
    [companyId, maxAllowedAddresses],
  );
}

export function countAllowedAddresses({ manager }: Context, companyId: string): Promise<number> {
  return manager.countRows(
    'SELECT count(*)::integer AS count FROM trading.withdrawal_addresses WHERE company_id = $1',
    [companyId],
  );
}

export function findAllowedAddress(
  { manager }: Context,
  { companyId, network, address }: Pick<AllowedAddressRow, 'companyId' | 'network' | 'address'>,
): Promise<AllowedAddressRow | undefined> {
  return manager.row(
    `SELECT ${columns} FROM trading.withdrawal_addresses WHERE company_id = $1 AND network = $2 AND address = $3`,
    [companyId, network, address],
  );
}

export async function insertAllowedAddress({ manager }: Context, row: AllowedAddressRow): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.withdrawal_addresses (id, company_id, network, address, label, owner_name, owner_tax_id, self_custody, created_at, usable_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...valuesOf(row, 'id', 'companyId', 'network', 'address', 'label', 'ownerName', 'ownerTaxId', 'selfCustody'),
      ...valuesOf(row, 'createdAt', 'usableAt'),
    ],
  );
}

export function deleteAllowedAddress(
  { manager }: Context,
  companyId: string,
  id: string,
): Promise<AllowedAddressRow | undefined> {
  return manager.row(
    `WITH removed AS (DELETE FROM trading.withdrawal_addresses WHERE company_id = $1 AND id = $2 RETURNING *)
     SELECT ${columns} FROM removed`,
    [companyId, id],
  );
}
