import type { Context } from '../../../shared/context.js';
import type { Effect } from '../../../shared/import/write/merge.js';
import { raiseRevision } from '../revision/raise-revision.js';
import { searchText, type Searchable } from '../operations/search-text.js';
import { closeCompleteMonths } from '../reports/close-complete-months.js';
import { restoreInputs } from './release.store.js';
import { announceUpdates } from '../updates/announce-updates.js';

/**
 * Applies the consequences of a change of published data in its transaction: marks the operations, updates their search text, raises the revision,
 * announces what was published and corrected, and stores the final reports of months that are now complete. Does nothing without a change.
 */
export async function concludeChanges(
  context: Context,
  effects: ReadonlyMap<string, readonly Effect[]>,
): Promise<void> {
  const touched = [...new Set([...effects.values()].flat().flatMap(({ affected }) => affected ?? []))];
  if (touched.length === 0) return;
  const { manager } = context;
  await restoreInputs(context, touched);
  await renewSearchText(context, touched);
  await manager.execute('UPDATE issuances.operations SET updated_at = $2 WHERE id = ANY($1)', [
    touched,
    context.clock.now(),
  ]);
  await raiseRevision(context, touched);
  await announceUpdates(context, effects);
  await closeCompleteMonths(
    context,
    (effects.get('completeMonths') ?? []).flatMap(({ affected }) => affected ?? []),
  );
}

async function renewSearchText({ manager }: Context, touched: readonly string[]): Promise<void> {
  const rows = await manager.rows<Searchable & { readonly id: string; readonly known: string }>(
    `SELECT o.id, o.ticker, o.slug, o.name, o.sub, o.issuer, o.backing_asset AS "backingAsset", o.search_text AS known,
       coalesce(json_agg(json_build_object('ticker', s.ticker, 'isin', s.isin, 'ifCode', s.if_code) ORDER BY s.number)
         FILTER (WHERE s.id IS NOT NULL), '[]') AS series
     FROM issuances.operations o LEFT JOIN issuances.series s ON s.operation_id = o.id
     WHERE o.id = ANY($1) GROUP BY o.id`,
    [touched],
  );
  const stale = rows
    .map((row) => ({ id: row.id, known: row.known, text: searchText(row) }))
    .filter(({ known, text }) => known !== text);
  await manager.execute(
    `UPDATE issuances.operations o SET search_text = n.text FROM unnest($1::uuid[], $2::text[]) AS n (id, text) WHERE o.id = n.id`,
    [stale.map(({ id }) => id), stale.map(({ text }) => text)],
  );
}
