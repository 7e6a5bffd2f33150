import { byRule } from '../../../../shared/kernel/errors.js';
import { sha256 } from '../../../../shared/security/crypto.js';
import { broken, settledBy } from '../../../../shared/import/import-rules.js';
import { date } from '../../../../shared/import/model/date-values.js';
import { kind, optional, required, type Parent } from '../../../../shared/import/model/kind.js';
import { decimal, integer } from '../../../../shared/import/model/number-values.js';
import { notAbove, notInTheFuture, type Rule } from '../../../../shared/import/model/rules.js';
import { document, oneOf } from '../../../../shared/import/model/text-values.js';
import { assetStatuses } from '../../assets/asset.js';
import { assetTypes } from '../../../securities/asset-type.js';
import { assetSearchText } from '../../assets/tax-ids-in-text.js';
import { ofPatrimony, patrimonyColumn } from './patrimonies.js';
import { amount, label } from './values.js';

const follows = 'derived from the instalments when absent';

const settledOwesNothing: Rule = ({ status, currentBalance, paidInstallments, installments }) => {
  if (status !== 'SETTLED') return undefined;
  if (/[1-9]/.test(currentBalance ?? ''))
    return { field: 'currentBalance', error: broken('ZERO_WHERE_SETTLED', { value: currentBalance ?? '' }) };
  return paidInstallments === null || paidInstallments === installments
    ? undefined
    : { field: 'paidInstallments', error: broken('ALL_WHERE_SETTLED', { installments: installments ?? '' }) };
};

/** Imports cover only these assets; the others were assigned by originators, and an import that names one is rejected. */
export const imported = 'originator_id IS NULL';

export const assets = kind('assets', {
  label: 'asset',
  description: 'The credits of the estate in their current state. An asset that is not listed keeps its state.',
  table: 'tokenization.assets',
  among: imported,
  others: {
    columns: 't.originator_id AS originator, t.batch_name AS batch',
    refused: (record, { originator, batch }) =>
      byRule('RECORD_ASSIGNED', { record, originator: originator ?? '', batch: batch ?? '' }),
  },
  parent: ofPatrimony,
  key: ['externalId'],
  referredTo: true,
  csv: true,
  settled: () =>
    `CASE WHEN o.status IN ('SETTLED', 'WRITTEN_OFF') AND n.status IS DISTINCT FROM o.status
         THEN ${settledBy('SETTLED_STATUS', { status: 'o.status' })}
       WHEN n.received < o.received THEN ${settledBy('SETTLED_RECEIVED', { amount: 'o.received' })} END`,
  mayEmpty: ['nextDueDate'],
  fields: [
    required(
      'externalId',
      label,
      'Identifier of the credit in your own system, unique within the estate. It is published; a CPF within it, and the tax id of the debtor, are masked.',
      'CCB-2025-000123',
    ),
    required('type', oneOf(...assetTypes), 'Type of the credit.', 'CCB'),
    optional(
      'status',
      oneOf(...assetStatuses),
      `ACTIVE, SETTLED and DEFAULTED (more than 90 days late) must agree with the instalments; ${follows}. WRITTEN_OFF is accepted as given.`,
      null,
    ),
    required(
      'debtorName',
      label,
      'Name of the debtor. Of a natural person (CPF, or a CNPJ with a name that has a CPF or begins with the root of the CNPJ) only the initials are published.',
      'Beatriz Nogueira',
    ),
    required(
      'debtorDocument',
      document,
      'CPF or CNPJ of the debtor. Only its last digits are published.',
      '123.456.789-09',
    ),
    required('originalValue', decimal(16, 2, { above: '0' }), 'Value at issue, in reais.', '12000.00'),
    optional('currentBalance', amount, `Outstanding balance, in reais; ${follows}: their unpaid amounts.`, null),
    required('interestRate', decimal(14, 8, { min: '0' }), 'Percent per year.', '18.5'),
    required('installments', integer(1, 1200), 'Total number of instalments.', 1),
    optional('paidInstallments', integer(0, 1200), `Number of paid instalments; ${follows}.`, null),
    optional('received', amount, `Amount received so far, in reais; ${follows}.`, null),
    optional('nextDueDate', date, `Due date of the oldest unpaid instalment; ${follows}.`, null),
    optional('finalDueDate', date, `Due date of the last instalment; ${follows}.`, '2027-03-10'),
    optional(
      'batchName',
      label,
      'Name of the batch that contained it. When absent, it keeps its value.',
      'Lote 2025-03',
      {
        keeps: true,
      },
    ),
  ],
  rules: [notAbove('paidInstallments', 'installments'), settledOwesNothing],
  complete: (values) => {
    if (values['status'] !== 'SETTLED') return;
    values['currentBalance'] ??= '0';
    values['paidInstallments'] ??= values['installments'] ?? null;
  },
  derived: [
    {
      column: 'search_text',
      sql: 'text',
      of: ({ externalId, debtorName, debtorDocument }) =>
        assetSearchText({
          externalId: externalId ?? '',
          debtorName: debtorName ?? '',
          debtorDocument: debtorDocument ?? '',
        }),
    },
    {
      column: 'batch_id',
      sql: 'uuid',
      keeps: null,
      of: ({ batchName }, [patrimony = '']) => (batchName == null ? null : batchId(patrimony, batchName)),
    },
  ],
  // Position in lists is assigned on registration, so that a reader with a cursor sees new assets.
  drawn: ['registration'],
  stamps: [
    { column: 'created_at', value: '$1', onChange: false },
    { column: 'updated_at', value: '$1', onChange: true },
  ],
});

/** Returns the id of a batch of an estate, always the same for the same name: a UUID of version 8 (RFC 9562) from both names. */
function batchId(patrimony: string, name: string): string {
  const hex = sha256(JSON.stringify([patrimony.toLowerCase(), name])).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const ofAsset: Parent = {
  kind: assets,
  columns: [
    patrimonyColumn,
    {
      name: 'owner_asset',
      sql: 'text',
      folds: false,
      field: required('assetExternalId', label, 'externalId of the asset.', 'CCB-2025-000123'),
      known: undefined,
    },
  ],
  source: {
    owner: [['asset_id', 'k.id']],
    join: `JOIN known_patrimonies p ON p.ticker = lower(s.owner_patrimony)
      JOIN known_assets k ON k.patrimony_id = p.id AND k.external_id = s.owner_asset`,
    affected: 'k.patrimony_id',
  },
};

const paidInFull: Rule = ({ amount: due, paidAmount, paidOn }) => {
  const whole = due != null && paidAmount != null && cents(paidAmount) >= cents(due);
  if (whole === (paidOn != null)) return undefined;
  return whole
    ? { field: 'paidOn', error: broken('PAID_IN_FULL') }
    : { field: 'paidOn', error: broken('NOT_PAID_IN_FULL') };
};

function cents(value: string): bigint {
  const [whole = '0', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.slice(0, 2).padEnd(2, '0'));
}

export const installments = kind('installments', {
  label: 'asset instalment',
  description: 'Instalments of the debtor, paid and future. An instalment that is not listed keeps its values.',
  table: 'tokenization.asset_installments',
  parent: ofAsset,
  list: 'paymentHistory',
  // External ids of credits that originators assigned.
  foreign:
    'EXISTS (SELECT FROM tokenization.assets AS own WHERE own.id = t.asset_id AND own.originator_id IS NOT NULL)',
  isPart: true,
  // The totals of its asset are not checked while one of them has an error.
  referredTo: true,
  key: ['installmentNumber'],
  hasId: false,
  csv: true,
  settled: () =>
    `CASE WHEN o.status = 'PAID' THEN ${settledBy('SETTLED_PAID', { day: 'o.paid_on' })}
       WHEN n.paid_amount < o.paid_amount THEN ${settledBy('SETTLED_RECEIVED', { amount: 'o.paid_amount' })} END`,
  fields: [
    required(
      'installmentNumber',
      integer(1, 1200),
      'Number of the instalment; that of the last one is installments.',
      1,
    ),
    required('dueDate', date, 'Due date.', '2027-03-10'),
    required('amount', decimal(16, 2, { above: '0' }), 'Amount due, in reais.', '12000.00'),
    optional(
      'paidAmount',
      amount,
      'Amount received, in reais; the whole amount where paidOn is given. When both are absent or empty, it keeps its value: only an operator takes a payment back (`lastro reverseAssetPayment`).',
      null,
      { keeps: true, fallback: '0' },
    ),
    optional('paidOn', date, 'Day on which it was paid in full, which cannot be in the future.', null, { keeps: true }),
  ],
  rules: [paidInFull, notInTheFuture('paidOn')],
  complete: (values) => {
    if (values['paidOn'] != null) values['paidAmount'] ??= values['amount'] ?? null;
  },
  derived: [{ column: 'status', sql: 'text', keeps: 'PENDING', of: ({ paidOn }) => (paidOn == null ? null : 'PAID') }],
});
