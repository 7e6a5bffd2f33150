import type { Context } from '../../../shared/context.js';
import { itemsOf } from '../../../shared/group-by.js';

export interface HoldRow {
  readonly id: string;
  readonly walletId: string;
  readonly synthetic: boolean;
  readonly currency: string;
  /** Decimal text: the amount first set aside, and what of it is neither spent nor released. */
  readonly amount: string;
  readonly remaining: string;
  readonly openedAt: Date;
  /** When nothing remained; null for an open hold. */
  readonly closedAt: Date | null;
}

/** Loads the holds with the given ids, in their order; undefined for an unknown id. */
export async function loadHolds({ manager }: Context, ids: readonly string[]): Promise<(HoldRow | undefined)[]> {
  const rows = await manager.rows<HoldRow>(
    `SELECT id, wallet_id AS "walletId", synthetic, currency, trim_scale(amount)::text AS amount,
       trim_scale(remaining)::text AS remaining, opened_at AS "openedAt", closed_at AS "closedAt"
     FROM trading.holds WHERE id = ANY ($1::uuid[])`,
    [ids],
  );
  return itemsOf(ids, rows, ({ id }) => id);
}
