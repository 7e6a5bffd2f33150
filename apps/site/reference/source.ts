import type { DocumentNode, GraphQLSchema } from 'graphql';

/** What the reference is made of. */
export interface ReferenceSource {
  /** The OpenAPI text that the program serves. */
  readonly openApiText: string;
  /** Returns the GraphQL document that a path runs, by its `operationId`; undefined for a path that runs none. */
  readonly documentOf: (operationId: string) => DocumentNode | undefined;
  /** The graph's schema as callers see it. */
  readonly schema: GraphQLSchema;
  /** The composed schema, which says which domain has a type. */
  readonly supergraphSdl: string;
  /** Whether the schema of the graph is published (GRAPHQL_SDL). */
  readonly publishesSchema: boolean;
}

/** Returns a function that makes a value at its first call and keeps it. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
