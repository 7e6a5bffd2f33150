import { inCsv, notFaulty } from '../../../../shared/import/check.js';
import { givenBy, violation } from '../../../../shared/import/import-rules.js';
import { assetTransitions, inDefault } from '../../assets/asset.js';
import { assets, imported } from '../model/assets.js';

/** Checks of an asset against its instalments, and against its previous state. */

/** SQL: whether `a` is a credit that an originator assigned to the estate `p`. */
const isAssigned = `a.patrimony_id = p.id AND a.originator_id IS NOT NULL`;
const assignedBy = (value: string) =>
  violation('ASSET_ASSIGNED', { value, originator: 'a.originator_id', batch: 'a.batch_name' });

/** The credits of each are found by an index of their own. */
const assignedStates = [`a.status <> 'WRITTEN_OFF'`, `a.status = 'WRITTEN_OFF'`];

/** A credit that an originator assigned is not imported a second time. One that was imported before stays a credit of its own. */
const assignedAssets = assignedStates.map(
  (state) => `
  SELECT DISTINCT ON (s.file, s.line, s.path) s.file, s.line, s.path, 'externalId' AS field, ${assignedBy('s.external_id')}
  FROM import_assets s JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)
  JOIN tokenization.assets a ON ${isAssigned} AND ${state} AND a.external_id = s.external_id
  WHERE NOT EXISTS (SELECT FROM tokenization.assets e WHERE e.patrimony_id = p.id AND e.external_id = s.external_id AND e.${imported})`,
);

const assignedInstalments = assignedStates.map(
  (state) => `
  SELECT DISTINCT ON (s.file, s.line, s.path) s.file, s.line, s.path, 'assetExternalId' AS field, ${assignedBy('s.owner_asset')}
  FROM import_asset_installments s JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)
  JOIN tokenization.assets a ON ${isAssigned} AND ${state} AND a.external_id = s.owner_asset
  LEFT JOIN known_assets k ON k.patrimony_id = p.id AND k.external_id = s.owner_asset
  WHERE ${inCsv} AND k.id IS NULL`,
);

const unknownAssets = `
  SELECT s.file, s.line, s.path, 'assetExternalId' AS field, ${violation('ASSET_UNKNOWN', { value: 's.owner_asset' })}
  FROM import_asset_installments s JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)
  LEFT JOIN known_assets k ON k.patrimony_id = p.id AND k.external_id = s.owner_asset
  WHERE ${inCsv} AND k.id IS NULL AND ${notFaulty(assets, 'p.ticker', 's.owner_asset')}
    AND NOT EXISTS (SELECT FROM tokenization.assets a WHERE ${isAssigned} AND a.external_id = s.owner_asset)`;

const notAllListed = `
  SELECT k.file, k.line, k.path, 'installments' AS field,
    CASE WHEN k.is_stated THEN 'INSTALMENTS_STATED' ELSE 'INSTALMENTS_COUNTED' END AS rule,
    ${givenBy({ value: 'o.installments', count: 'o.listed', last: 'o.last', asset: 'k.external_id' })} AS given
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id
  WHERE k.is_whole AND (o.listed <> o.installments OR o.last <> o.installments)`;

/** Fields that an asset without instalments must state itself. */
const unsaid = ['status', 'currentBalance', 'finalDueDate'].map((field) => {
  const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `
  SELECT k.file, k.line, k.path, '${field}' AS field, ${violation('REQUIRED_WITHOUT_INSTALMENTS')}
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id WHERE k.is_whole AND o.listed IS NULL AND o.${column} IS NULL`;
});

/** Fields that both an asset and its instalments determine. */
const contradicted = ['status', 'paidInstallments', 'received', 'nextDueDate', 'finalDueDate', 'currentBalance'].map(
  (field) => {
    const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return `
  SELECT s.file, s.line, s.path, '${field}' AS field, ${violation('NOT_BY_INSTALMENTS', { value: `s.${column}`, other: `coalesce(o.${column}::text, 'none')` })}
  FROM import_assets s JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)
  JOIN known_assets k ON k.patrimony_id = p.id AND k.external_id = s.external_id
  JOIN known_outcomes o ON o.id = k.id
  WHERE k.is_whole AND o.listed IS NOT NULL AND s.${column} IS DISTINCT FROM o.${column} AND s.${column} IS NOT NULL`;
  },
);

const late = `(${inDefault('o.next_due_date', 'o.today')})`;

/** Without instalments, the next due day determines whether the asset is in default. */
const unlikely = `
  SELECT k.file, k.line, k.path, 'status' AS field, ${violation('UNLIKELY_STATUS', { value: 'o.status', due: 'o.next_due_date' })}
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id
  WHERE k.is_whole AND o.listed IS NULL AND ((o.status = 'ACTIVE' AND ${late})
    OR (o.status = 'DEFAULTED' AND NOT ${late}) OR (o.status = 'SETTLED' AND o.next_due_date IS NOT NULL))`;

const paidMoreThanThereAre = `
  SELECT k.file, k.line, k.path, 'installments' AS field, ${violation('PAID_TOO_MANY', { value: 'o.installments', paid: 'o.paid_installments' })}
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id WHERE o.paid_installments > o.installments`;

/** The allowed transitions of an asset as rows of `from, to`. */
const moves = Object.entries(assetTransitions)
  .flatMap(([from, events]) => Object.values(events).map((to) => `('${from}', '${to}')`))
  .join(', ');

const transitions = `
  SELECT k.file, k.line, k.path, 'status' AS field,
    ${violation('ASSET_TRANSITION', { value: 'o.status', before: 'o.status_before' })}
  FROM known_outcomes o JOIN known_assets k ON k.id = o.id
  WHERE k.is_whole AND o.status_before <> o.status AND (o.status_before, o.status) NOT IN (${moves})`;

const paymentsTakenBack = `
  SELECT s.file, s.line, s.path, 'paidAmount' AS field, ${violation('PAYMENT_TAKEN_BACK', { day: 'e.paid_on' })}
  FROM import_asset_installments s JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)
  JOIN known_assets k ON k.patrimony_id = p.id AND k.external_id = s.owner_asset
  JOIN tokenization.asset_installments e ON e.asset_id = k.id AND e.installment_number = s.installment_number
  WHERE e.status = 'PAID' AND s.paid_on IS NULL AND s.paid_amount IS NOT NULL`;

export const assetChecks: readonly string[] = [
  ...assignedAssets,
  ...assignedInstalments,
  unknownAssets,
  notAllListed,
  ...unsaid,
  ...contradicted,
  unlikely,
  paidMoreThanThereAre,
  transitions,
  paymentsTakenBack,
];
