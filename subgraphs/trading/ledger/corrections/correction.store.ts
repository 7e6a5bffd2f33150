import type { Context } from '../../../../shared/kernel/context.js';

export interface CorrectionRow {
  readonly key: string;
  readonly journalId: string;
  readonly synthetic: boolean;
  readonly reason: string;
  readonly operatorId: string;
  readonly postedAt: Date;
}

const columns = `key, journal_id AS "journalId", synthetic, reason, operator_id AS "operatorId", posted_at AS "postedAt"`;

/** Stores the reason of a journal, with the time at which the ledger posted it. */
export async function insertCorrection(
  { manager }: Context,
  { key, journalId, synthetic, reason, operatorId }: Omit<CorrectionRow, 'postedAt'>,
): Promise<CorrectionRow> {
  const row = await manager.row<CorrectionRow>(
    `INSERT INTO trading.corrections (key, journal_id, synthetic, reason, operator_id, posted_at)
     SELECT $1::text, id, synthetic, $4::text, $5::text, posted_at FROM trading.journals WHERE id = $2 AND synthetic = $3
     RETURNING ${columns}`,
    [key, journalId, synthetic, reason, operatorId],
  );
  if (row === undefined) throw new Error(`There is no journal ${journalId}`);
  return row;
}

export function findCorrection({ manager }: Context, key: string): Promise<CorrectionRow | undefined> {
  return manager.row(`SELECT ${columns} FROM trading.corrections WHERE key = $1`, [key]);
}

/** Returns those of the given ids that are wallets of a world. */
export function findWallets({ manager }: Context, ids: readonly string[], synthetic: boolean): Promise<string[]> {
  return manager.values('SELECT id FROM trading.wallets WHERE id = ANY ($1::uuid[]) AND synthetic = $2', [
    ids,
    synthetic,
  ]);
}

/** Returns those of the given names that are venues of a world: the ledger has an account for them, or an operator added them. */
export function findVenues({ manager }: Context, names: readonly string[], synthetic: boolean): Promise<string[]> {
  return manager.values(
    `SELECT name FROM unnest($1::text[]) AS name
     WHERE EXISTS (SELECT FROM trading.ledger_accounts WHERE owner = name AND kind = 'VENUE' AND synthetic = $2)
       OR (NOT $2 AND EXISTS (SELECT FROM trading.venues WHERE venues.name = name.name))`,
    [names, synthetic],
  );
}
