import type { GraphQLError } from 'graphql';
import { ApiError } from '../kernel/errors.js';

export interface DocumentError {
  /** The position in the operation, as `operations.filter.from`; empty for the document as a whole. */
  readonly path: string;
  readonly message: string;
  readonly found: GraphQLError;
}

/** A document that cannot be run. The GraphQL response has one error, with `locations`, for each of its errors. */
export class InvalidDocument extends ApiError {
  constructor(readonly errors: readonly DocumentError[]) {
    const [first, another] = errors;
    super('BAD_REQUEST', {
      message: `${first?.message ?? 'The document is not valid'}${another === undefined ? '' : ' (and more)'}`,
      details: errors.map(({ path, message }) => ({ path, message })),
    });
  }
}
