import type { SubgraphParts } from '../../shared/subgraph/build.js';
import { accountContactReference } from './accounts/account-contact.reference.js';
import { AccountContact } from './accounts/account-contact.type.js';
import { operationReference } from './follows/operation.reference.js';

/** What other subgraphs refer to: accounts, which no field of this one returns in that form, and the operations that it adds to. */
export const entities: Pick<SubgraphParts, 'orphanedTypes' | 'references'> = {
  orphanedTypes: [AccountContact],
  references: { AccountContact: accountContactReference, Operation: operationReference },
};
