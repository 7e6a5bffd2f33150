import { Decimal } from '../../../../shared/kernel/decimal.js';
import { indexers } from '../../../securities/indexer.js';
import { broken, settledBy } from '../../../../shared/import/import-rules.js';
import { date, month } from '../../../../shared/import/model/date-values.js';
import { kind, optional, required, type Parent } from '../../../../shared/import/model/kind.js';
import { decimal, integer, money } from '../../../../shared/import/model/number-values.js';
import { inOrder, notAbove, notInTheFuture, type Rule } from '../../../../shared/import/model/rules.js';
import { document, label, oneOf } from '../../../../shared/import/model/text-values.js';
import { contractStatuses } from '../../inventory/generalize.js';
import { states } from '../../../securities/state.js';
import { covenantComparisons, covenantMetrics } from '../../reports/covenants.js';
import { ofOperation, operationColumn } from './operations.js';
import { externalId } from './publications.js';

const uf = { ...oneOf(...states), hint: 'state, two letters' };

const settledOwesNothing: Rule = ({ status, outstandingBalance, daysLate }) => {
  if (status !== 'SETTLED') return undefined;
  if (/[1-9]/.test(outstandingBalance ?? ''))
    return {
      field: 'outstandingBalance',
      error: broken('ZERO_WHERE_SETTLED', { value: outstandingBalance ?? '' }),
    };
  return daysLate === '0'
    ? undefined
    : { field: 'daysLate', error: broken('ZERO_WHERE_SETTLED', { value: daysLate ?? '' }) };
};

const onlyWrittenOff: Rule = ({ status, writtenOffDate }) =>
  writtenOffDate == null || status === 'WRITTEN_OFF'
    ? undefined
    : {
        field: 'writtenOffDate',
        error: broken('ONLY_WRITTEN_OFF', { status: status ?? '' }),
      };

/** Requires that what is overdue is not more than the balance. */
const overdueOf =
  (balance: string): Rule =>
  ({ overdueValue, [balance]: limit }) =>
    overdueValue == null || limit == null || new Decimal(overdueValue).lte(limit)
      ? undefined
      : { field: 'overdueValue', error: broken('MORE_THAN', { value: overdueValue, field: balance, limit }) };

/** Requires the first day of a month that has ended. */
const hasEnded: Rule = ({ month }, { today }) => {
  const named = (month ?? '').slice(0, 7);
  return named < today.slice(0, 7)
    ? undefined
    : { field: 'month', error: broken('NOT_ENDED', { value: named, today }) };
};

export const contracts = kind('contracts', {
  label: 'contract',
  description:
    'The credits that back the operation, in their state on positionDate. A contract that is not listed keeps its state.',
  table: 'issuances.credit_contracts',
  parent: ofOperation,
  referredTo: true,
  key: ['externalId'],
  csv: true,
  settled: () =>
    `CASE WHEN o.status IN ('SETTLED', 'WRITTEN_OFF') AND n.status IS DISTINCT FROM o.status
       THEN ${settledBy('SETTLED_STATUS', { status: 'o.status' })} END`,
  // Columns that come from the engine's announcements, never from files.
  derived: [
    { column: 'engine_patrimony_id', sql: 'uuid', of: () => null },
    { column: 'engine_sequence', sql: 'bigint', of: () => null },
    { column: 'next_due_date', sql: 'date', of: () => null },
  ],
  fields: [
    required(
      'externalId',
      label,
      'Identifier of the contract in your own system, unique within the operation. It is never published.',
      'CCB-2025-000123',
    ),
    required('debtorName', label, 'Name of the debtor. It is never published.', 'Beatriz Nogueira'),
    required('debtorDocument', document, 'CPF or CNPJ of the debtor. It is never published.', '123.456.789-09'),
    required('type', label, 'A free label: CCB, CCI, CPR.', 'CCB'),
    required('status', oneOf(...contractStatuses), 'A SETTLED contract has no balance and is not late.', 'ACTIVE'),
    required('originalValue', decimal(24, 2, { above: '0' }), 'Value at issue, in reais.', '150000.00'),
    required('outstandingBalance', money, 'Outstanding balance, in reais.', '98765.43'),
    optional('indexer', oneOf(...indexers), 'The index; PREFIXED (none) when absent.', 'IPCA', {
      fallback: 'PREFIXED',
    }),
    required('rate', decimal(12, 6), 'Fixed rate, or spread over the index, in percent per year.', '9.5'),
    required('issueDate', date, 'Day of issue.', '2024-02-10'),
    required('maturityDate', date, 'Day of the last instalment.', '2034-02-10'),
    required('installments', integer(1), 'Total number of instalments.', 120),
    required('paidInstallments', integer(0), 'Number of paid instalments; at most installments.', 33),
    required(
      'daysLate',
      integer(0),
      'Calendar days since the oldest unpaid instalment fell due; 0 when there is none.',
      0,
    ),
    optional(
      'overdueValue',
      money,
      'Instalments that are due and unpaid, without fines and interest for being late, in reais; absent where it is not known.',
      '0.00',
    ),
    optional('uf', uf, 'Federative unit (state) of the debtor.', 'SP'),
    optional(
      'collateralValue',
      decimal(24, 2, { above: '0' }),
      'Value of the collateral, in reais; absent when there is none.',
      '220000.00',
    ),
    required('positionDate', date, 'Day to which these values apply, which cannot be in the future.', '2026-11-19'),
    optional(
      'writtenOffDate',
      date,
      'Day of the write-off, from which the contract is no longer in the portfolio; only where status is WRITTEN_OFF. When absent: the day that was imported before, otherwise positionDate.',
      null,
      { keeps: true },
    ),
  ],
  mayEmpty: ['overdueValue'],
  rules: [
    overdueOf('outstandingBalance'),
    inOrder('issueDate', 'maturityDate'),
    inOrder('issueDate', 'positionDate'),
    notAbove('paidInstallments', 'installments'),
    settledOwesNothing,
    onlyWrittenOff,
    inOrder('issueDate', 'writtenOffDate'),
    inOrder('writtenOffDate', 'positionDate'),
    notInTheFuture('positionDate'),
  ],
});

const ofContract: Parent = {
  kind: contracts,
  columns: [
    operationColumn,
    {
      name: 'owner_contract',
      sql: 'text',
      folds: false,
      field: required('contractExternalId', label, 'externalId of the contract.', 'CCB-2025-000123'),
      known: undefined,
    },
  ],
  source: {
    owner: [
      ['operation_id', 'k.id'],
      ['contract_id', 'c.id'],
    ],
    join: `JOIN known_operations k ON k.ticker = lower(s.owner_operation)
      JOIN issuances.credit_contracts c ON c.operation_id = k.id AND c.external_id = s.owner_contract`,
    affected: 'k.id',
  },
};

export const contractPositions = kind('contractPositions', {
  label: 'contract position',
  description:
    'The contracts at the end of past months, and the movements of those months. Reports of months are computed from these positions, and follow them until completeMonths contains the month.',
  table: 'issuances.contract_positions',
  parent: ofContract,
  list: 'positions',
  key: ['month'],
  hasId: false,
  csv: true,
  settled: () =>
    `(SELECT ${settledBy('SETTLED_REPORT', {})} FROM issuances.monthly_reports r
      WHERE r.operation_id = o.operation_id AND r.month = o.month LIMIT 1)`,
  fields: [
    required('month', month, 'Month: a past one or the current one.', '2026-10'),
    required('openingBalance', money, 'Balance at the beginning of the month, in reais.', '100000.00'),
    required(
      'scheduledPrincipal',
      money,
      'Principal that was due in the month according to the schedule of the contract, in reais.',
      '1000.00',
    ),
    required('prepaidPrincipal', money, 'Principal that was paid ahead of schedule, in reais.', '234.57'),
    required('closingBalance', money, 'Balance at the end of the month, in reais.', '98765.43'),
    required('daysLate', integer(0), 'Calendar days late at the end of the month.', 0),
    optional(
      'overdueValue',
      money,
      'Instalments that are due and unpaid at the end of the month, without fines and interest for being late, in reais; absent where it is not known.',
      '0.00',
    ),
  ],
  mayEmpty: ['overdueValue'],
  rules: [notInTheFuture('month'), overdueOf('closingBalance')],
});

export const completeMonths = kind('completeMonths', {
  label: 'complete month',
  description:
    'Months whose positions are complete, in this import or from earlier ones: the report of such a month is created in this import and is final. A month that lacks the price of its last business day of an outstanding series, is open with a payment that was due, or lacks the position of a contract in the portfolio needs a reason. A final report does not change with later positions; an operator can reissue it.',
  table: 'issuances.complete_months',
  parent: ofOperation,
  key: ['month'],
  hasId: false,
  csv: true,
  fields: [
    required('month', month, 'Month, which must have ended and have positions.', '2026-10'),
    optional(
      'positions',
      integer(1),
      'Number of positions of the month, in this import and earlier ones together: any other number is an error.',
      1,
      { keeps: true },
    ),
  ],
  rules: [hasEnded],
  stamps: [{ column: 'stated_at', value: '$1', onChange: false }],
});

export const provisioningBands = kind('provisioningBands', {
  label: 'provisioning band',
  description:
    'Provisioning matrix of the operation; one band starts at 0. Without one the stages of Resolução BCB 352/2023 apply, at the levels of credits without collateral.',
  table: 'issuances.provisioning_bands',
  parent: ofOperation,
  key: ['fromDays'],
  replaces: true,
  hasId: false,
  fields: [
    required('fromDays', integer(0), 'First number of days late to which the band applies.', 0),
    required('label', label, 'Name of the band.', 'Em dia'),
    required('rate', decimal(9, 4, { min: '0', max: '100' }), 'Provisioned share of the balance, in percent.', '3'),
  ],
});

export const covenants = kind('covenants', {
  label: 'covenant',
  description:
    'Covenants of the deed about figures of the management report, in the order in which they are displayed.',
  table: 'issuances.covenants',
  parent: ofOperation,
  key: ['externalId'],
  replaces: true,
  hasId: false,
  ordered: true,
  identity: ['metric', 'comparison', 'name'],
  fields: [
    externalId('metric, comparison and name'),
    required('name', label, 'Name as displayed.', 'Subordinação mínima'),
    required('metric', oneOf(...covenantMetrics), 'The figure to be tested, in percent.', 'SUBORDINATION'),
    required(
      'comparison',
      oneOf(...covenantComparisons),
      'Side of the threshold on which the figure must be.',
      'AT_LEAST',
    ),
    required('threshold', decimal(12, 4), 'Threshold, in percent.', '20'),
  ],
});
