import { Field, ID, Int, ObjectType } from 'type-graphql';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { DateTimeScalar, DecimalScalar } from '../../../shared/subgraph/scalars.js';
import { PatrimonyStatusEnum } from './patrimony.enum.js';
import type { PatrimonyStatus } from './patrimony.js';
import { Patrimony } from './patrimony.type.js';

@ObjectType({ simpleResolvers: true, description: 'An estate in a list.' })
export class PatrimonyEdge {
  @Field(() => Patrimony, { description: 'The estate' })
  node!: Patrimony;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of estates.' })
export class PatrimonyConnection {
  @Field(() => [PatrimonyEdge], { description: 'The estates of this page, each with its place' })
  edges!: readonly PatrimonyEdge[];

  @Field(() => [Patrimony], { description: 'The estates of this page' })
  nodes!: readonly Patrimony[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;
}

// A type for REST (docs/contract/tokenization.md §1.2): SOFA expands every relation of the type of the graph (docs/adr/0003-rest-by-sofa.md).
@ObjectType({ simpleResolvers: true, description: 'An estate in the documented list.' })
export class PatrimonyItem {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Ticker, unique whatever its case' })
  ticker!: string;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => String, { description: 'Slug, its other name' })
  slug!: string;

  @Field(() => PatrimonyStatusEnum, { description: 'DRAFT: being set up. ACTIVE: in force. CLOSED: ended' })
  status!: PatrimonyStatus;

  @Field(() => Int, { description: 'Series issued in it' })
  trancheCount!: number;

  @Field(() => Int, { description: 'Assets in it' })
  assetCount!: number;

  @Field(() => DecimalScalar, {
    description: 'Issue value times tokens of its series, drafts left out; in BRL, 2 decimals',
  })
  totalIssued!: string;

  @Field(() => DateTimeScalar, { description: 'When it was registered' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A page of estates.' })
export class PatrimonyList {
  @Field(() => [PatrimonyItem], { description: 'The estates of this page, by ticker' })
  items!: readonly PatrimonyItem[];

  @Field(() => Int, { description: 'All estates, on all pages' })
  count!: number;

  @Field(() => String, {
    nullable: true,
    description: 'What to send for the next page; null on the last one (REST leaves it out)',
  })
  nextToken!: string | null;
}
