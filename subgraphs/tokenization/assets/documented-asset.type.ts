import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { AssetStatusEnum, AssetTypeEnum } from './asset.enum.js';
import type { AssetStatus, AssetType } from './asset.js';
import { AssetPayment, debtorNameDescription } from './asset.type.js';

// Shared by the list and the detail (docs/contract/tokenization.md §5.1 and §5.2), which return the same fields.
@ObjectType({ simpleResolvers: true, description: 'An asset in the documented list.' })
export class AssetItem {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: "Its name in the originator's system" })
  externalId!: string;

  @Field(() => AssetTypeEnum, { description: 'What it is' })
  type!: AssetType;

  @Field(() => AssetStatusEnum, {
    description:
      'ACTIVE: up to date. SETTLED: all instalments are paid. DEFAULTED: more than 90 days late. WRITTEN_OFF: written off',
  })
  status!: AssetStatus;

  @Field(() => String, { description: debtorNameDescription })
  debtorName!: string;

  @Field(() => String, {
    description: 'CPF as `***.***.*12-34`, CNPJ as `**.***.***/**12-34`: only the last four digits show',
  })
  debtorDocument!: string;

  @Field(() => DecimalScalar, { description: 'Value at the start in BRL, 2 decimals' })
  originalValue!: string;

  @Field(() => DecimalScalar, { description: 'Outstanding balance in BRL, 2 decimals' })
  currentBalance!: string;

  @Field(() => DecimalScalar, { description: 'Interest in percent a year, 2 to 8 decimals' })
  interestRate!: string;

  @Field(() => Int, { description: 'Instalments' })
  installments!: number;

  @Field(() => Int, { description: 'Instalments that are paid' })
  paidInstallments!: number;

  @Field(() => ID, { description: 'Id of its estate' })
  patrimonyId!: string;
}

@ObjectType({ simpleResolvers: true, description: 'An asset with its payment history.' })
export class AssetDetail extends AssetItem {
  @Field(() => String, { description: 'Name of its estate' })
  patrimonyName!: string;

  @Field(() => ID, { nullable: true, description: 'The batch that brought it; null when none did' })
  batchId!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of that batch' })
  batchName!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'When the next instalment is due; null when none is' })
  nextDueDate!: string | null;

  @Field(() => DateScalar, { description: 'When the last instalment is due' })
  finalDueDate!: string;

  @Field(() => [AssetPayment], { description: 'Its instalments, paid and pending, by number' })
  paymentHistory!: readonly AssetPayment[];
}

@ObjectType({ simpleResolvers: true, description: 'A page of assets.' })
export class AssetPage {
  @Field(() => [AssetItem], { description: 'The assets of this page, in the order in which they were registered' })
  data!: readonly AssetItem[];

  @Field(() => Int, { description: 'Which page this is, from 1' })
  page!: number;

  @Field(() => Int, { description: 'How many assets a page has at most' })
  limit!: number;

  @Field(() => Int, {
    description:
      'Assets that match, on all pages. Where `search` finds more than 1,000 it is as old as the search, five minutes at most',
  })
  total!: number;

  @Field(() => Int, { description: 'Pages of this size; 0 when nothing matches' })
  totalPages!: number;
}
