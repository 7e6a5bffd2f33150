import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { AtMost } from '../../../shared/subgraph/constraint.js';
import { connectionType } from '../../../shared/subgraph/connection-type.js';
import { AssetStatusEnum, AssetTypeEnum } from './asset.enum.js';
import { searchDescription } from './asset-query.js';
import type { AssetStatus, AssetType } from './asset.js';
import { Asset } from './asset.type.js';

@ArgsType()
@InputType({ description: 'Filter of a list of assets. A field that is omitted does not restrict the list.' })
export class AssetFilter {
  @Field(() => ID, { nullable: true, description: 'Only assets of the estate with this id' })
  patrimonyId?: string | null;

  @Field(() => AssetStatusEnum, { nullable: true, description: 'Only assets with this status' })
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

/** The arguments of the documented list. */
@ArgsType()
export class AssetPageArgs extends AssetFilter {
  @Field(() => Int, { nullable: true, description: 'Number of the page, from 1; default 1' })
  page?: number | null;

  @Field(() => Int, { nullable: true, description: 'Assets per page, from 1 to 100; default 10' })
  limit?: number | null;
}

export const AssetConnection = connectionType(Asset, { name: 'Asset', nodes: 'assets' });

@ObjectType({ simpleResolvers: true, description: 'A page of assets.' })
export class AssetPage {
  @Field(() => [Asset], { description: 'The assets of this page, in the order of their registration' })
  data!: readonly Asset[];

  @Field(() => Int, { description: 'Number of this page, from 1' })
  page!: number;

  @Field(() => Int, { description: 'Maximum number of assets per page' })
  limit!: number;

  @Field(() => Int, {
    description:
      'Number of matching assets on all pages. Of a `search` up to 100,000 are counted, and a number above 1,000 is five minutes old at most',
  })
  total!: number;

  @Field(() => Int, { description: 'Number of pages of this size; 0 when nothing matches' })
  totalPages!: number;
}
