import { arraysOf } from '../../../shared/kernel/group-by.js';
import type { Context } from '../../../shared/kernel/context.js';
import { newId } from '../../../shared/kernel/ids.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { ReconciliationFinding, Invariant } from './ledger.type.js';

export type FindingRow = Shape<ReconciliationFinding>;

export type Discrepancy = Pick<FindingRow, 'invariant' | 'currency' | 'synthetic' | 'subject' | 'expected' | 'actual'>;

/** Findings that halt nothing, with why: funds moved by hand are correct but not booked yet; a deposit that is set aside is not in the books. */
export const haltless: ReadonlyMap<Invariant, string> = new Map([
  ['VENUE_BALANCE', 'The balance at a venue differs from the ledger: an operator has to find the cause'],
  ['CUSTODY_BALANCE', 'The balance in custody differs from the ledger: an operator has to find the cause'],
  ['DEPOSIT_SET_ASIDE', 'A deposit cannot be applied: an operator has to find the cause'],
]);

const columns = `id, invariant, currency, synthetic, subject, expected, actual, found_at AS "foundAt",
  last_seen_at AS "lastSeenAt", resolved_at AS "resolvedAt", resolution`;

/** Stores the findings of a check; an open one is marked as seen again. @returns the new ones */
export async function saveFindings(
  { manager, clock }: Context,
  discrepancies: readonly Discrepancy[],
): Promise<Discrepancy[]> {
  const now = clock.now();
  const rows = await manager.rows<Discrepancy & { readonly fresh: boolean }>(
    `INSERT INTO trading.reconciliation_findings AS finding (id, invariant, currency, synthetic, subject, expected, actual, found_at, last_seen_at)
     SELECT *, $8::timestamptz, $8 FROM unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::text[])
     ON CONFLICT (invariant, currency, synthetic, subject) WHERE resolved_at IS NULL
     DO UPDATE SET expected = excluded.expected, actual = excluded.actual, last_seen_at = excluded.last_seen_at
     RETURNING invariant, currency, synthetic, subject, expected, actual, found_at = last_seen_at AS fresh`,
    [
      discrepancies.map(() => newId(now.getTime())),
      ...arraysOf(discrepancies, 'invariant', 'currency', 'synthetic', 'subject', 'expected', 'actual'),
      now,
    ],
  );
  return rows.filter(({ fresh }) => fresh);
}

export function listFindings(
  { manager }: Context,
  { open, before, limit }: { readonly open: boolean; readonly before: string | null; readonly limit: number },
): Promise<FindingRow[]> {
  return manager.rows(
    `SELECT ${columns} FROM trading.reconciliation_findings
     WHERE (NOT $1 OR resolved_at IS NULL) AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [open, before, limit],
  );
}

export function markResolved(
  { manager, clock }: Context,
  id: string,
  resolution: string,
): Promise<FindingRow | undefined> {
  return manager.row(
    `UPDATE trading.reconciliation_findings SET resolved_at = $2, resolution = $3
     WHERE id = $1 AND resolved_at IS NULL RETURNING ${columns}`,
    [id, clock.now(), resolution],
  );
}

export function markAllResolved(
  { manager, clock }: Context,
  { currency, synthetic }: { readonly currency: string; readonly synthetic: boolean },
  resolution: string,
): Promise<number> {
  return manager.execute(
    `UPDATE trading.reconciliation_findings SET resolved_at = $3, resolution = $4
     WHERE currency = $1 AND synthetic = $2 AND resolved_at IS NULL`,
    [currency, synthetic, clock.now(), resolution],
  );
}

export function countAllOpenFindings({ manager }: Context): Promise<number> {
  return manager.countRows(
    'SELECT count(*)::integer AS count FROM trading.reconciliation_findings WHERE resolved_at IS NULL',
  );
}

export function countOpenOf({ manager }: Context, invariant: Invariant): Promise<number> {
  return manager.countRows(
    'SELECT count(*)::integer AS count FROM trading.reconciliation_findings WHERE resolved_at IS NULL AND invariant = $1',
    [invariant],
  );
}

export function countHaltingFindings({ manager }: Context, currency: string, synthetic: boolean): Promise<number> {
  return manager.countRows(
    `SELECT count(*)::integer AS count FROM trading.reconciliation_findings
     WHERE currency = $1 AND synthetic = $2 AND resolved_at IS NULL AND NOT invariant = ANY ($3)`,
    [currency, synthetic, [...haltless.keys()]],
  );
}
