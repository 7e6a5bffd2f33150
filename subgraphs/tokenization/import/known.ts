import { noneFaulty } from '../../../shared/import/check.js';
import type { ImportDay } from '../../../shared/import/model/rules.js';
import { inDefault } from '../assets/asset.js';
import { imported, installments } from './model/assets.js';
import { schedule } from './model/schedule.js';
import { redeemedOf } from '../schedule/schedule.store.js';
import { policyColumns } from './model/tranches.js';

/*
 * State after this import. Locks the rows that it may change, in the order of their ids, so that no concurrent pricing or payment
 * changes them between these checks and the write.
 */

const patrimonies = `
  CREATE TEMP TABLE known_patrimonies ON COMMIT DROP AS
  SELECT coalesce(e.id, s.id) AS id, coalesce(lower(e.ticker), lower(s.ticker)) AS ticker
  FROM (SELECT DISTINCT ON (lower(ticker)) * FROM import_patrimonies ORDER BY lower(ticker), file, line) s
  FULL JOIN tokenization.patrimonies e ON lower(e.ticker) = lower(s.ticker);
  ANALYZE known_patrimonies`;

/** SQL of one text with everything of a series `t` that its prices and instalment amounts depend on. Units that are redeemed are gone from their amounts before. */
export const policyDigest = `md5(
  ROW(${policyColumns('t')}, t.token_quantity + coalesce((SELECT units FROM (${redeemedOf}) AS redeemed WHERE tranche_id = t.id), 0))::text ||
  coalesce((SELECT string_agg(ROW(e.calculation_date, e.interest_event, e.amortization_percentage)::text, ',' ORDER BY e.calculation_date, e.installment_number)
    FROM tokenization.schedule_entries e WHERE e.tranche_id = t.id), ''))`;

const tranches = `
  SELECT FROM tokenization.tranches WHERE lower(ticker) IN (SELECT lower(ticker) FROM import_tranches) ORDER BY id FOR NO KEY UPDATE;
  CREATE TEMP TABLE known_tranches ON COMMIT DROP AS
  SELECT DISTINCT ON (lower(s.ticker)) s.file, s.line, s.path, coalesce(t.id, s.id) AS id, lower(s.ticker) AS ticker,
    s.remuneration_start_date, t.status AS status_before,
    greatest(t.invested_amount, s.invested_amount, 0) > 0 AS is_invested, ${noneFaulty(schedule, 'lower(s.ticker)')} AS is_whole,
    CASE WHEN t.id IS NOT NULL THEN ${policyDigest} END AS digest_before
  FROM import_tranches s LEFT JOIN tokenization.tranches t ON lower(t.ticker) = lower(s.ticker) ORDER BY lower(s.ticker), s.file, s.line;
  ANALYZE known_tranches;
  SELECT FROM tokenization.schedule_entries WHERE tranche_id IN (SELECT id FROM known_tranches)
    ORDER BY tranche_id, installment_number FOR NO KEY UPDATE;

  CREATE TEMP TABLE known_schedule ON COMMIT DROP AS
  SELECT s.file, s.line, s.path, k.id AS tranche_id, s.installment_number, s.calculation_date, s.interest_event, s.amortization_percentage,
    e.status AS status_before, coalesce(s.status, e.status, 'PENDING') AS status,
    coalesce(s.total_value, e.total_value) AS total_value, false AS is_gone
  FROM import_schedule_entries s JOIN known_tranches k ON k.ticker = lower(s.owner_tranche)
  LEFT JOIN tokenization.schedule_entries e ON e.tranche_id = k.id AND e.installment_number = s.installment_number
  UNION ALL
  SELECT k.file, k.line, k.path, k.id, e.installment_number, e.calculation_date, e.interest_event, e.amortization_percentage,
    e.status, e.status, e.total_value, e.installment_number > 0 AND EXISTS (SELECT FROM import_lists l WHERE l.kind = 'schedule' AND lower(l.owner) = k.ticker)
  FROM known_tranches k JOIN tokenization.schedule_entries e ON e.tranche_id = k.id
  WHERE NOT EXISTS (SELECT FROM import_schedule_entries s
    WHERE lower(s.owner_tranche) = k.ticker AND s.installment_number = e.installment_number);
  ANALYZE known_schedule`;

/** The assets that the input names, directly or by an instalment. */
const assets = `
  CREATE TEMP TABLE known_assets ON COMMIT DROP AS
  SELECT coalesce(s.file, (i.place >> 32)::integer) AS file, coalesce(s.line, (i.place & 4294967295)::integer) AS line,
    coalesce(s.path, '') AS path, coalesce(a.id, s.id) AS id, k.id AS patrimony_id,
    coalesce(s.external_id, i.external_id) AS external_id, s.id IS NOT NULL AS is_stated,
    ${noneFaulty(installments, `k.ticker || ',' || lower(coalesce(s.external_id, i.external_id))`)} AS is_whole
  FROM import_assets s
  FULL JOIN (
    SELECT lower(owner_patrimony) AS patrimony, owner_asset AS external_id, min(file::bigint << 32 | line) AS place
    FROM import_asset_installments GROUP BY 1, 2
  ) i ON i.patrimony = lower(s.owner_patrimony) AND i.external_id = s.external_id
  JOIN known_patrimonies k ON k.ticker = coalesce(lower(s.owner_patrimony), i.patrimony)
  LEFT JOIN tokenization.assets a
    ON a.patrimony_id = k.id AND a.external_id = coalesce(s.external_id, i.external_id) AND a.${imported}
  WHERE coalesce(a.id, s.id) IS NOT NULL;
  ANALYZE known_assets;
  SELECT FROM tokenization.assets WHERE id IN (SELECT id FROM known_assets) ORDER BY id FOR NO KEY UPDATE;

  CREATE TEMP TABLE known_histories ON COMMIT DROP AS
  SELECT id, count(*)::integer AS listed, max(number) AS last, count(*) FILTER (WHERE is_paid)::integer AS paid,
    sum(paid_amount) AS received, coalesce(sum(greatest(amount - paid_amount, 0)) FILTER (WHERE NOT is_paid), 0) AS unpaid,
    coalesce(sum(unpaid_before), 0) AS unpaid_before,
    min(due_date) FILTER (WHERE NOT is_paid) AS next_due_date, max(due_date) AS final_due_date
  FROM (
    SELECT coalesce(s.id, e.asset_id) AS id, coalesce(s.installment_number, e.installment_number) AS number,
      coalesce(s.due_date, e.due_date) AS due_date, coalesce(s.amount, e.amount) AS amount,
      coalesce(s.paid_amount, e.paid_amount, 0) AS paid_amount, coalesce(s.status, e.status, 'PENDING') = 'PAID' AS is_paid,
      CASE WHEN e.status = 'PENDING' THEN greatest(e.amount - e.paid_amount, 0) END AS unpaid_before
    FROM (
      SELECT k.id, i.* FROM import_asset_installments i JOIN known_patrimonies p ON p.ticker = lower(i.owner_patrimony)
      JOIN known_assets k ON k.patrimony_id = p.id AND k.external_id = i.owner_asset
    ) s
    FULL JOIN (
      SELECT e.* FROM known_assets k JOIN tokenization.asset_installments e ON e.asset_id = k.id
    ) e ON e.asset_id = s.id AND e.installment_number = s.installment_number
  ) one GROUP BY id;
  ANALYZE known_histories`;

/** Takes an asset's state from its instalments if there are any, else from the input, else from before; a balance that is not stated falls in proportion to the unpaid sum. */
const outcomes = ({ today }: ImportDay) => `
  CREATE TEMP TABLE known_outcomes ON COMMIT DROP AS
  SELECT k.id, a.status AS status_before, DATE '${today}' AS today, h.listed, h.last, coalesce(s.installments, a.installments) AS installments,
    CASE
      WHEN h.listed = h.paid THEN 'SETTLED'
      WHEN h.id IS NULL OR coalesce(s.status, a.status) = 'WRITTEN_OFF' THEN coalesce(s.status, a.status)
      WHEN ${inDefault('h.next_due_date', `DATE '${today}'`)} THEN 'DEFAULTED'
      ELSE 'ACTIVE'
    END AS status,
    coalesce(h.paid, s.paid_installments, a.paid_installments, 0) AS paid_installments,
    coalesce(h.received, s.received, a.received, 0) AS received,
    CASE WHEN h.id IS NULL THEN coalesce(s.next_due_date, a.next_due_date) ELSE h.next_due_date END AS next_due_date,
    coalesce(h.final_due_date, s.final_due_date, a.final_due_date) AS final_due_date,
    CASE
      WHEN h.listed = h.paid THEN 0
      WHEN s.current_balance IS NOT NULL THEN s.current_balance
      WHEN a.id IS NULL THEN h.unpaid
      WHEN h.unpaid_before > 0 THEN round(a.current_balance * h.unpaid / h.unpaid_before, 2)
      ELSE a.current_balance
    END AS current_balance
  FROM known_assets k LEFT JOIN known_histories h ON h.id = k.id
  LEFT JOIN tokenization.assets a ON a.id = k.id
  LEFT JOIN (SELECT s.*, p.id AS estate FROM import_assets s JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)) s
    ON s.estate = k.patrimony_id AND s.external_id = k.external_id;
  ANALYZE known_outcomes`;

export function createKnown(day: ImportDay): string {
  return [patrimonies, tranches, assets, outcomes(day)].join(';\n');
}
