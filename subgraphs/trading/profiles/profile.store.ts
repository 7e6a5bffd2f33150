import { z } from 'zod';
import { readTogether, type Reads } from '../../../shared/database/read-together.js';
import { arraysOf, groupBy } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { ApiError } from '../../../shared/kernel/errors.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { Terms as CompanyTerms } from '../access/company.js';
import type { PersonInput, ProfileInput, ProfileStatus, SuspendedBy, TaxIdType } from './profile.js';

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

/** Inserts a profile; returns undefined if the company has one with its tax id. Only one of several concurrent calls succeeds. */
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

/** @param companyId the company it must belong to; any when omitted @throws {ApiError} NOT_FOUND */
export async function lockProfile({ manager }: Context, id: string, companyId?: string): Promise<ProfileRow> {
  const text = `SELECT ${columns} FROM trading.profiles
    WHERE id = $1 AND company_id = coalesce($2, company_id) FOR NO KEY UPDATE`;
  const row = isUuid(id) ? await manager.row<ProfileRow>(text, [id, companyId ?? null]) : undefined;
  if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'There is no such profile' });
  return row;
}

export function saveSuspension({ manager, clock }: Context, id: string, by: SuspendedBy): Promise<ProfileRow> {
  return manager.one(
    `UPDATE trading.profiles SET suspended_by = $2, updated_at = $3 WHERE id = $1 RETURNING ${columns}`,
    [id, by, clock.now()],
  );
}

export async function savePerson({ manager, clock }: Context, id: string, { name, email }: PersonInput): Promise<void> {
  await manager.execute('UPDATE trading.profiles SET name = $2, email = $3, updated_at = $4 WHERE id = $1', [
    id,
    name,
    email,
    clock.now(),
  ]);
}

export interface ListedProfile extends ProfileRow {
  readonly walletId: string;
}

export async function findListed({ manager }: Context, id: string, synthetic: boolean): Promise<ListedProfile> {
  const row = await manager.row<ListedProfile>(
    `SELECT p.*, w.id AS "walletId" FROM (SELECT ${columns} FROM trading.profiles WHERE id = $1) AS p
     JOIN trading.wallets w ON w.company_id = p."companyId" AND w.profile_id = p.id AND w.synthetic = $2`,
    [id, synthetic],
  );
  if (row === undefined) throw new Error(`The profile ${id} has no wallet`);
  return row;
}

export interface ProfilePage {
  readonly companyId: string;
  readonly synthetic: boolean;
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

export interface WalletRow {
  readonly id: string;
  readonly companyId: string;
  /** Null for the company's own. */
  readonly profileId: string | null;
  readonly synthetic: boolean;
}

/** The terms agreed with a company for its orders. Fees in percent, values in BRL; null means no limit. */
export type Terms = Omit<CompanyTerms, 'maxQuotedValue' | 'spreadTiers'>;

/** A wallet, whether its owners may open anything new, and its terms. */
export interface OwnWallet extends WalletRow {
  /** Null if the wallet is the company's own. */
  readonly profileStatus: ProfileStatus | null;
  readonly companyStatus: ProfileStatus;
  readonly terms: Terms;
}

export async function insertWallets({ manager, clock }: Context, rows: readonly WalletRow[]): Promise<void> {
  await manager.execute(
    `INSERT INTO trading.wallets (id, company_id, profile_id, synthetic, created_at)
     SELECT w.*, $5 FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[]) AS w`,
    [...arraysOf(rows, 'id', 'companyId', 'profileId', 'synthetic'), clock.now()],
  );
}

/** Finds the wallet of a company (`profileId` is null) or of one of its profiles; undefined if it has no such profile. */
export function findWallet(
  reads: Reads,
  { companyId, profileId, synthetic }: Omit<WalletRow, 'id'>,
): Promise<OwnWallet | undefined> {
  return walletOf(reads, JSON.stringify([companyId, profileId, synthetic]));
}

const walletOf = readTogether<OwnWallet>(async ({ manager }, keys) => {
  const wanted = z.array(ownerForm).parse(keys.map((key): unknown => JSON.parse(key)));
  const rows = await manager.rows<{ wallet: OwnWallet; position: string }>(
    // One index for the company's own wallets, one for the wallets of profiles.
    `SELECT position, json_build_object('id', w.id, 'companyId', w.company_id, 'profileId', w.profile_id, 'synthetic', w.synthetic,
       'profileStatus', p.status, 'companyStatus', c.status, 'terms', json_build_object('makerFee', maker_fee::text,
         'takerFee', taker_fee::text, 'maxOrderValue', max_order_value::text, 'maxOpenOrders', max_open_orders,
         'maxDailyVolume', max_daily_volume::text, 'profileMaxOpenOrders', profile_max_open_orders,
         'profileMaxDailyVolume', profile_max_daily_volume::text)) AS wallet
     FROM unnest((SELECT $1::uuid[]), $2::uuid[], $3::boolean[]) WITH ORDINALITY AS wanted (company_id, profile_id, synthetic, position)
     CROSS JOIN LATERAL (
       SELECT * FROM trading.wallets AS own WHERE own.company_id = wanted.company_id AND own.profile_id IS NULL
         AND own.synthetic = wanted.synthetic AND wanted.profile_id IS NULL
       UNION ALL
       SELECT * FROM trading.wallets AS profiled WHERE profiled.company_id = wanted.company_id
         AND profiled.profile_id = wanted.profile_id AND profiled.synthetic = wanted.synthetic
     ) AS w
     JOIN trading.companies AS c ON c.id = w.company_id
     JOIN trading.company_terms AS t ON t.company_id = w.company_id
     LEFT JOIN trading.profiles AS p ON p.id = w.profile_id`,
    [
      wanted.map(([companyId]) => companyId),
      wanted.map(([, profileId]) => profileId),
      wanted.map(([, , synthetic]) => synthetic),
    ],
  );
  return new Map(rows.map(({ wallet, position }) => [keys[Number(position) - 1] ?? '', wallet]));
});

/** Company, profile and `synthetic`, as in the key of a look-up. */
const ownerForm = z.tuple([z.string(), z.string().nullable(), z.boolean()]);

/** Lists the wallets of a company (`profileId` is null) or of one of its profiles: the real one first. */
export function listWallets(
  { manager }: Context,
  companyId: string,
  profileId: string | null,
): Promise<Pick<WalletRow, 'id' | 'synthetic'>[]> {
  return manager.rows(
    `SELECT id, synthetic FROM trading.wallets WHERE company_id = $1 AND profile_id ${profileId === null ? 'IS NULL' : '= $2'}
     ORDER BY synthetic`,
    profileId === null ? [companyId] : [companyId, profileId],
  );
}
