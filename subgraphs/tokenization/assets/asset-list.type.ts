import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { AssetStatusEnum, AssetTypeEnum } from './asset.enum.js';
import { searchDescription } from './asset-query.js';
import type { AssetStatus, AssetType } from './asset.js';
import { Asset } from './asset.type.js';

@InputType({ description: 'Which assets to list. What is left out does not narrow the list.' })
export class AssetFilter {
  @Field(() => ID, { nullable: true, description: 'Of the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => AssetStatusEnum, { nullable: true, description: 'That stand here' })
  status?: AssetStatus | null;

  @Field(() => AssetTypeEnum, { nullable: true, description: 'Of this type' })
  type?: AssetType | null;

  @AtMost({ maxLength: 100 })
  @Field(() => String, {
    nullable: true,
    description: searchDescription,
  })
  search?: string | null;
}

@ArgsType()
export class AssetListArgs {
  @Field(() => AssetFilter, { nullable: true, description: 'Which assets; all when omitted' })
  filter?: AssetFilter | null;

  @Field(() => Int, { nullable: true, description: 'How many, from 1 to 100; 20 when omitted' })
  first?: number | null;

  @Field(() => String, { nullable: true, description: '`endCursor` of the page before, got with the same filter' })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An asset in a list.' })
export class AssetEdge {
  @Field(() => Asset, { description: 'The asset' })
  node!: Asset;

  @Field(() => String, { description: 'Its place in the list, to continue after it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of assets.' })
export class AssetConnection {
  @Field(() => [AssetEdge], { description: 'The assets of this page, each with its place' })
  edges!: readonly AssetEdge[];

  @Field(() => [Asset], { description: 'The assets of this page' })
  nodes!: readonly Asset[];

  @Field(() => PageInfo, { description: 'Where this page ends' })
  pageInfo!: PageInfo;

  @Field(() => Int, {
    description:
      'Assets in the whole list, on all pages. Where a search finds more than 1,000 it is as old as the search, five minutes at most',
  })
  totalCount!: number;
}
