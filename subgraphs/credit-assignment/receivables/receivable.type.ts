import { Directive, Field, ID, Int, ObjectType, InputType } from 'type-graphql';
import type { Principal } from '../../../shared/kernel/context.js';
import { maskDocument } from '../../../shared/kernel/tax-id.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { AssetTypeEnum, type AssetType } from '../../securities/asset-type.js';
import { DayCountEnum, type DayCount } from '../../securities/day-count.js';
import type { ReceivableRow, ReceivableStatus, ReceivableQuery } from './receivable.store.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { requireVisible } from '../../../shared/kernel/identifying-text.js';

@ObjectType({ simpleResolvers: true, description: 'An instalment of a contract.' })
class ReceivableInstallment {
  @Field(() => Int, { description: 'Number, from 1' })
  number!: number;

  @Field(() => DateScalar, { description: 'Due date' })
  dueDate!: string;

  @Field(() => DecimalScalar, { description: 'Principal, in BRL with 2 decimals' })
  principal!: string;

  @Field(() => DecimalScalar, { description: 'Interest, in BRL with 2 decimals' })
  interest!: string;
}

@ObjectType({ simpleResolvers: true, description: 'An error for which a contract was not assigned.' })
class RefusalError {
  @Field(() => String, { description: 'Field of the contract' })
  field!: string;

  @Field(() => String, { description: 'Code of the rule, such as `CHECK_DIGITS`' })
  rule!: string;

  @Field(() => String, { description: 'Completes a sentence that begins with the field' })
  message!: string;

  @Field(() => String, { description: 'The same in Brazilian Portuguese' })
  messagePt!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A new schedule of what was open of a receivable, by an operator.' })
export class ReceivableRenegotiation {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Directive('@listSize(assumedSize: 36)')
  @Field(() => [ReceivableInstallment], {
    description: 'The new instalments, with the numbers that those of the asset have',
  })
  installments!: readonly ReceivableInstallment[];

  @Field(() => DecimalScalar, { nullable: true, description: 'New interest rate in percent a year; null if it stayed' })
  interestRate!: string | null;

  @Field(() => DayCountEnum, { nullable: true, description: 'Its day count; null if the rate stayed' })
  dayCount!: DayCount | null;

  @Field(() => DecimalScalar, { description: 'By how much what is due rose, in BRL with 2 decimals' })
  raised!: string;

  @Field(() => String, { description: 'Reason' })
  reason!: string;

  @Field(() => DateTimeScalar, { description: 'Time at which it was recorded' })
  recordedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time at which it was reverted; null while it stands' })
  revertedAt!: Date | null;
}

// The resolver of relations adds its asset and its renegotiations.
@ObjectType({
  simpleResolvers: true,
  description: 'A contract of a credit batch, with the amount that is still to be paid.',
})
export class Receivable {
  @Field(() => ID, { description: 'Id (UUID), which settlements use as `contractId`; the asset has the same id' })
  id!: string;

  @Field(() => ID, { description: 'Id of its credit batch' })
  batchId!: string;

  @Field(() => String, { description: "Identifier of the contract in the originator's system" })
  externalId!: string;

  @Field(() => String, { description: 'CPF or CNPJ of the debtor; API keys see only its last digits' })
  debtorDocument!: string;

  @Field(() => DecimalScalar, { description: 'Face value, in BRL with 2 decimals' })
  faceValue!: string;

  @Field(() => DateScalar, { description: 'Due date; of the last instalment' })
  dueDate!: string;

  @Field(() => DateScalar, {
    description:
      'Due date of the earliest unpaid instalment of the schedule in force; of the last instalment where nothing is open',
  })
  nextDueDate!: string;

  @Field(() => String, { nullable: true, description: 'Name of the debtor; null without one, and for API keys' })
  debtorName!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Price that the estate pays for it, in BRL with 2 decimals; null without one',
  })
  purchasePrice!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day of which the price is; null without one' })
  baseDate!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Interest rate in percent a year; null without one' })
  interestRate!: string | null;

  @Field(() => DayCountEnum, { nullable: true, description: 'Day count of the contract; null without one' })
  dayCount!: DayCount | null;

  @Directive('@listSize(assumedSize: 36)')
  @Field(() => [ReceivableInstallment], {
    nullable: true,
    description: 'Its instalments by number; null for one instalment of the face value',
  })
  installments!: readonly ReceivableInstallment[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the assignor answers for the debtor; null where the contract does not say so',
  })
  coobligation!: boolean | null;

  @Field(() => String, {
    nullable: true,
    description: 'CPF or CNPJ of the assignor; null where it is not stated. API keys see only its last digits',
  })
  assignorDocument!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Access key of the invoice (NF-e); null without one, and for API keys',
  })
  invoiceKey!: string | null;

  @Field(() => AssetTypeEnum, { description: 'Type of the asset that it becomes' })
  type!: AssetType;

  @Field(() => ReceivableStatusEnum, {
    description:
      'PENDING: its batch was not accepted yet. REFUSED: it was not accepted with its batch. OPEN: not paid in full. SETTLED: paid in full',
  })
  status!: ReceivableStatus;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Amount that is still to be paid, in BRL with 2 decimals, with the interest of its instalments; null where it was not assigned (PENDING, REFUSED) or was written off',
  })
  openBalance!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'What was received for it: payments, surplus and repurchases, in BRL with 2 decimals; null where it was not assigned',
  })
  received!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Part of `received`: late interest and fines, by which no balance fell, in BRL with 2 decimals; null where it was not assigned',
  })
  surplus!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'What was abated, discounted and substituted of it: not received, and not owed any more, in BRL with 2 decimals; null where it was not assigned',
  })
  abated!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Time at which it was paid in full; null until then' })
  settledAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which an operator wrote it off; null where that did not happen. It keeps its status',
  })
  writtenOffAt!: Date | null;

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [RefusalError], {
    nullable: true,
    description: 'Why it was not assigned when its batch was processed; null where nothing was wrong with it',
  })
  refusal!: readonly RefusalError[] | null;
}

export const ReceivableConnection = connectionType(Receivable, {
  name: 'Receivable',
  nodes: 'receivables',
  documented: 'token',
});

/** A receivable as resolvers pass it on: the shown fields, and whether there is an asset. */
export type ReceivableShape = Shape<Receivable> & Pick<ReceivableRow, 'pricedOn'> & { readonly hasAsset: boolean };

/**
 * Converts a receivable for a caller. Clients and people see debtors' tax ids whole, since the debtors are their own; a key, which
 * is given to programs and agents, sees the last digits.
 */
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
export class ReceivableFilter {
  @Field(() => ReceivableStatusEnum, {
    nullable: true,
    description: 'Only contracts with this status; OPEN leaves out those that were written off',
  })
  status?: ReceivableStatus | null;

  @Field(() => ID, { nullable: true, description: 'Only contracts that are assigned to this estate (UUID)' })
  patrimonyId?: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Only contracts whose `nextDueDate` is this day or later',
  })
  dueFrom?: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Only contracts whose `nextDueDate` is this day or earlier' })
  dueTo?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Number and amounts of receivables.' })
export class ReceivableTotals {
  @Field(() => Int, { description: 'Number of contracts, whether they were assigned or not' })
  count!: number;

  @Field(() => DecimalScalar, {
    description: 'Total face value of the contracts that were assigned, in BRL with 2 decimals',
  })
  faceValue!: string;

  @Field(() => DecimalScalar, {
    description: 'Sum of the prices of those contracts, as far as they have one, in BRL with 2 decimals',
  })
  purchasePrice!: string;

  @Field(() => DecimalScalar, {
    description: 'Sum of the open balances, in BRL with 2 decimals',
  })
  openBalance!: string;

  @Field(() => DecimalScalar, {
    description: 'What was received for them: payments, surplus and repurchases, in BRL with 2 decimals',
  })
  received!: string;

  @Field(() => DecimalScalar, {
    description: 'Part of `received`: late interest and fines, by which no balance fell, in BRL with 2 decimals',
  })
  surplus!: string;

  @Field(() => DecimalScalar, {
    description:
      'What was abated, discounted and substituted of them: not received, and not owed any more, in BRL with 2 decimals',
  })
  abated!: string;
}

/** Returns the query of a caller's arguments. */
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
