import { Field, ID, Int, ObjectType } from 'type-graphql';
import type { Indexer } from '../../../shared/format/format.js';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { RiskClass } from '../reports/subordination.js';
import type { SeriesRow } from './series.store.js';
import { remunerationOf } from './series.js';

export const RiskClassEnum = describeEnum<RiskClass>(
  'RiskClass',
  'Risk class, which is the order in which series are paid and bear losses.',
  {
    SENIOR: 'Paid first, bears losses last',
    MEZZANINE: 'Between senior and junior',
    JUNIOR: 'Bears losses first',
    UNIQUE: 'The operation has one class only',
  },
);

export const IndexerEnum = describeEnum<Indexer>('Indexer', 'Index to which a remuneration is linked.', {
  PREFIXED: 'None: a fixed rate',
  CDI: 'Interbank deposit rate',
  IPCA: 'Consumer price index of IBGE',
  IGPM: 'General market price index of FGV',
  TR: 'Reference rate',
  SELIC: 'Base rate of the central bank',
  USD: 'Dollar',
});

// A separate resolver adds prices.
@ObjectType({ simpleResolvers: true, description: 'A series of an operation, in raw values.' })
export class Series {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;

  @Field(() => Int, { description: 'Number within the operation' })
  number!: number;

  @Field(() => RiskClassEnum, { description: 'Risk class' })
  riskClass!: RiskClass;

  @Field(() => String, { description: 'Status, a free label' })
  status!: string;

  @Field(() => IndexerEnum, { description: 'Index to which its remuneration is linked' })
  indexer!: Indexer;

  @Field(() => DecimalScalar, { description: 'Percentage of the index that is paid' })
  indexerPercent!: string;

  @Field(() => DecimalScalar, { description: 'Fixed rate or spread over the index, in percent per year' })
  rate!: string;

  @Field(() => String, { description: 'Remuneration as displayed: `CDI + 3,50% a.a.`' })
  remuneration!: string;

  @Field(() => DateScalar, { description: 'Issue date' })
  issueDate!: string;

  @Field(() => DateScalar, { description: 'Maturity date' })
  maturityDate!: string;

  @Field(() => String, { nullable: true, description: 'ISIN' })
  isin!: string | null;

  @Field(() => String, { nullable: true, description: 'Code at the depository (código IF)' })
  ifCode!: string | null;

  @Field(() => DecimalScalar, { description: 'Unit value at issue' })
  unitValue!: string;

  @Field(() => DecimalScalar, { description: 'Number of issued units' })
  quantity!: string;

  @Field(() => DecimalScalar, { description: 'Total issued amount' })
  issuedTotal!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Raised amount' })
  raisedAmount!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Number of subscribed units' })
  subscribedQuotas!: string | null;
}

/** A series as resolvers pass it on: the visible fields, and what its operation is found by. */
export type SeriesShape = Shape<Series> & Pick<SeriesRow, 'operationId'>;

export function toSeries(row: SeriesRow): SeriesShape {
  return { ...row, riskClass: row.class, remuneration: remunerationOf(row) };
}
