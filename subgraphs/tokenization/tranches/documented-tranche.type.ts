import { Field, ID, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { TrancheFields } from './tranche-fields.type.js';
import { DayCountBasisEnum } from './tranche.enum.js';

// The fields of docs/contract/tokenization.md §2.1 and §2.2.
@ObjectType({ simpleResolvers: true, description: 'A series in a list of the REST API.' })
export class TrancheItem extends TrancheFields {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Ticker of its estate' })
  patrimonyTicker!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of series.' })
export class TrancheList {
  @Field(() => [TrancheItem], { description: 'The series of this page, sorted by ticker' })
  items!: readonly TrancheItem[];

  @Field(() => Int, { description: 'Number of matching series on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The estate of a series.' })
export class TranchePatrimony {
  @Field(() => String, { description: 'Ticker' })
  ticker!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A series with its prices and totals.' })
export class TrancheDetails extends TrancheFields {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Unit price without accrued interest (clean PU), 8 decimals; null when `unitPrice` is',
  })
  nominalValue!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Accrued interest of a token, 8 decimals; null when `unitPrice` is',
  })
  interestJ!: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Day of `unitPrice`; null until a price was calculated',
  })
  unitPriceDate!: string | null;

  @Field(() => Boolean, {
    description:
      'Whether a price is due that is newer than that of `unitPriceDate`: of the last business day that has begun, or of the last instalment that repays the series',
  })
  stale!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'Number that is missing for the newest price, such as `IPCA 2026-03` or `DI 2026-03-05`; null when none is missing',
  })
  missingInput!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: '`tokenQuantity` times `unitPrice`, 2 decimals; null when `unitPrice` is',
  })
  totalValue!: string | null;

  @Field(() => DecimalScalar, { description: 'Amount paid in by investors, 2 decimals' })
  investedAmount!: string;

  @Field(() => DayCountBasisEnum, {
    description: 'CIVIL: calendar days over 365 or 360, according to the series. BUS252: business days over 252',
  })
  dayCountBasis!: 'CIVIL' | 'BUS252';

  @Field(() => TranchePatrimony, { description: 'The estate in which it was issued' })
  patrimony!: TranchePatrimony;
}
