import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { groupBy } from '../../../shared/kernel/group-by.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { PersonInput, ProfileInput, ProfileStatus, SuspendedBy, TaxIdType } from './profile.js';

/** A client of a company, as it is stored. */
export interface ProfileRow {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly taxId: string;
  readonly taxIdType: TaxIdType;
  readonly email: string;
  readonly suspendedBy: SuspendedBy;
  readonly status: ProfileStatus;
  readonly createdAt: Date;
}

const columns = `id, company_id AS "companyId", name, tax_id AS "taxId", tax_id_type AS "taxIdType", email,
  suspended_by AS "suspendedBy", status, created_at AS "createdAt"`;

/** Inserts a profile; returns undefined if the company has one with its tax id. Of several concurrent calls one succeeds. */
export function insertProfile(
  { manager, clock }: Context,
  row: ProfileInput & Pick<ProfileRow, 'id' | 'companyId'>,
): Promise<ProfileRow | undefined> {
  return manager.row(
    `INSERT INTO trading.profiles (id, company_id, name, tax_id, tax_id_type, email, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT ON CONSTRAINT profiles_tax_id DO NOTHING RETURNING ${columns}`,
    [row.id, row.companyId, row.name, row.taxId, row.taxIdType, row.email, clock.now()],
  );
}

/**
 * Locks a profile until the transaction ends.
 * @param companyId the company it must belong to; any when omitted
 * @throws {ApiError} NOT_FOUND
 */
export async function lockProfile({ manager }: Context, id: string, companyId?: string): Promise<ProfileRow> {
  const text = `SELECT ${columns} FROM trading.profiles
    WHERE id = $1 AND company_id = coalesce($2, company_id) FOR NO KEY UPDATE`;
  const row = isUuid(id) ? await manager.row<ProfileRow>(text, [id, companyId ?? null]) : undefined;
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such profile' });
  return row;
}

/** Writes who has suspended a profile, and returns the updated row. */
export function saveSuspension({ manager, clock }: Context, id: string, by: SuspendedBy): Promise<ProfileRow> {
  return manager.one(
    `UPDATE trading.profiles SET suspended_by = $2, updated_at = $3 WHERE id = $1 RETURNING ${columns}`,
    [id, by, clock.now()],
  );
}

/** Writes the name and e-mail of a profile, which is locked. */
export async function savePerson({ manager, clock }: Context, id: string, { name, email }: PersonInput): Promise<void> {
  await manager.execute('UPDATE trading.profiles SET name = $2, email = $3, updated_at = $4 WHERE id = $1', [
    id,
    name,
    email,
    clock.now(),
  ]);
}

/** A profile, with the id of one of its wallets. */
export interface ListedProfile extends ProfileRow {
  readonly walletId: string;
}

/** Returns an existing profile, with the id of its real or synthetic wallet. */
export async function findListed({ manager }: Context, id: string, synthetic: boolean): Promise<ListedProfile> {
  const row = await manager.row<ListedProfile>(
    `SELECT p.*, w.id AS "walletId" FROM (SELECT ${columns} FROM trading.profiles WHERE id = $1) AS p
     JOIN trading.wallets w ON w.company_id = p."companyId" AND w.profile_id = p.id AND w.synthetic = $2`,
    [id, synthetic],
  );
  if (row === undefined) throw new Error(`The profile ${id} has no wallet`);
  return row;
}

/** The start of a page of profiles, and the kind of wallet to list. */
export interface ProfilePage {
  readonly companyId: string;
  readonly synthetic: boolean;
  /** The last of the previous page; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** Loads pages of companies' profiles, in the order of their ids: one statement for all requests, one page for each. */
export async function profilesAt(
  { manager }: Context,
  pages: readonly ProfilePage[],
): Promise<readonly ListedProfile[][]> {
  const rows = await manager.rows<ListedProfile & { page: number }>(
    `SELECT k.page::integer AS page, p.*, w.id AS "walletId"
     FROM unnest($1::uuid[], $2::boolean[], $3::uuid[], $4::integer[]) WITH ORDINALITY
       AS k (company_id, synthetic, after, "limit", page)
     CROSS JOIN LATERAL (
       SELECT ${columns} FROM trading.profiles
       WHERE company_id = k.company_id AND id > coalesce(k.after, '00000000-0000-0000-0000-000000000000')
       ORDER BY id LIMIT k."limit") AS p
     JOIN trading.wallets w ON w.company_id = k.company_id AND w.profile_id = p.id AND w.synthetic = k.synthetic
     ORDER BY k.page, p.id`,
    [...arraysOf(pages, 'companyId', 'synthetic', 'after', 'limit')],
  );
  const byPage = groupBy(rows, ({ page }) => page);
  return pages.map((_page, index) => byPage.get(index + 1) ?? []);
}
