import type { GraphQLError } from 'graphql';
import { ApiError } from '../errors.js';

/** One error of a document. */
export interface DocumentError {
  /** Where in the operation, as `operations.filter.from`; empty for the document as a whole. */
  readonly path: string;
  readonly message: string;
  /** As graphql-js found it, with its place in the text. */
  readonly found: GraphQLError;
}

/** A document that cannot be run. A GraphQL response has one error for each of its errors, with `locations`. */
export class InvalidDocument extends ApiError {
  constructor(readonly errors: readonly DocumentError[]) {
    const [first, another] = errors;
    super('BAD_REQUEST', {
      message: `${first?.message ?? 'The document is not valid'}${another === undefined ? '' : ' (and more)'}`,
      details: errors.map(({ path, message }) => ({ path, message })),
    });
  }
}
