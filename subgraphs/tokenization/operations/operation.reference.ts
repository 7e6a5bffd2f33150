import type { ReferenceRule } from '../../../shared/subgraph/references.js';

/** Operations come by ticker; whether there is one is for issuances to say. */
export const operationReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { ticker }) => (typeof ticker === 'string' ? { ticker } : null),
};
