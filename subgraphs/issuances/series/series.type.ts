import { Directive, Field, ID, Int, ObjectType } from 'type-graphql';
import type { Indexer } from '../../../shared/format/format.js';
import { DateScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import type { RiskClass } from '../../../shared/securities/risk-class.js';
import { RiskClassEnum } from '../../../shared/securities/risk-class.enum.js';
import { IndexerEnum } from '../../../shared/securities/indexer.enum.js';
import { PublishedLabel } from '../../../shared/subgraph/labels.js';
import { IssueStatusEnum } from '../operations/issue-status.enum.js';
import { issueStatusOf, type IssueStatus } from '../operations/issue-status.js';
import type { SeriesRow } from './series.store.js';
import { remunerationOf } from './series.js';

// Separate resolvers add its operation and prices.
@ObjectType({ simpleResolvers: true, description: 'A series of an operation, in raw values.' })
@Directive('@key(fields: "ticker")')
export class Series {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;

  @Field(() => Int, { description: 'Number within the operation' })
  number!: number;

  @Field(() => RiskClassEnum, { description: 'Risk class' })
  riskClass!: RiskClass;

  @PublishedLabel('statusText')
  @Field(() => IssueStatusEnum, { description: 'Status; `statusLabel` is the published label' })
  status!: IssueStatus;

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

  @Field(() => DecimalScalar, { description: 'Total issued amount in BRL, 2 decimals' })
  issuedTotal!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Raised amount in BRL, 2 decimals' })
  raisedAmount!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Number of subscribed units' })
  subscribedQuotas!: string | null;
}

/** A series as resolvers pass it on: the visible fields, the label of its status as it is published, and its operation. */
export type SeriesShape = Shape<Series> & { readonly statusText: string } & Pick<SeriesRow, 'operationId'>;

export function toSeries(row: SeriesRow): SeriesShape {
  const status = issueStatusOf(row.status);
  return { ...row, riskClass: row.class, remuneration: remunerationOf(row), status, statusText: row.status };
}
