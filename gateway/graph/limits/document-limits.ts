import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  validate,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Config } from '../../../shared/kernel/config.js';
import { InvalidDocument } from '../../../shared/graphql/invalid-document.js';

export type DocumentLimits = Pick<
  Config['graphql'],
  'introspection' | 'maxAliases' | 'maxCost' | 'maxDepth' | 'maxDirectives' | 'maxTokens'
>;

interface Size {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly selections: number;
  /** Selections of `__schema`, and of `__type`. */
  readonly schemas: number;
  readonly types: number;
}

/** Refuses a document that is too large before any superlinear work. Returns the number of selections. @throws {ApiError} BAD_REQUEST that names the limit */
export function demandWithin(limits: DocumentLimits, schema: GraphQLSchema, document: DocumentNode): number {
  demandShortNames(document);
  let total = 0;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, aliases, directives, selections, schemas, types } = sizeOf(definition, document);
    demand('levels of fields', depth, limits.maxDepth, definition);
    demand('aliases', aliases, limits.maxAliases, definition);
    demand('directives', directives, limits.maxDirectives, definition);
    // Unless fragments are spread repeatedly, there are fewer selections than tokens.
    demand('selections', selections, limits.maxTokens, definition);
    demand('selections of __schema', schemas, maxSchemas, definition);
    demand('selections of __type', types, maxTypes, definition);
    total += selections;
  }
  const [introspects] = limits.introspection ? [] : validate(schema, document, [NoSchemaIntrospectionCustomRule]);
  if (introspects !== undefined)
    throw refused(
      'Introspection is switched off: where the server publishes its schema, it is at /schema.graphql',
      introspects.nodes?.[0],
    );
  return total;
}

/** Maximum number of times that one document may read the schema, and types of it. */
const maxSchemas = 1;
const maxTypes = 10;
/** Maximum length of a name: the names in a document are repeated in data, in paths and in errors. */
const maxNameLength = 100;

function demandShortNames(document: DocumentNode): void {
  visit(document, {
    Name: (node) => {
      const { length } = node.value;
      if (length <= maxNameLength) return;
      throw refused(`A name in the document has ${length} characters, the limit is ${maxNameLength}: shorten it`, node);
    },
  });
}

function demand(what: string, found: number, limit: number, node: ASTNode): void {
  if (found <= limit) return;
  throw refused(
    `The document has ${found} ${what}, the limit is ${limit}: ask for less, or send several documents`,
    node,
  );
}

function refused(message: string, node: ASTNode | undefined): InvalidDocument {
  return new InvalidDocument([{ path: '', message, found: new GraphQLError(message, { nodes: node ?? null }) }]);
}

const nothing: Size = { depth: 0, aliases: 0, directives: 0, selections: 0, schemas: 0, types: 0 };

function sizeOf(operation: OperationDefinitionNode, document: DocumentNode): Size {
  const fragments = new Map<string, Size>();

  const ofFragment = (name: string): Size => {
    const known = fragments.get(name);
    if (known !== undefined) return known;
    // Validation refuses a fragment that spreads itself; here the recursion only has to end.
    fragments.set(name, nothing);
    const node = document.definitions.find((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name);
    const size = node?.kind === Kind.FRAGMENT_DEFINITION ? ofSelections(node.selectionSet) : nothing;
    fragments.set(name, size);
    return size;
  };

  const ofSelections = (set: SelectionSetNode | undefined): Size => {
    let size = nothing;
    for (const node of set?.selections ?? []) {
      const inner = node.kind === Kind.FRAGMENT_SPREAD ? ofFragment(node.name.value) : ofSelections(node.selectionSet);
      const field = node.kind === Kind.FIELD ? node : undefined;
      if (field?.alias?.value.startsWith('__') === true)
        throw refused('An alias must not begin with two underscores', field);
      const [schemas, types] = [field?.name.value === '__schema' ? 1 : 0, field?.name.value === '__type' ? 1 : 0];
      const introspects = schemas + types > 0;
      size = {
        // Introspection nests types in types; its depth is limited by its tokens and its cost.
        depth: Math.max(size.depth, introspects ? 1 : inner.depth + (field === undefined ? 0 : 1)),
        aliases: size.aliases + inner.aliases + (field?.alias === undefined ? 0 : 1),
        directives: size.directives + inner.directives + (node.directives?.length ?? 0),
        selections: size.selections + inner.selections + 1,
        schemas: size.schemas + inner.schemas + schemas,
        types: size.types + inner.types + types,
      };
    }
    return size;
  };

  return ofSelections(operation.selectionSet);
}
