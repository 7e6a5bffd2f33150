import type { Context } from '../../../shared/context.js';
import type { Effect } from '../../../shared/import/write/merge.js';
import { announceAll } from '../../../shared/outbox/outbox.js';
import { raiseRevision } from '../common/raise-revision.js';
import { searchText, type Searchable } from '../operations/search-text.js';
import { closeCompleteMonths } from '../reports/close-complete-months.js';

/** What readers of an operation are told about, by the kind of record that changed. */
const announced: Readonly<Record<string, string>> = {
  unitPrices: 'PU',
  payments: 'PAYMENT',
  documents: 'DOCUMENT',
  communications: 'COMMUNICATION',
};

/**
 * Does what every change of published data asks for, in its transaction: marks the operations, renews what they are found by,
 * raises the revision, announces one event an operation and kind, and makes the final reports of months that are now complete. Nothing when nothing has changed.
 */
export async function concludeChanges(
  context: Context,
  effects: ReadonlyMap<string, readonly Effect[]>,
): Promise<void> {
  const touched = [...new Set([...effects.values()].flat().flatMap(({ affected }) => affected ?? []))];
  if (touched.length === 0) return;
  const { manager } = context;
  await renewSearchText(context, touched);
  await manager.query('UPDATE issuances.operations SET updated_at = $2 WHERE id = ANY($1)', [
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
  const rows = await manager.query<(Searchable & { readonly id: string; readonly known: string })[]>(
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
  await manager.query(
    `UPDATE issuances.operations o SET search_text = n.text FROM unnest($1::uuid[], $2::text[]) AS n (id, text) WHERE o.id = n.id`,
    [stale.map(({ id }) => id), stale.map(({ text }) => text)],
  );
}

async function announceChanges(context: Context, effects: ReadonlyMap<string, readonly Effect[]>): Promise<void> {
  const news = [...effects].flatMap(([name, list]) => {
    const kind = announced[name];
    return kind === undefined
      ? []
      : list.flatMap(({ affected, newest }) =>
          affected === null || newest === null ? [] : { kind, operationId: affected, reference: newest },
        );
  });
  const rows = await context.manager.query<{ readonly id: string; readonly ticker: string }[]>(
    'SELECT id, ticker FROM issuances.operations WHERE is_public AND id = ANY($1)',
    [news.map(({ operationId }) => operationId)],
  );
  const tickers = new Map(rows.map(({ id, ticker }) => [id, ticker]));
  const occurredAt = context.clock.now().toISOString();
  const events = news.flatMap(({ kind, operationId, reference }) => {
    const ticker = tickers.get(operationId);
    if (ticker === undefined) return [];
    return {
      topic: 'operation.updated',
      key: operationId,
      payload: { operationId, ticker, kind, reference, occurredAt },
    };
  });
  await announceAll(context, events);
}
