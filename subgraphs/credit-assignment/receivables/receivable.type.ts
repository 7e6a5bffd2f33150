import { ObjectType, InputType } from 'type-graphql';
import type { Principal } from '../../../shared/kernel/context.js';
import { maskDocument } from '../../../shared/kernel/tax-id.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { AssetTypeEnum } from '../../securities/asset-type.js';
import { DayCountEnum } from '../../securities/day-count.js';
import type { ReceivableRow, ReceivableStatus, ReceivableQuery } from './receivable.store.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { requireVisible } from '../../../shared/kernel/identifying-text.js';
import {
  day,
  decimal,
  fields,
  id,
  inputs,
  int,
  list,
  nullable,
  of,
  text,
  time,
} from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'An instalment of a contract.' })
class ReceivableInstallment extends fields({
  number: int('Number, from 1'),
  dueDate: day('Due date'),
  principal: decimal('Principal, in BRL with 2 decimals'),
  interest: decimal('Interest, in BRL with 2 decimals'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'An error for which a contract was not assigned.' })
class RefusalError extends fields({
  field: text('Field of the contract'),
  rule: text('Code of the rule, such as `CHECK_DIGITS`'),
  message: text('Completes a sentence that begins with the field'),
  messagePt: text('The same in Brazilian Portuguese'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A new schedule of what was open of a receivable, by an operator.' })
export class ReceivableRenegotiation extends fields({
  id: id('Id (UUID)'),
  installments: list(
    () => ReceivableInstallment,
    'The new instalments, with the numbers that those of the asset have',
    { assumedSize: 36 },
  ),
  interestRate: nullable.decimal('New interest rate in percent a year; null if it stayed'),
  dayCount: nullable.of(() => DayCountEnum, 'Its day count; null if the rate stayed'),
  raised: decimal('By how much what is due rose, in BRL with 2 decimals'),
  reason: text('Reason'),
  recordedAt: time('Time at which it was recorded'),
  revertedAt: nullable.time('Time at which it was reverted; null while it stands'),
}) {}

// The resolver of relations adds its asset and its renegotiations.
@ObjectType({
  simpleResolvers: true,
  description: 'A contract of a credit batch, with the amount that is still to be paid.',
})
export class Receivable extends fields({
  id: id('Id (UUID), which settlements use as `contractId`; the asset has the same id'),
  batchId: id('Id of its credit batch'),
  batchNumber: int('Number of that batch'),
  externalId: text("Identifier of the contract in the originator's system"),
  debtorDocument: text('CPF or CNPJ of the debtor; API keys see only its last digits'),
  faceValue: decimal('Face value, in BRL with 2 decimals'),
  dueDate: day('Due date; of the last instalment'),
  nextDueDate: day(
    'Due date of the earliest unpaid instalment of the schedule in force; of the last instalment where nothing is open',
  ),
  debtorName: nullable.text('Name of the debtor; null without one, and for API keys'),
  debtorUf: nullable.text('State (UF) of the debtor, two letters; null where it is not stated'),
  purchasePrice: nullable.decimal('Price that the estate pays for it, in BRL with 2 decimals; null without one'),
  baseDate: nullable.day('Day of which the price is; null without one'),
  interestRate: nullable.decimal('Interest rate in percent a year; null without one'),
  dayCount: nullable.of(() => DayCountEnum, 'Day count of the contract; null without one'),
  installments: nullable.list(
    () => ReceivableInstallment,
    'Its instalments by number; null for one instalment of the face value',
    { assumedSize: 36 },
  ),
  coobligation: nullable.flag('Whether the assignor answers for the debtor; null where the contract does not say so'),
  assignorDocument: nullable.text(
    'CPF or CNPJ of the assignor; null where it is not stated. API keys see only its last digits',
  ),
  invoiceKey: nullable.text('Access key of the invoice (NF-e); null without one, and for API keys'),
  type: of(() => AssetTypeEnum, 'Type of the asset that it becomes'),
  status: of(
    () => ReceivableStatusEnum,
    'PENDING: its batch was not accepted yet. REFUSED: it was not accepted with its batch. OPEN: not paid in full. SETTLED: paid in full',
  ),
  openBalance: nullable.decimal(
    'Amount that is still to be paid, in BRL with 2 decimals, with the interest of its instalments; null where it was not assigned (PENDING, REFUSED) or was written off',
  ),
  received: nullable.decimal(
    'What was received for it: payments, surplus and repurchases, in BRL with 2 decimals; null where it was not assigned',
  ),
  surplus: nullable.decimal(
    'Part of `received`: late interest and fines, by which no balance fell, in BRL with 2 decimals; null where it was not assigned',
  ),
  abated: nullable.decimal(
    'What was abated, discounted and substituted of it: not received, and not owed any more, in BRL with 2 decimals; null where it was not assigned',
  ),
  settledAt: nullable.time('Time at which it was paid in full; null until then'),
  writtenOffAt: nullable.time(
    'Time at which an operator wrote it off; null where that did not happen. It keeps its status',
  ),
  refusal: nullable.list(
    () => RefusalError,
    'Why it was not assigned when its batch was processed; null where nothing was wrong with it',
    { assumedSize: 4 },
  ),
}) {}

export const ReceivableConnection = connectionType(Receivable, {
  name: 'Receivable',
  nodes: 'receivables',
  documented: 'token',
});

/** A receivable as resolvers pass it on: the shown fields, and whether there is an asset. */
export type ReceivableShape = Shape<Receivable> & Pick<ReceivableRow, 'pricedOn'> & { readonly hasAsset: boolean };

/** Clients and people see debtors' tax ids whole, since the debtors are their own; a key, which is given to programs and agents, sees the last digits. */
export function toReceivable(row: ReceivableRow, { kind }: Principal): ReceivableShape {
  const { batchStatus, debtorDocument, debtorName, assignorDocument, invoiceKey, ...rest } = row;
  const whole = kind === 'CLIENT' || kind === 'SESSION';
  return {
    ...rest,
    debtorDocument: whole ? debtorDocument : maskDocument(debtorDocument),
    debtorName: whole ? debtorName : null,
    assignorDocument: whole || assignorDocument === null ? assignorDocument : maskDocument(assignorDocument),
    invoiceKey: whole ? invoiceKey : null,
    hasAsset: batchStatus === 'PROCESSED' && row.status !== 'REFUSED',
  };
}

@InputType({ description: 'Filter of receivables. A field that is omitted does not restrict the list.' })
export class ReceivableFilter extends inputs({
  status: nullable.of(
    () => ReceivableStatusEnum,
    'Only contracts with this status; OPEN leaves out those that were written off',
  ),
  patrimonyId: nullable.id('Only contracts that are assigned to this estate (UUID)'),
  dueFrom: nullable.day('Only contracts whose `nextDueDate` is this day or later'),
  dueTo: nullable.day('Only contracts whose `nextDueDate` is this day or earlier'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Number and amounts of receivables.' })
export class ReceivableTotals extends fields({
  count: int('Number of contracts, whether they were assigned or not'),
  faceValue: decimal('Total face value of the contracts that were assigned, in BRL with 2 decimals'),
  purchasePrice: decimal('Sum of the prices of those contracts, as far as they have one, in BRL with 2 decimals'),
  openBalance: decimal('Sum of the open balances, in BRL with 2 decimals'),
  received: decimal('What was received for them: payments, surplus and repurchases, in BRL with 2 decimals'),
  surplus: decimal('Part of `received`: late interest and fines, by which no balance fell, in BRL with 2 decimals'),
  abated: decimal(
    'What was abated, discounted and substituted of them: not received, and not owed any more, in BRL with 2 decimals',
  ),
}) {}

export function queryOf(
  externalId: string | null | undefined,
  filter: ReceivableFilter | null | undefined,
): ReceivableQuery {
  const { status, patrimonyId, dueFrom, dueTo } = filter ?? {};
  return {
    externalId: externalId == null ? null : requireVisible('externalId', externalId),
    status: status ?? null,
    patrimonyId: patrimonyId ?? null,
    dueFrom: dueFrom ?? null,
    dueTo: dueTo ?? null,
  };
}

const ReceivableStatusEnum = describeEnum<ReceivableStatus>(
  'ReceivableStatus',
  'Status of a contract of a credit batch.',
  {
    PENDING: 'Its batch was not accepted yet.',
    REFUSED: 'It was not accepted with its batch.',
    OPEN: 'It belongs to the estate and is not paid in full.',
    SETTLED: 'It was paid in full.',
  },
  {
    PENDING: ['Pendente', 'Pending'],
    REFUSED: ['Recusado', 'Refused'],
    OPEN: ['Em aberto', 'Open'],
    SETTLED: ['Liquidado', 'Settled'],
  },
);
