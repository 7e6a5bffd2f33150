import type { Context } from '../../shared/kernel/context.js';
import { itemsOf } from '../../shared/kernel/group-by.js';
import type { PostedJournal } from '../../subgraphs/trading/ledger/journal.store.js';
import { postJournal, type Journal, type Posting } from '../../subgraphs/trading/ledger/post-journals.js';

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

/** The cause of a change to a hold: its kind, and its id. */
type Cause = Pick<Journal, 'cause' | 'causeId' | 'synthetic'>;

export interface HoldPosting extends Cause {
  readonly key: string;
  readonly holdId: string;
  readonly amount: string;
  /** Where the funds go, and what comes in exchange. The client's own side, which the hold pays, is not listed. */
  readonly postings: readonly Posting[];
  /** Whether it is the last: the remainder becomes available in the same journal. */
  readonly final?: boolean;
}

/** Spends a part of a hold. */
export function postHold(
  tx: Context,
  { holdId, amount, final = false, ...journal }: HoldPosting,
): Promise<PostedJournal> {
  return postJournal(tx, {
    ...journal,
    holds: [{ act: 'spend', id: holdId, amount }, ...(final ? [{ act: 'release', id: holdId } as const] : [])],
  });
}

/** Makes the remainder of a hold available again; a repetition for the same cause changes nothing. */
export function releaseHold(
  tx: Context,
  { holdId, ...cause }: Cause & { readonly holdId: string },
): Promise<PostedJournal> {
  const key = `hold.release:${holdId}:${cause.cause}:${cause.causeId}`;
  return postJournal(tx, { ...cause, key, holds: [{ act: 'release', id: holdId }] });
}
