import { loaderOf } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { assetsById } from './asset.store.js';
import { showAsset } from './show-asset.js';

/** Rule by which other subgraphs refer to an asset: by id. */
export const assetReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, { id }) => {
    if (typeof id !== 'string' || !isUuid(id)) return null;
    const row = await loaderOf(context, assetsById).load(id.toLowerCase());
    return row === undefined ? null : showAsset(context, row);
  },
};
