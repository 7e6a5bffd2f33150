import type { Context } from '../../../shared/context.js';
import type { ProfileStatus } from './profile.js';

/** A wallet, as it is stored. */
export interface WalletRow {
  readonly id: string;
  readonly companyId: string;
  /** Null: the company's own. */
  readonly profileId: string | null;
  readonly synthetic: boolean;
}

/** A wallet, and whether its owners may open anything new. */
export interface OwnWallet extends WalletRow {
  /** Null where the wallet is the company's own. */
  readonly profileStatus: ProfileStatus | null;
  readonly companyStatus: ProfileStatus;
}

export async function insertWallets({ manager, clock }: Context, rows: readonly WalletRow[]): Promise<void> {
  await manager.query(
    `INSERT INTO trading.wallets (id, company_id, profile_id, synthetic, created_at)
     SELECT w.*, $5 FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::boolean[]) AS w`,
    [
      rows.map(({ id }) => id),
      rows.map(({ companyId }) => companyId),
      rows.map(({ profileId }) => profileId),
      rows.map(({ synthetic }) => synthetic),
      clock.now(),
    ],
  );
}

const select = `
  SELECT w.id, w.company_id AS "companyId", w.profile_id AS "profileId", w.synthetic, p.status AS "profileStatus",
    c.status AS "companyStatus"
  FROM trading.wallets w JOIN trading.companies c ON c.id = w.company_id
  LEFT JOIN trading.profiles p ON p.id = w.profile_id`;

/** The wallet of a company (`profileId` is null) or of a profile of it; undefined when it has no such profile. */
export async function findWallet(
  { manager }: Context,
  { companyId, profileId, synthetic }: Omit<WalletRow, 'id'>,
): Promise<OwnWallet | undefined> {
  const [row]: OwnWallet[] =
    profileId === null
      ? await manager.query(`${select} WHERE w.company_id = $1 AND w.profile_id IS NULL AND w.synthetic = $2`, [
          companyId,
          synthetic,
        ])
      : await manager.query(`${select} WHERE w.company_id = $1 AND w.profile_id = $3 AND w.synthetic = $2`, [
          companyId,
          synthetic,
          profileId,
        ]);
  return row;
}
