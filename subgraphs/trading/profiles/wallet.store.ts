import { arraysOf } from '../../../shared/kernel/arrays-of.js';
import { z } from 'zod';
import type { Context } from '../../../shared/kernel/context.js';
import { readTogether, type Reads } from '../../../shared/database/read-together.js';
import type { Terms as CompanyTerms } from '../access/company.js';
import type { ProfileStatus } from './profile.js';

/** A wallet, as it is stored. */
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
    // One index for each of the two: the company's own wallets, and those of profiles.
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

/** Company, profile and world, as in the key of a look-up. */
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
