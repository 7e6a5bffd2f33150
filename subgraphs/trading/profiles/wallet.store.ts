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

/** What was agreed with a company on its orders. Fees in percent, values in BRL; a limit that is null does not hold. */
export interface Terms {
  readonly makerFee: string;
  readonly takerFee: string;
  readonly maxOrderValue: string | null;
  readonly maxOpenOrders: number | null;
  readonly maxDailyVolume: string | null;
  readonly profileMaxOpenOrders: number | null;
  readonly profileMaxDailyVolume: string | null;
}

/** A wallet, whether its owners may open anything new, and on what terms. */
export interface OwnWallet extends WalletRow {
  /** Null where the wallet is the company's own. */
  readonly profileStatus: ProfileStatus | null;
  readonly companyStatus: ProfileStatus;
  readonly terms: Terms;
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
    c.status AS "companyStatus", json_build_object('makerFee', maker_fee::text, 'takerFee', taker_fee::text,
      'maxOrderValue', max_order_value::text, 'maxOpenOrders', max_open_orders, 'maxDailyVolume', max_daily_volume::text,
      'profileMaxOpenOrders', profile_max_open_orders, 'profileMaxDailyVolume', profile_max_daily_volume::text) AS terms
  FROM trading.wallets w JOIN trading.companies c ON c.id = w.company_id
  JOIN trading.company_terms t ON t.company_id = w.company_id
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

/** The wallets of a company (`profileId` is null) or of a profile of it: the real one first. */
export function listWallets(
  { manager }: Context,
  companyId: string,
  profileId: string | null,
): Promise<Pick<WalletRow, 'id' | 'synthetic'>[]> {
  return manager.query(
    `SELECT id, synthetic FROM trading.wallets WHERE company_id = $1 AND profile_id ${profileId === null ? 'IS NULL' : '= $2'}
     ORDER BY synthetic`,
    profileId === null ? [companyId] : [companyId, profileId],
  );
}
