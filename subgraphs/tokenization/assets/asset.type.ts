import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import type { Principal } from '../../../shared/context.js';
import { maskDocument } from '../../../shared/tax-id.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { percentageText } from '../../../shared/format/percentage.js';
import type { PaymentStatus } from '../../../shared/securities/payment-status.js';
import { PaymentStatusEnum } from '../../../shared/securities/payment-status.enum.js';
import type { AssetRow } from './asset.store.js';
import { AssetStatusEnum, AssetTypeEnum } from './asset.enum.js';
import type { InstallmentRow } from './asset.store.js';
import type { AssetStatus, AssetType } from './asset.js';
import { debtorNameFor } from './debtor-name.js';
import { originatorTextFor } from './tax-ids-in-text.js';

const debtorNameDescription =
  'Name of the debtor. The name of a legal person (CNPJ) is complete; of a natural person (CPF, or an individual entrepreneur whose registered name has the CPF or begins with the root of the CNPJ) only the initials are given, `L. D. O.`. Operators get all names complete, and so does an originator, with a signed request, for the credits that it assigned. As of an earlier moment a name is complete only if the debtor was recorded as a legal person then and is now';

const externalIdDescription =
  "Identifier in the originator's system, unique within the estate. The tax id of the debtor, and any other CPF, within it shows only its last digits, `CT-***.***.*47-25-001`, except to those who get the names of natural persons complete";

// Its resolver adds the estate and the payments.
@ObjectType({ simpleResolvers: true, description: 'A credit right that backs the series of an estate.' })
@Directive('@key(fields: "id")')
export class Asset {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => ID, { description: 'Id of its estate' })
  patrimonyId!: string;

  @Field(() => String, { description: externalIdDescription })
  externalId!: string;

  @Field(() => AssetTypeEnum, { description: 'Type of the asset' })
  type!: AssetType;

  @Field(() => AssetStatusEnum, {
    description:
      'ACTIVE: not more than 90 days late. SETTLED: all instalments are paid. DEFAULTED: more than 90 days late. WRITTEN_OFF: written off',
  })
  status!: AssetStatus;

  @Field(() => String, { description: debtorNameDescription })
  debtorName!: string;

  @Field(() => String, {
    description: 'CPF as `***.***.*12-34`, CNPJ as `**.***.***/**12-34`, with only the last four digits',
  })
  debtorDocument!: string;

  @Field(() => DecimalScalar, { description: 'Original value in BRL, 2 decimals' })
  originalValue!: string;

  @Field(() => DecimalScalar, { description: 'Outstanding balance in BRL, 2 decimals' })
  currentBalance!: string;

  @Field(() => DecimalScalar, { description: 'Amount received so far in BRL, 2 decimals' })
  received!: string;

  @Field(() => DecimalScalar, { description: 'Interest rate in percent per year, 2 to 8 decimals' })
  interestRate!: string;

  @Field(() => Int, { description: 'Instalments' })
  installments!: number;

  @Field(() => Int, { description: 'Number of paid instalments' })
  paidInstallments!: number;

  @Field(() => DateScalar, { nullable: true, description: 'Due date of the next instalment; null when there is none' })
  nextDueDate!: string | null;

  @Field(() => DateScalar, { description: 'Due date of the last instalment' })
  finalDueDate!: string;

  @Field(() => ID, { nullable: true, description: 'Id of the batch that contained it; null without a batch' })
  batchId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of that batch, with tax ids as in `externalId`' })
  batchName!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of registration' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'An instalment of an asset, paid or open.' })
export class AssetPayment {
  @Field(() => Int, { description: 'Number, from 1' })
  installmentNumber!: number;

  @Field(() => DateScalar, { description: 'Due date' })
  dueDate!: string;

  @Field(() => DecimalScalar, { description: 'Amount due, 2 decimals' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'Amount received for it, 2 decimals' })
  paidAmount!: string;

  @Field(() => DateScalar, { nullable: true, description: 'Day on which it was paid in full; null until then' })
  paidOn!: string | null;

  @Field(() => PaymentStatusEnum, {
    description: 'PENDING: not yet due. PAID: paid in full. OVERDUE: due and not paid in full',
  })
  status!: PaymentStatus;
}

/** An asset as resolvers pass it on. */
export type AssetShape = Shape<Asset>;

/**
 * Converts a row to the GraphQL type.
 * @param principal who will read it: what identifies natural persons is not for everyone
 * @param current the present row of the asset: see `debtorNameFor`
 */
export function toAsset(row: AssetRow, principal: Principal, current: AssetRow | undefined): AssetShape {
  const textOf = (text: string) => originatorTextFor(principal, text, row, current);
  return {
    id: row.id,
    patrimonyId: row.patrimonyId,
    externalId: textOf(row.externalId),
    type: row.type,
    status: row.status,
    debtorName: textOf(debtorNameFor(principal, row, current)),
    debtorDocument: maskDocument(row.debtorDocument),
    originalValue: row.originalValue,
    currentBalance: row.currentBalance,
    received: row.received,
    interestRate: percentageText(row.interestRate),
    installments: row.installments,
    paidInstallments: row.paidInstallments,
    nextDueDate: row.nextDueDate,
    finalDueDate: row.finalDueDate,
    batchId: row.batchId,
    batchName: row.batchName === null ? null : textOf(row.batchName),
    createdAt: row.createdAt,
  };
}

/**
 * Converts an instalment to the GraphQL type.
 * @param today civil date in São Paulo
 */
export function toAssetPayment(row: InstallmentRow, today: string): Shape<AssetPayment> {
  const { installmentNumber, dueDate, amount, paidAmount, paidOn } = row;
  const status = row.status === 'PENDING' && dueDate < today ? 'OVERDUE' : row.status;
  return { installmentNumber, dueDate, amount, paidAmount, paidOn, status };
}
