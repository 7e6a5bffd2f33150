import { createHash } from 'node:crypto';
import { extendSchema, validate, type DocumentNode, type GraphQLError, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Known facts about valid documents, as JSON by digest. Kept for all graphs over a supergraph. */
export type KnownDocuments = Pick<LRUCache<string, string>, 'get' | 'has' | 'set'>;

/** Characters of JSON that are kept: callers send any number of documents. */
const maxCharacters = 4_194_304;

export function createKnownDocuments(): KnownDocuments {
  return new LRUCache<string, string>({ maxSize: maxCharacters, sizeCalculation: ({ length }) => length + 100 });
}

export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('base64url');
}

const trusted = new WeakSet<GraphQLSchema>();
const extendedOf = new WeakMap<GraphQLSchema, Map<DocumentNode, GraphQLSchema>>();

/** Leaves out the validation of the program's own files on this schema: `npm run generate` has validated them, which each start need not do again. */
export function trustFiles(schema: GraphQLSchema): void {
  trusted.add(schema);
}

/** Returns the schema with the directives that a kind of files adds to GraphQL; always the same for the same schema. */
export function withDirectives(schema: GraphQLSchema, vocabulary: DocumentNode): GraphQLSchema {
  const made = extendedOf.get(schema) ?? new Map<DocumentNode, GraphQLSchema>();
  extendedOf.set(schema, made);
  const extended = made.get(vocabulary) ?? extendSchema(schema, vocabulary, { assumeValid: true });
  made.set(vocabulary, extended);
  if (trusted.has(schema)) trusted.add(extended);
  return extended;
}

export function errorsIn(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return trusted.has(schema) ? [] : validate(schema, document);
}
