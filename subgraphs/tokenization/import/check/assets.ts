import { inCsv, notFaulty } from '../../../../shared/import/check/references.js';
import { assetTransitions } from '../../assets/asset-transitions.js';
import { assets } from '../model/assets.js';

/** Checks of an asset against its instalments, and against its previous state. */

const unknownAssets = `
  SELECT s.file, s.line, s.path, 'assetExternalId' AS field, 'is "' || s.owner_asset || '", and the patrimony has no such asset' AS message
  FROM import_asset_installments s JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)
  LEFT JOIN known_assets k ON k.patrimony_id = p.id AND k.external_id = s.owner_asset
  WHERE ${inCsv} AND k.id IS NULL AND ${notFaulty(assets, 'p.ticker', 's.owner_asset')}`;

const notAllListed = `
  SELECT k.file, k.line, k.path, 'installments' AS field, CASE
      WHEN k.is_stated THEN 'is ' || o.installments || ', and the asset has '
      ELSE 'of asset "' || k.external_id || '" is ' || o.installments || ', and it has ' END
    || o.listed || ' of them, numbered up to ' || o.last AS message
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id
  WHERE k.is_whole AND (o.listed <> o.installments OR o.last <> o.installments)`;

/** Fields that an asset without instalments must state itself. */
const unsaid = ['status', 'currentBalance', 'finalDueDate'].map((field) => {
  const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `
  SELECT k.file, k.line, k.path, '${field}' AS field, 'is required where the asset has no instalments' AS message
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id WHERE k.is_whole AND o.listed IS NULL AND o.${column} IS NULL`;
});

/** Fields that both an asset and its instalments determine. */
const contradicted = ['status', 'paidInstallments', 'received', 'nextDueDate', 'finalDueDate', 'currentBalance'].map(
  (field) => {
    const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return `
  SELECT s.file, s.line, s.path, '${field}' AS field, 'is ' || s.${column} || ', and by the instalments it is ' || coalesce(o.${column}::text, 'none') AS message
  FROM import_assets s JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)
  JOIN known_assets k ON k.patrimony_id = p.id AND k.external_id = s.external_id
  JOIN known_outcomes o ON o.id = k.id
  WHERE k.is_whole AND o.listed IS NOT NULL AND s.${column} IS DISTINCT FROM o.${column} AND s.${column} IS NOT NULL`;
  },
);

/** Without instalments, the next due day determines whether the asset is in default. */
const unlikely = `
  SELECT k.file, k.line, k.path, 'status' AS field, 'is ' || o.status || ', and nextDueDate is ' || o.next_due_date AS message
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id
  WHERE k.is_whole AND o.listed IS NULL AND ((o.status = 'ACTIVE' AND o.next_due_date < o.tolerated)
    OR (o.status = 'DEFAULTED' AND o.next_due_date >= o.tolerated) OR (o.status = 'SETTLED' AND o.next_due_date IS NOT NULL))`;

const paidMoreThanThereAre = `
  SELECT k.file, k.line, k.path, 'installments' AS field, 'is ' || o.installments || ', and ' || o.paid_installments || ' were paid' AS message
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id WHERE o.paid_installments > o.installments`;

/** The allowed transitions of an asset as rows of `from, to`. */
const moves = Object.entries(assetTransitions)
  .flatMap(([from, events]) => Object.values(events).map((to) => `('${from}', '${to}')`))
  .join(', ');

const transitions = `
  SELECT k.file, k.line, k.path, 'status' AS field,
    'becomes ' || o.status || ', and the asset is ' || o.status_before || ', from where it cannot come to that' AS message
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id
  WHERE k.is_whole AND o.status_before <> o.status AND (o.status_before, o.status) NOT IN (${moves})`;

const paymentsTakenBack = `
  SELECT s.file, s.line, s.path, 'paidAmount' AS field, 'is less than amount, and the instalment was paid on ' || e.paid_on AS message
  FROM import_asset_installments s JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)
  JOIN known_assets k ON k.patrimony_id = p.id AND k.external_id = s.owner_asset
  JOIN tokenization.asset_installments e ON e.asset_id = k.id AND e.installment_number = s.installment_number
  WHERE e.status = 'PAID' AND s.paid_on IS NULL AND s.paid_amount IS NOT NULL`;

export const assetChecks: readonly string[] = [
  unknownAssets,
  notAllListed,
  ...unsaid,
  ...contradicted,
  unlikely,
  paidMoreThanThereAre,
  transitions,
  paymentsTakenBack,
];
