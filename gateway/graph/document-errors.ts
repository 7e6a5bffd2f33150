import { GraphQLError, Kind, parse, visit, type ASTNode, type DocumentNode, type ParseOptions } from 'graphql';
import { InvalidDocument } from '../../shared/graphql/invalid-document.js';
import { dotted } from '../../shared/kernel/json.js';

export const maxDocumentErrors = 20;
/** Maximum length of one message: the document's own text is repeated in it. */
const maxMessage = 500;

/** Returns the error of an invalid document: each error with its place as response names, arguments and input fields: `operations.filter.from`. */
export function invalidDocument(document: DocumentNode, errors: readonly GraphQLError[]): InvalidDocument {
  const places = placesOf(document, new Set(errors.flatMap(({ nodes }) => nodes?.slice(0, 1) ?? [])));
  return new InvalidDocument(
    errors.map((found) => {
      const [node] = found.nodes ?? [];
      return { path: (node && places.get(node)) ?? '', message: found.message.slice(0, maxMessage), found };
    }),
  );
}

/** Parses a document. @throws {ApiError} BAD_REQUEST for a text that is no document */
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
