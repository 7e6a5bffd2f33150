import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import type { Principal } from '../../../shared/context.js';
import { maskDocument } from '../../../shared/tax-id.js';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { percentageText } from '../../../shared/format/percentage.js';
import { ScheduleStatusEnum } from '../schedule/schedule.enum.js';
import type { ScheduleStatus } from '../schedule/schedule.js';
import type { AssetRow } from './asset.entity.js';
import { AssetStatusEnum, AssetTypeEnum } from './asset.enum.js';
import type { InstallmentRow } from './asset.store.js';
import type { AssetStatus, AssetType } from './asset.js';
import { debtorNameFor } from './debtor-name.js';

/** Describes how the name of a debtor is shown, in both views. */
export const debtorNameDescription =
  'Who owes it. The name of a legal person (CNPJ) is whole; of a natural person (CPF) it is the initials, `L. D. O.`. Operators see every name whole, and an originator, by a signed request, those of the credits that it assigned';

// Its resolver adds the estate and the payments.
@ObjectType({ simpleResolvers: true, description: 'A credit right that backs the series of an estate.' })
@Directive('@key(fields: "id")')
export class Asset {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: "Its name in the originator's system, unique within the estate" })
  externalId!: string;

  @Field(() => AssetTypeEnum, { description: 'What it is' })
  type!: AssetType;

  @Field(() => AssetStatusEnum, { description: 'Where it stands' })
  status!: AssetStatus;

  @Field(() => String, { description: debtorNameDescription })
  debtorName!: string;

  @Field(() => String, {
    description: 'CPF or CNPJ of the debtor, of which the last four digits show: `***.***.*12-34`',
  })
  debtorDocument!: string;

  @Field(() => DecimalScalar, { description: 'Value at the start, 2 decimals' })
  originalValue!: string;

  @Field(() => DecimalScalar, { description: 'Outstanding balance, 2 decimals' })
  currentBalance!: string;

  @Field(() => DecimalScalar, { description: 'What has been received of it, 2 decimals' })
  received!: string;

  @Field(() => DecimalScalar, { description: 'Interest in percent a year, 2 to 8 decimals' })
  interestRate!: string;

  @Field(() => Int, { description: 'Instalments' })
  installments!: number;

  @Field(() => Int, { description: 'Instalments that are paid' })
  paidInstallments!: number;

  @Field(() => DateScalar, { nullable: true, description: 'When the next instalment is due; null when none is' })
  nextDueDate!: string | null;

  @Field(() => DateScalar, { description: 'When the last instalment is due' })
  finalDueDate!: string;

  @Field(() => ID, { nullable: true, description: 'The batch that brought it; null when none did' })
  batchId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of that batch' })
  batchName!: string | null;

  @Field(() => DateTimeScalar, { description: 'When it was registered' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'An instalment of an asset, paid or still to be paid.' })
export class AssetPayment {
  @Field(() => Int, { description: 'Number, from 1' })
  installmentNumber!: number;

  @Field(() => DateScalar, { description: 'When it is due' })
  dueDate!: string;

  @Field(() => DecimalScalar, { description: 'What is due, 2 decimals' })
  amount!: string;

  @Field(() => DecimalScalar, { description: 'What of it came in, 2 decimals' })
  paidAmount!: string;

  @Field(() => DateScalar, { nullable: true, description: 'When it was paid whole; null until then' })
  paidOn!: string | null;

  @Field(() => ScheduleStatusEnum, { description: 'PENDING: not due yet. PAID: paid whole. OVERDUE: due and not paid' })
  status!: ScheduleStatus;
}

/** An asset as resolvers pass it on: the visible fields, and the id of its estate. */
export type AssetShape = Shape<Asset> & { readonly patrimonyId: string };

/**
 * Converts a row to the GraphQL type.
 * @param principal who will read it: whole names of natural persons are not for everyone
 */
export function toAsset(row: AssetRow, principal: Principal): AssetShape {
  return {
    id: row.id,
    patrimonyId: row.patrimonyId,
    externalId: row.externalId,
    type: row.type,
    status: row.status,
    debtorName: debtorNameFor(principal, row),
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
    batchName: row.batchName,
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
