import { maskDocumentsIn } from '../kernel/tax-id.js';
import type { Context } from '../kernel/context.js';
import { keyset, type PageRange } from '../graphql/list-page.js';
import type { DescribedFile } from './read/files.js';
import type { KindCount } from './domain.js';

export interface ImportRecord {
  readonly id: string;
  readonly files: readonly DescribedFile[];
  readonly counts: readonly KindCount[];
  readonly reason?: string | undefined;
  readonly reverts?: string | undefined;
}

export async function addImport({ manager, clock, principal }: Context, added: ImportRecord): Promise<void> {
  await manager.execute(
    `INSERT INTO shared.imports (id, recorded_at, actor_id, actor_name, reason, files, counts, reverts)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      added.id,
      clock.now(),
      principal.ownerId,
      principal.name ?? null,
      added.reason === undefined ? null : maskDocumentsIn(added.reason),
      JSON.stringify(added.files),
      JSON.stringify(added.counts),
      added.reverts ?? null,
    ],
  );
}

export interface StoredImport {
  readonly id: string;
  /** The name of the act in the audit log: `import`, `voidRecord`; null if the audit log has no entry of it. */
  readonly action: string | null;
  readonly recordedAt: Date;
  readonly actorId: string;
  readonly actorName: string | null;
  readonly reason: string | null;
  readonly files: readonly DescribedFile[];
  readonly counts: readonly KindCount[];
  readonly reverts: string | null;
  readonly revertedBy: string | null;
}

const columns = `i.id, i.recorded_at AS "recordedAt", i.actor_id AS "actorId", i.actor_name AS "actorName", i.reason, i.files, i.counts,
  (SELECT a.action FROM shared.audit_log a WHERE a.id = i.id) AS action, i.reverts, (SELECT r.id FROM shared.imports r WHERE r.reverts = i.id) AS "revertedBy"`;

/** Lists imports, newest first: at most `limit` of those before an id. */
export function listImports({ manager }: Context, page: PageRange): Promise<StoredImport[]> {
  const { beyond, direction } = keyset('DESC', page);
  return manager.rows(
    `SELECT ${columns} FROM shared.imports i
     WHERE $2::uuid IS NULL OR (i.recorded_at, i.id) ${beyond} (SELECT recorded_at, id FROM shared.imports WHERE id = $2)
     ORDER BY i.recorded_at ${direction}, i.id ${direction} LIMIT $1`,
    [page.limit + 1, page.after ?? null],
  );
}

export function countImports({ manager }: Context): Promise<number> {
  return manager.countRows('SELECT count(*)::int AS count FROM shared.imports');
}

export function findImport({ manager }: Context, id: string): Promise<StoredImport | undefined> {
  return manager.row(`SELECT ${columns} FROM shared.imports i WHERE i.id = $1`, [id]);
}

/** Whether an act restored voided records: it reverts a void, or reverts an act that reverted such an act, and so on. */
export async function restoresVoided({ manager }: Context, id: string): Promise<boolean> {
  const first = await manager.row<{ restores: boolean }>(
    `WITH RECURSIVE chain AS (
       SELECT id, reverts, 0 AS depth FROM shared.imports WHERE id = $1
       UNION ALL SELECT i.id, i.reverts, depth + 1 FROM shared.imports i JOIN chain ON i.id = chain.reverts
     )
     SELECT depth % 2 = 1 AND EXISTS (SELECT FROM shared.audit_log a WHERE a.id = chain.id AND a.action = 'voidRecord') AS restores
     FROM chain WHERE reverts IS NULL`,
    [id],
  );
  return first?.restores === true;
}
