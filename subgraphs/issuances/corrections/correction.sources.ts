import type { Kind } from '../../../shared/import/model/kind.js';
import { correctionsOf, type CorrectionSource } from '../../../shared/corrections/source.js';
import { accounts, payments, permittedInvestments } from '../import/model/cash.js';
import { covenants, provisioningBands } from '../import/model/credits.js';
import { operations, series } from '../import/model/operations.js';
import { trusteeUnitPrices, unitPrices } from '../import/model/prices.js';
import {
  assemblies,
  communications,
  documents,
  guarantees,
  obligations,
  participants,
} from '../import/model/publications.js';

type Own = Pick<CorrectionSource, 'kind' | 'record'> & Partial<Pick<CorrectionSource, 'date' | 'routine' | 'hidden'>>;

// The operation is public now, and was in the version before the change; restricts to the operation `$1`, or any.
const published = `op.is_public AND op.id = coalesce($1::uuid, op.id) AND NOT EXISTS (
  SELECT FROM issuances.operations_versions v WHERE v.id = op.id AND NOT v.is_public
    AND v.recorded_at < o.superseded_at AND v.superseded_at >= o.superseded_at)`;

function ofOperation({ date = 'NULL', routine = [], ...own }: Own, where = 'true'): CorrectionSource {
  const id = own.kind === operations ? 'id' : 'operation_id';
  return {
    scope: [(operation) => `r.${id} = ${operation}`],
    joins: `JOIN issuances.operations op ON op.id = o.${id}`,
    where: `${published} AND ${where}`,
    subject: 'op.ticker',
    date,
    routine,
    ...own,
  };
}

function ofSeries(kind: Kind): CorrectionSource {
  return {
    kind,
    scope: [(operation) => `r.series_id IN (SELECT s.id FROM issuances.series s WHERE s.operation_id = ${operation})`],
    joins: 'JOIN issuances.series s ON s.id = o.series_id JOIN issuances.operations op ON op.id = s.operation_id',
    where: published,
    subject: 'op.ticker',
    record: 's.ticker',
    date: 'o.date',
    routine: [],
  };
}

// A label that follows the life cycle of its record.
const status = { fields: ['status'] };
const paid = {
  fields: ['paidDate', 'interestValue', 'principalValue', 'totalValue'],
  when: 'o.paid_date IS NULL AND n.paid_date IS NOT NULL',
};
const hidden = ['externalId'];

/**
 * Lists the published data of an operation, and which of its changes are not corrections. Excludes credits: individually they
 * could be recognised, and only totals of them are published.
 */
const sources: readonly CorrectionSource[] = [
  ofOperation({ kind: operations, record: 'o.ticker', routine: [status], hidden: ['public'] }),
  ofOperation({
    kind: series,
    record: 'o.ticker',
    routine: [{ fields: ['status', 'raisedAmount', 'subscribedQuotas'] }],
  }),
  ofSeries(unitPrices),
  ofSeries(trusteeUnitPrices),
  ofOperation({ kind: guarantees, record: 'o.type', routine: [status], hidden }),
  ofOperation(
    { kind: documents, record: 'o.name', date: 'o.reference_date', hidden: [...hidden, 'public'] },
    'o.is_public AND issuances.is_document_public(o.operation_id, o.external_id)',
  ),
  ofOperation({ kind: obligations, record: 'o.title', date: 'o.due_date', hidden }),
  ofOperation({
    kind: payments,
    record: `concat_ws(' ', (SELECT s.ticker FROM issuances.series s WHERE s.id = o.series_id), o.installment_number, o.event)`,
    date: 'o.due_date',
    routine: [paid],
  }),
  ofOperation({
    kind: accounts,
    record: 'o.purpose',
    date: 'o.balance_date',
    routine: [{ fields: ['balance', 'balanceDate'], when: 'n.balance_date > o.balance_date' }],
    hidden,
  }),
  ofOperation({
    kind: permittedInvestments,
    record: 'o.description',
    date: 'o.position_date',
    routine: [{ fields: ['investedAmount', 'positionDate'], when: 'n.position_date > o.position_date' }],
    hidden,
  }),
  ofOperation({ kind: assemblies, record: 'o.title', date: 'o.date', routine: [status], hidden }),
  ofOperation({ kind: communications, record: 'o.title', date: 'o.date', hidden }),
  ofOperation({ kind: participants, record: 'o.name' }),
  ofOperation({ kind: provisioningBands, record: 'o.label' }),
  ofOperation({ kind: covenants, record: 'o.name', hidden }),
];

export const correctionSources = sources.map(correctionsOf);
