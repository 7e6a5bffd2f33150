import { GraphQLError, Kind, parse, visit, type ASTNode, type DocumentNode, type ParseOptions } from 'graphql';
import { InvalidDocument } from '../shared/subgraph/invalid-document.js';
import { dotted } from '../shared/subgraph/variables.js';

/** Errors of a document that are told at once. */
export const maxDocumentErrors = 20;
/** Characters of one of them: a document's own text comes back in them. */
const maxMessage = 500;

/**
 * What a caller hears of a document that is not valid: each error with its place, as `operations.filter.from` for a
 * value, by the response names of the fields and the names of arguments and input fields on the way to it.
 */
export function invalidDocument(document: DocumentNode, errors: readonly GraphQLError[]): InvalidDocument {
  const places = placesOf(document, new Set(errors.flatMap(({ nodes }) => nodes?.slice(0, 1) ?? [])));
  return new InvalidDocument(
    errors.map((found) => {
      const [node] = found.nodes ?? [];
      return { path: (node && places.get(node)) ?? '', message: found.message.slice(0, maxMessage), found };
    }),
  );
}

/** @throws {ApiError} BAD_REQUEST for a text that is no document */
export function parseDocument(text: string, options?: ParseOptions): DocumentNode {
  try {
    return parse(text, options);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    throw new InvalidDocument([{ path: '', message: error.message, found: error }]);
  }
}

function placesOf(document: DocumentNode, wanted: ReadonlySet<ASTNode>): Map<ASTNode, string> {
  const places = new Map<ASTNode, string>();
  const way: (string | number)[] = [];
  visit(document, {
    enter: (node, key, _parent, _path, ancestors) => {
      const step = stepOf(node, key, ancestors.at(-1));
      if (step !== undefined) way.push(step);
      if (wanted.has(node)) places.set(node, dotted(way));
    },
    leave: (node, key, _parent, _path, ancestors) => {
      if (stepOf(node, key, ancestors.at(-1)) !== undefined) way.pop();
    },
  });
  return places;
}

/** What a node adds to the way to it; within a list that is its number. */
function stepOf(
  node: ASTNode,
  key: string | number | undefined,
  owner: ASTNode | readonly ASTNode[] | undefined,
): string | number | undefined {
  if (owner !== undefined && 'kind' in owner && owner.kind === Kind.LIST) return key;
  switch (node.kind) {
    case Kind.FIELD:
      return (node.alias ?? node.name).value;
    case Kind.ARGUMENT:
    case Kind.OBJECT_FIELD:
      return node.name.value;
    default:
      return undefined;
  }
}
