import type { ReferenceRule } from '../../../shared/graphql/references.js';

/** Series of operations are referred to by ticker; the issuances subgraph decides whether one exists. */
export const seriesReference: ReferenceRule = {
  access: 'anyone',
  resolve: (_context, { ticker }) => (typeof ticker === 'string' ? { ticker } : null),
};
