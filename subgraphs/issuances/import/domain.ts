import { addFindings } from '../../../shared/import/check.js';
import type { ImportDomain } from '../../../shared/import/domain.js';
import { consistencyChecks } from './check/consistency.js';
import {
  assignedContracts,
  assignedPositions,
  completeWithoutPositions,
  foreignSeries,
  keepEngineBook,
  otherPositions,
  paidByEngine,
  pricedByEngine,
  priceJumps,
  typedBesideEngine,
  unknownContracts,
} from './check/references.js';
import { kinds } from './model/kinds.js';
import { keepInputs, restoreInputs } from './release.store.js';
import type { Context } from '../../../shared/kernel/context.js';
import type { Effect } from '../../../shared/import/write/merge.js';
import { raiseRevision } from '../revision/revision.js';
import { searchText, type Searchable } from '../operations/search-text.js';
import { estatesOf } from '../engine/credit.store.js';
import { unbookedTickers } from '../engine/book.store.js';
import { wantCredits, wantSeries } from '../engine/book.js';
import { closeCompleteMonths, doubtCompleteMonths } from '../reports/close-complete-months.js';
import { announceUpdates } from '../updates/announce-updates.js';

export const issuancesImport: ImportDomain = {
  kinds,
  schema: {
    name: 'operations',
    id: 'urn:lastro:issuances:operation',
    title: 'Securitization operations',
    description:
      'One operation, a list of operations, or an object whose "operations" is such a list. Amounts are decimals, as text or as ' +
      'JSON numbers, and are never rounded. Rates and shares are percent numbers: 3.5 means 3,5 %. Dates are YYYY-MM-DD.',
  },
  createKnown: () => createKnown,
  checks: [
    ...kinds.flatMap(foreignSeries),
    unknownContracts,
    completeWithoutPositions,
    otherPositions,
    pricedByEngine,
    paidByEngine,
    assignedContracts,
    assignedPositions,
    ...consistencyChecks,
  ],
  prepare: keepEngineBook,
  release: keepInputs,
  doubts: async (tx, { actId, errors }) => {
    for (const check of [priceJumps, typedBesideEngine]) await addFindings(tx.manager, check, errors, [actId]);
    await doubtCompleteMonths(tx, errors);
  },
  conclude: concludeChanges,
};

/** Marks the operations, updates search texts, raises the revision, announces what was published and corrected, and stores final reports of complete months. Does nothing without a change. */
async function concludeChanges(
  context: Context,
  effects: ReadonlyMap<string, readonly Effect[]>,
  reason: string | undefined,
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
  const newOperations = (effects.get('operations') ?? []).filter(({ created }) => created > 0);
  await wantCredits(
    context,
    await estatesOf(
      context,
      newOperations.flatMap(({ affected }) => affected ?? []),
    ),
  );
  const newSeries = (effects.get('series') ?? []).filter(({ created }) => created > 0);
  await wantSeries(
    context,
    await unbookedTickers(
      context,
      newSeries.flatMap(({ affected }) => affected ?? []),
    ),
  );
  await closeCompleteMonths(
    context,
    (effects.get('completeMonths') ?? []).flatMap(({ affected }) => affected ?? []),
    reason,
  );
}

async function renewSearchText({ manager }: Context, touched: readonly string[]): Promise<void> {
  const rows = await manager.rows<Searchable & { readonly id: string; readonly known: string }>(
    `SELECT o.id, o.ticker, o.slug, o.name, o.sub, o.issuer, o.issuer_cnpj AS "issuerCnpj", o.backing_asset AS "backingAsset", o.search_text AS known,
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

const createKnown = `
  CREATE TEMP TABLE known_operations ON COMMIT DROP AS
  SELECT coalesce(o.id, s.id) AS id, coalesce(lower(o.ticker), lower(s.ticker)) AS ticker,
    CASE WHEN s.id IS NULL THEN o.maturity_date ELSE s.maturity_date END AS maturity_date
  FROM (SELECT DISTINCT ON (lower(ticker)) * FROM import_operations ORDER BY lower(ticker), file, line) s
  FULL JOIN issuances.operations o ON lower(o.ticker) = lower(s.ticker);
  ANALYZE known_operations;

  CREATE TEMP TABLE known_series ON COMMIT DROP AS
  SELECT coalesce(e.id, s.id) AS id, coalesce(lower(e.ticker), lower(s.ticker)) AS ticker,
    coalesce(e.operation_id, s.operation_id) AS operation_id,
    coalesce(s.issue_date, e.issue_date) AS issue_date, coalesce(s.maturity_date, e.maturity_date) AS maturity_date
  FROM (
    SELECT DISTINCT ON (lower(s.ticker)) s.*, k.id AS operation_id FROM import_series s
    LEFT JOIN known_operations k ON k.ticker = lower(s.owner_operation) ORDER BY lower(s.ticker), file, line
  ) s
  FULL JOIN issuances.series e ON lower(e.ticker) = lower(s.ticker);
  ANALYZE known_series;

  CREATE TEMP TABLE known_onchain_contracts ON COMMIT DROP AS
  SELECT coalesce(e.id, s.id) AS id, coalesce(e.chain_id, s.chain_id) AS chain_id, coalesce(lower(e.address), lower(s.address)) AS address,
    coalesce(e.operation_id, s.operation_id) AS operation_id
  FROM (
    SELECT DISTINCT ON (s.chain_id, lower(s.address)) s.*, k.id AS operation_id FROM import_onchain_contracts s
    LEFT JOIN known_operations k ON k.ticker = lower(s.owner_operation) ORDER BY s.chain_id, lower(s.address), file, line
  ) s
  FULL JOIN issuances.onchain_contracts e ON e.chain_id = s.chain_id AND lower(e.address) = lower(s.address);
  ANALYZE known_onchain_contracts`;
