import {
  correctionsOf,
  versionCorrectionsOf,
  type CorrectionReading,
  type Scope,
} from '../../../shared/corrections/source.js';
import { assets, installments } from '../import/model/assets.js';
import { patrimonies } from '../import/model/patrimonies.js';
import { schedule } from '../import/model/schedule.js';
import { tranches } from '../import/model/tranches.js';

// Restricts to the estate `$1` and the series `$2`, or any. Drafts are not published.
const ofPatrimony = `p.id = coalesce($1::uuid, p.id) AND p.status <> 'DRAFT'`;
const ofTranche = `${ofPatrimony} AND t.id = coalesce($2::uuid, t.id) AND t.status <> 'DRAFT'`;
const wholePatrimony = `${ofPatrimony} AND $2::uuid IS NULL`;

const patrimonyOf = (id: string) => `JOIN tokenization.patrimonies p ON p.id = ${id}`;
const trancheOf = (id: string) => `JOIN tokenization.tranches t ON t.id = ${id} ${patrimonyOf('t.patrimony_id')}`;

const none = () => 'false';
/** Scope of rows whose column `column` refers to an estate, and which belong to no series. */
const scopeOfPatrimony = (column: string): Scope => [(id) => `r.${column} = ${id}`, none];
const scopeOfTranche: Scope = [
  (id) => `r.tranche_id IN (SELECT t.id FROM tokenization.tranches t WHERE t.patrimony_id = ${id})`,
  (id) => `r.tranche_id = ${id}`,
];

const status = { fields: ['status'] };

/** Lists the published data of estates, and which of its changes are not corrections. Contains nothing that identifies a debtor. */
export const correctionSources: readonly CorrectionReading[] = [
  correctionsOf({
    kind: patrimonies,
    scope: scopeOfPatrimony('id'),
    joins: patrimonyOf('o.id'),
    where: `${wholePatrimony} AND o.status <> 'DRAFT'`,
    subject: 'p.ticker',
    record: 'o.ticker',
    date: 'NULL',
    routine: [status],
  }),
  correctionsOf({
    kind: tranches,
    scope: [(id) => `r.patrimony_id = ${id}`, (id) => `r.id = ${id}`],
    joins: patrimonyOf('o.patrimony_id'),
    where: `${ofPatrimony} AND o.id = coalesce($2::uuid, o.id) AND o.status <> 'DRAFT'`,
    subject: 'p.ticker',
    record: 'o.ticker',
    date: 'NULL',
    routine: [{ fields: ['status', 'investedAmount'] }],
  }),
  correctionsOf({
    kind: schedule,
    scope: scopeOfTranche,
    joins: trancheOf('o.tranche_id'),
    where: ofTranche,
    subject: 'p.ticker',
    record: `t.ticker || ' ' || o.installment_number`,
    date: 'o.due_date',
    routine: [
      { fields: ['paidOn', 'interestValue', 'principalValue'], when: 'o.paid_on IS NULL AND n.paid_on IS NOT NULL' },
    ],
  }),
  correctionsOf({
    kind: assets,
    scope: scopeOfPatrimony('patrimony_id'),
    joins: patrimonyOf('o.patrimony_id'),
    where: wholePatrimony,
    subject: 'p.ticker',
    record: 'o.id',
    date: 'NULL',
    routine: [
      status,
      {
        fields: ['currentBalance', 'received', 'paidInstallments', 'nextDueDate'],
        when: 'n.received > o.received OR n.paid_installments > o.paid_installments',
      },
    ],
    hidden: ['externalId', 'debtorName', 'debtorDocument', 'batchName'],
  }),
  correctionsOf({
    kind: installments,
    name: 'paymentHistory',
    // The estate comes from another table: see `where`.
    scope: [undefined, none],
    joins: `JOIN tokenization.assets a ON a.id = o.asset_id ${patrimonyOf('a.patrimony_id')}`,
    where: wholePatrimony,
    subject: 'p.ticker',
    record: `o.asset_id || ' ' || o.installment_number`,
    date: 'o.due_date',
    routine: [{ fields: ['paidAmount', 'paidOn'], when: `o.status = 'PENDING' AND n.paid_amount > o.paid_amount` }],
  }),
  versionCorrectionsOf({
    name: 'unitPrices',
    table: 'tokenization.unit_prices',
    key: [
      { column: 'tranche_id', type: 'uuid' },
      { column: 'date', type: 'date' },
    ],
    scope: scopeOfTranche,
    recordedAt: 'calculated_at',
    hasSource: false,
    fields: {
      unitPrice: 'unit_price',
      nominalValue: 'vna',
      interestJ: 'interest_j',
      payment: 'payment',
      amortization: 'amortization',
    },
    joins: trancheOf('n.tranche_id'),
    where: ofTranche,
    subject: 'p.ticker',
    record: 't.ticker',
    date: 'n.date',
  }),
  versionCorrectionsOf({
    name: 'indexValues',
    table: 'tokenization.index_values',
    key: [
      { column: 'index_name', type: 'text' },
      { column: 'date', type: 'date' },
    ],
    // Belongs to no estate.
    scope: [none, none],
    recordedAt: 'recorded_at',
    hasSource: true,
    fields: { value: 'value' },
    joins: '',
    where: '$1::uuid IS NULL AND $2::uuid IS NULL',
    subject: 'NULL',
    record: 'n.index_name',
    date: 'n.date',
  }),
];
