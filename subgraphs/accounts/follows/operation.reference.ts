import type { ReferenceRule } from '../../../shared/graphql/references.js';

/** Rule by which other subgraphs refer to an operation, to which this one adds whether the caller follows it. Whether it exists, issuances decides. */
export const operationReference: ReferenceRule = {
  access: 'data',
  resolve: (_context, { ticker }) => (typeof ticker === 'string' ? { ticker } : null),
};
