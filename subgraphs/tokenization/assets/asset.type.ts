import { Directive, Field, ID, Int, ObjectType, InputType } from 'type-graphql';
import type { Principal } from '../../../shared/kernel/context.js';
import { maskDocument } from '../../../shared/kernel/tax-id.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { percentageText } from '../../../shared/kernel/format/format.js';
import { type PaymentStatus, PaymentStatusEnum } from '../../securities/payments.js';
import type { AssetRow, InstallmentRow } from './asset.store.js';
import type { AssetStatus } from './asset.js';
import { AssetTypeEnum, type AssetType } from '../../securities/asset-type.js';
import { debtorNameFor, mayKnow } from './debtor-name.js';
import { originatorTextFor } from './tax-ids-in-text.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { searchDescription } from './asset-query.js';

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

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Price that the estate paid for it, in BRL, 2 decimals; null without one. Only operators see it, and the originator that assigned it, with a signed request',
  })
  purchasePrice!: string | null;

  @Field(() => DecimalScalar, { description: 'Outstanding balance in BRL, 2 decimals' })
  currentBalance!: string;

  @Field(() => DecimalScalar, { description: 'Amount received so far, with `surplus`, in BRL, 2 decimals' })
  received!: string;

  @Field(() => DecimalScalar, {
    description: 'Late interest and fines received, by which the balance did not fall, in BRL, 2 decimals',
  })
  surplus!: string;

  @Field(() => DecimalScalar, {
    description: 'Amount abated, which is neither owed any more nor received, in BRL, 2 decimals',
  })
  abated!: string;

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

  @Field(() => DecimalScalar, { description: 'Amount of it that is not owed any more, paid or abated, 2 decimals' })
  paidAmount!: string;

  @Field(() => DecimalScalar, { description: 'What of `paidAmount` was abated, and so not received, 2 decimals' })
  abatedAmount!: string;

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
    purchasePrice: mayKnow(principal, row.originatorId) ? row.purchasePrice : null,
    currentBalance: row.currentBalance,
    received: row.received,
    surplus: row.surplus,
    abated: row.abated,
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
  const { installmentNumber, dueDate, amount, paidAmount, abatedAmount, paidOn } = row;
  const status = row.status === 'PENDING' && dueDate < today ? 'OVERDUE' : row.status;
  return { installmentNumber, dueDate, amount, paidAmount, abatedAmount, paidOn, status };
}

export const AssetConnection = connectionType(Asset, {
  name: 'Asset',
  nodes: 'assets',
  documented: 'number',
});

@InputType({ description: 'Filter of a list of assets. A field that is omitted does not restrict the list.' })
export class AssetFilter {
  @Field(() => ID, { nullable: true, description: 'Only assets of the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => AssetStatusEnum, { nullable: true, description: 'Only assets with this status' })
  status?: AssetStatus | null;

  @Field(() => AssetTypeEnum, { nullable: true, description: 'Only assets of this type' })
  type?: AssetType | null;

  @AtMost({ maxLength: 100 })
  @Field(() => String, {
    nullable: true,
    description: searchDescription,
  })
  search?: string | null;
}

export const AssetStatusEnum = describeEnum<AssetStatus>(
  'AssetStatus',
  'Status of an asset.',
  {
    ACTIVE: 'Not more than 90 days late',
    SETTLED: 'All instalments are paid',
    DEFAULTED: 'More than 90 days late',
    WRITTEN_OFF: 'Written off as unrecoverable',
  },
  {
    ACTIVE: ['Ativo', 'Active'],
    SETTLED: ['Liquidado', 'Settled'],
    DEFAULTED: ['Inadimplente', 'Defaulted'],
    WRITTEN_OFF: ['Baixado', 'Written off'],
  },
);
