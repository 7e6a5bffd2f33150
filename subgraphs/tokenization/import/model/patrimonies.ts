import { kind, optional, required, type OwnerColumn, type Parent } from '../../../../shared/import/model/kind.js';
import { oneOf, text } from '../../../../shared/import/model/text-values.js';
import { patrimonyStatuses } from '../../patrimonies/patrimony.js';
import { label, ticker } from './values.js';

export const patrimonies = kind('patrimonies', {
  label: 'patrimony',
  description: 'An estate, which separates the assets and liabilities of one securitization.',
  table: 'tokenization.patrimonies',
  source: { owner: [], join: 'JOIN known_patrimonies k ON k.ticker = lower(s.ticker)', affected: 'k.id' },
  key: ['ticker'],
  unique: true,
  referredTo: true,
  fields: [
    required('ticker', ticker, 'Name of the estate in URLs; unique without regard to case.', 'PAT-AURORA'),
    required('name', text({ maxLength: 300 }), 'Name of the estate.', 'Patrimônio Separado Aurora'),
    required(
      'slug',
      text({ pattern: '^[A-Za-z0-9][A-Za-z0-9\\-]{0,119}$', rule: 'SLUG_FORM' }),
      'Slug, the other name of the estate in URLs; unique without regard to case.',
      'patrimonio-aurora',
    ),
    required(
      'status',
      oneOf(...patrimonyStatuses),
      'DRAFT while it is being set up, CLOSED once everything in it is settled.',
      'ACTIVE',
    ),
    optional(
      'operationTicker',
      label,
      'Ticker of the published operation of the estate, if there is one.',
      'CRI-AURORA-1',
    ),
  ],
  stamps: [
    { column: 'created_at', value: '$1', onChange: false },
    { column: 'updated_at', value: '$1', onChange: true },
  ],
});

export const patrimonyColumn: OwnerColumn = {
  name: 'owner_patrimony',
  sql: 'text',
  folds: true,
  field: required('patrimonyTicker', label, 'Ticker of the estate.', 'PAT-AURORA'),
  known: { table: 'known_patrimonies', kind: patrimonies },
};

export const ofPatrimony: Parent = {
  kind: patrimonies,
  columns: [patrimonyColumn],
  source: {
    owner: [['patrimony_id', 'k.id']],
    join: 'JOIN known_patrimonies k ON k.ticker = lower(s.owner_patrimony)',
    affected: 'k.id',
  },
};
