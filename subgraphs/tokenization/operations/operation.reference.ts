import type { ReferenceRule } from '../../../shared/graphql/references.js';

/** Operations are referred to by ticker; the issuances subgraph decides whether one exists. */
export const operationReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { ticker }) => (typeof ticker === 'string' ? { ticker } : null),
};
