import { civilDate } from '../../../shared/clock.js';
import type { Context } from '../../../shared/context.js';
import { actCorrectionsReader, type ActCorrections } from '../../../shared/corrections/corrections.store.js';
import type { Effect } from '../../../shared/import/write/merge.js';
import { announceAll } from '../../../shared/outbox/outbox.js';
import { raiseRevision } from '../revision/raise-revision.js';
import { correctionSources } from '../corrections/correction.sources.js';
import { searchText, type Searchable } from '../operations/search-text.js';
import { closeCompleteMonths } from '../reports/close-complete-months.js';
import { restoreInputs } from './release.store.js';
import { updateTopic } from '../updates/operation-update.js';

const readCorrected = actCorrectionsReader(correctionSources, 1);

/** Kinds of updates announced to readers of an operation, by the kind of record that changed. */
const announced: Readonly<Record<string, string>> = {
  unitPrices: 'PU',
  payments: 'PAYMENT',
  documents: 'DOCUMENT',
  communications: 'COMMUNICATION',
};

/**
 * Applies the consequences of a change of published data in its transaction: marks the operations, updates their search text, raises the revision,
 * announces one event per operation and kind and one for its corrections, and stores the final reports of months that are now complete. Does nothing
 * without a change.
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
  await raiseRevision(context);
  await announceChanges(context, effects);
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

/** Announces one event for new records of a kind, and one for its corrections. */
async function announceChanges(context: Context, effects: ReadonlyMap<string, readonly Effect[]>): Promise<void> {
  const corrected = await readCorrected(context);
  const operationIds = [...effects.values()].flat().flatMap(({ affected }) => affected ?? []);
  const rows = await context.manager.rows<{
    readonly id: string;
    readonly ticker: string;
    readonly act: string | null;
  }>('SELECT id, ticker, shared.version_act() AS act FROM issuances.operations WHERE is_public AND id = ANY($1)', [
    operationIds,
  ]);
  const occurredAt = context.clock.now().toISOString();
  const events = rows.flatMap(({ id: operationId, ticker, act }) => {
    const own = corrected.filter(({ subject }) => subject === ticker);
    const common = { operationId, ticker, occurredAt };
    const corrections = Object.entries(byUpdate(own)).map(([kind, newest]) => ({
      ...common,
      kind,
      reference: newest ?? civilDate(context.clock.now()),
      correction: true,
      actId: act,
    }));
    return [...newsOf(operationId, effects, own).map((one) => ({ ...common, ...one })), ...corrections];
  });
  await announceAll(
    context,
    events.map((payload) => ({ topic: updateTopic, key: payload.operationId, payload })),
  );
}

/** Returns the newest corrected day, by the kind of update. */
function byUpdate(corrected: readonly ActCorrections[]): Record<string, string | null> {
  const newest: Record<string, string | null> = {};
  for (const one of corrected) {
    const kind = announced[one.kind] ?? 'OTHER';
    const known = newest[kind] ?? null;
    newest[kind] = known === null || (one.newest !== null && one.newest > known) ? one.newest : known;
  }
  return newest;
}

/** Returns the news of an operation: added records, and changes that are not corrections. */
function newsOf(
  operationId: string,
  effects: ReadonlyMap<string, readonly Effect[]>,
  corrected: readonly ActCorrections[],
): { readonly kind: string; readonly reference: string }[] {
  return [...effects].flatMap(([name, list]) => {
    const kind = announced[name];
    const changed = corrected.find((one) => one.kind === name)?.changed ?? 0;
    return list.flatMap((effect) =>
      kind === undefined ||
      effect.affected !== operationId ||
      effect.newest === null ||
      effect.created + effect.changed <= changed
        ? []
        : { kind, reference: effect.newest },
    );
  });
}
