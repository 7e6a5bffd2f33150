import { loaderOf } from '../../../shared/kernel/context.js';
import { isUuid } from '../../../shared/kernel/ids.js';
import type { ReferenceRule } from '../../../shared/graphql/references.js';
import { hasRole } from '../../../shared/graphql/roles.js';
import { emailsById } from './account.store.js';

/** Rule by which other subgraphs refer to an account. Only operators who administer accounts see its e-mail, and nobody whether it exists. */
export const accountContactReference: ReferenceRule = {
  access: 'anyone',
  resolve: async (context, { id }) => {
    if (typeof id !== 'string') return null;
    const mayRead = isUuid(id) && hasRole(context.principal, 'administer');
    return { id, email: mayRead ? ((await loaderOf(context, emailsById).load(id)) ?? null) : null };
  },
};
