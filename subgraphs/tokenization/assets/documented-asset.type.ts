import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { AssetStatusEnum, AssetTypeEnum } from './asset.enum.js';
import type { AssetStatus, AssetType } from './asset.js';
import { AssetPayment, debtorNameDescription } from './asset.type.js';

// Shared by the list and the detail (docs/contract/tokenization.md §5.1 and §5.2), which return the same fields.
@ObjectType({ simpleResolvers: true, description: 'An asset in a list of the REST API.' })
export class AssetItem {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: "Identifier in the originator's system" })
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

  @Field(() => DecimalScalar, { description: 'Interest rate in percent per year, 2 to 8 decimals' })
  interestRate!: string;

  @Field(() => Int, { description: 'Instalments' })
  installments!: number;

  @Field(() => Int, { description: 'Number of paid instalments' })
  paidInstallments!: number;

  @Field(() => ID, { description: 'Id of its estate' })
  patrimonyId!: string;
}

@ObjectType({ simpleResolvers: true, description: 'An asset with its payment history.' })
export class AssetDetail extends AssetItem {
  @Field(() => String, { description: 'Name of its estate' })
  patrimonyName!: string;

  @Field(() => ID, { nullable: true, description: 'Id of the batch that contained it; null without a batch' })
  batchId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of that batch' })
  batchName!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Due date of the next instalment; null when there is none' })
  nextDueDate!: string | null;

  @Field(() => DateScalar, { description: 'Due date of the last instalment' })
  finalDueDate!: string;

  @Field(() => [AssetPayment], { description: 'Its instalments, paid and pending, by number' })
  paymentHistory!: readonly AssetPayment[];
}

@ObjectType({ simpleResolvers: true, description: 'A page of assets.' })
export class AssetPage {
  @Field(() => [AssetItem], { description: 'The assets of this page, in the order of their registration' })
  data!: readonly AssetItem[];

  @Field(() => Int, { description: 'Number of this page, from 1' })
  page!: number;

  @Field(() => Int, { description: 'Maximum number of assets per page' })
  limit!: number;

  @Field(() => Int, {
    description:
      'Number of matching assets on all pages. When `search` finds more than 1,000, the number is as old as the cached search, at most five minutes',
  })
  total!: number;

  @Field(() => Int, { description: 'Number of pages of this size; 0 when nothing matches' })
  totalPages!: number;
}
