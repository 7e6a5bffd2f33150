import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { extendSchema, print, validate, type DocumentNode, type GraphQLError, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/** What was found out about valid documents, by their digests: JSON. Kept for all graphs over a supergraph, and in `dist/` for the program's own documents. */
export type KnownDocuments = Pick<LRUCache<string, string>, 'get' | 'has' | 'set' | 'entries'>;

/** Characters of JSON that are kept: callers send any number of documents. */
const maxCharacters = 4_194_304;

/** The file that the build makes (bootstrap/prepare-documents.ts). */
export const preparedFile = new URL('./prepared.json', import.meta.url);

const preparedForm = z.object({ supergraph: z.string(), documents: z.record(z.string(), z.string()) });
export type PreparedDocuments = z.infer<typeof preparedForm>;

export function digestOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('base64url');
}

/** Returns what the build has found out, if it was about this supergraph. */
export function createKnownDocuments(supergraphSdl: string): KnownDocuments {
  const known = new LRUCache<string, string>({ maxSize: maxCharacters, sizeCalculation: ({ length }) => length + 100 });
  if (!existsSync(preparedFile)) return known;
  const { supergraph, documents } = preparedForm.parse(JSON.parse(readFileSync(preparedFile, 'utf8')));
  if (supergraph === digestOf(supergraphSdl)) for (const [key, json] of Object.entries(documents)) known.set(key, json);
  return known;
}

const knownOn = new WeakMap<GraphQLSchema, { readonly known: KnownDocuments; readonly vocabulary: string }>();
const extendedOf = new WeakMap<GraphQLSchema, Map<DocumentNode, GraphQLSchema>>();

/** Lets `errorsIn` remember the valid documents of a schema. */
export function rememberOn(schema: GraphQLSchema, known: KnownDocuments, vocabulary = ''): void {
  knownOn.set(schema, { known, vocabulary });
}

/** Returns the schema with the directives that a kind of files adds to GraphQL; always the same for the same schema. */
export function withDirectives(schema: GraphQLSchema, vocabulary: DocumentNode): GraphQLSchema {
  const made = extendedOf.get(schema) ?? new Map<DocumentNode, GraphQLSchema>();
  extendedOf.set(schema, made);
  const extended = made.get(vocabulary) ?? extendSchema(schema, vocabulary, { assumeValid: true });
  made.set(vocabulary, extended);
  const base = knownOn.get(schema);
  if (base !== undefined) rememberOn(extended, base.known, print(vocabulary));
  return extended;
}

/** Validates a document of a file; not again where it is known to be valid. */
export function errorsIn(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  const on = knownOn.get(schema);
  if (on === undefined) return validate(schema, document);
  const key = digestOf('file', on.vocabulary, print(document));
  if (on.known.has(key)) return [];
  const errors = validate(schema, document);
  if (errors.length === 0) on.known.set(key, 'true');
  return errors;
}
