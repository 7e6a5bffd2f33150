import { loaderOf } from '../../../shared/context.js';
import { isUuid } from '../../../shared/ids.js';
import type { ReferenceRule } from '../../../shared/subgraph/references.js';
import { hasRole } from '../../../shared/subgraph/roles.js';
import { managedAccountsById } from './managed-account.store.js';

/** Rule by which other subgraphs refer to an account. For everyone but operators who administer accounts it does not exist. */
export const managedAccountReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, { id }) => {
    if (!hasRole(context.principal, 'administer') || typeof id !== 'string' || !isUuid(id)) return null;
    return (await loaderOf(context, managedAccountsById).load(id)) ?? null;
  },
};
