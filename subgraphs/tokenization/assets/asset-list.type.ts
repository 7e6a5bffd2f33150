import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { PageInfo } from '../../../shared/subgraph/page-info.js';
import { AssetStatusEnum, AssetTypeEnum } from './asset.enum.js';
import { searchDescription } from './asset-query.js';
import type { AssetStatus, AssetType } from './asset.js';
import { Asset } from './asset.type.js';

@InputType({ description: 'Filter of a list of assets. A field that is omitted does not restrict the list.' })
export class AssetFilter {
  @Field(() => ID, { nullable: true, description: 'Only assets of the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => AssetStatusEnum, { nullable: true, description: 'Only items with this status' })
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

@ArgsType()
export class AssetListArgs {
  @Field(() => AssetFilter, { nullable: true, description: 'Restricts the list; all assets when omitted' })
  filter?: AssetFilter | null;

  @Field(() => Int, { nullable: true, description: 'Page size, from 1 to 100; default 20' })
  first?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '`endCursor` of the previous page, which must have been requested with the same filter',
  })
  after?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An asset with its cursor in a list.' })
export class AssetEdge {
  @Field(() => Asset, { description: 'The asset' })
  node!: Asset;

  @Field(() => String, { description: 'Cursor of this item; pass it as `after` to continue behind it' })
  cursor!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A page of assets.' })
export class AssetConnection {
  @Field(() => [AssetEdge], { description: 'The assets of this page, each with its cursor' })
  edges!: readonly AssetEdge[];

  @Field(() => [Asset], { description: 'The assets of this page' })
  nodes!: readonly Asset[];

  @Field(() => PageInfo, { description: 'Whether there is a next page, and the cursor from which it continues' })
  pageInfo!: PageInfo;

  @Field(() => Int, {
    description:
      'Number of assets on all pages. When a search finds more than 1,000, the number is as old as the cached search, at most five minutes',
  })
  totalCount!: number;
}
