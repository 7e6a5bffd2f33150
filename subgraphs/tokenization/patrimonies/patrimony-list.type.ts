import { Field, ID, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { PatrimonyStatusEnum } from './patrimony.enum.js';
import type { PatrimonyStatus } from './patrimony.js';
import { Patrimony } from './patrimony.type.js';

@ObjectType({ simpleResolvers: true, description: 'An estate with its cursor in a list.' })
export class PatrimonyEdge {
  @Field(() => Patrimony, { description: 'The estate' })
  node!: Patrimony;

  @Field(() => String, { description: 'Cursor of this item; pass it as `after` to continue behind it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of estates.' })
export class PatrimonyConnection {
  @Field(() => [PatrimonyEdge], { description: 'The estates of this page, each with its cursor' })
  edges!: readonly PatrimonyEdge[];

  @Field(() => [Patrimony], { description: 'The estates of this page' })
  nodes!: readonly Patrimony[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;
}

// A type for REST (docs/contract/tokenization.md §1.2): SOFA expands every relation of the type of the graph (docs/adr/0003-rest-by-sofa.md).
@ObjectType({ simpleResolvers: true, description: 'An estate in a list of the REST API.' })
export class PatrimonyItem {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => String, { description: 'Slug, the other name of the estate' })
  slug!: string;

  @Field(() => PatrimonyStatusEnum, { description: 'DRAFT: being set up. ACTIVE: in force. CLOSED: ended' })
  status!: PatrimonyStatus;

  @Field(() => Int, { description: 'Number of series issued in it' })
  trancheCount!: number;

  @Field(() => Int, { description: 'Number of assets in it' })
  assetCount!: number;

  @Field(() => DecimalScalar, {
    description: 'Issue value times tokens of its series, without drafts; in BRL, 2 decimals',
  })
  totalIssued!: string;

  @Field(() => DateTimeScalar, { description: 'Time of registration' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A page of estates.' })
export class PatrimonyList {
  @Field(() => [PatrimonyItem], { description: 'The estates of this page, sorted by ticker' })
  items!: readonly PatrimonyItem[];

  @Field(() => Int, { description: 'Number of estates on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Token to pass for the next page; null on the last page (omitted over REST)',
  })
  nextToken!: string | null;
}
