import type { FieldSelection } from '@apollo/federation-internals';
import {
  executeSync,
  getOperationAST,
  Kind,
  OperationTypeNode,
  print,
  visit,
  type DocumentNode,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../shared/errors.js';
import type { GraphResult } from '../shared/subgraph/executor.js';
import { coerceInTurns, type Variables } from '../shared/subgraph/variables.js';
import type { OperationExecutor, Prepared } from './operation.js';

/**
 * Executes a query that selects nothing but the schema, on the schema that callers see; undefined for any other operation. Apollo's library, by which
 * others are planned and projected, does not know the newest fields of introspection.
 */
export function introspectionExecutor(
  { document, operation }: Prepared,
  apiSchema: GraphQLSchema,
): OperationExecutor | undefined {
  if (operation.operation !== OperationTypeNode.QUERY) return undefined;
  const names = rootFieldsOf(document, operation.selectionSet);
  if (!names.some(isMeta)) return undefined;
  if (!names.every((name) => isMeta(name) || name === '__typename')) {
    refuseNewest(document);
    return undefined;
  }
  const introspect = reader(apiSchema, document);
  const run = async (given: Variables): Promise<GraphResult> => ({
    data: introspect(await coerceInTurns(apiSchema, operation, given)),
  });
  return { compile: () => undefined, run, subscribe: run };
}

/** @throws {ApiError} BAD_REQUEST for a field that Apollo's library does not know */
function refuseNewest(document: DocumentNode): void {
  visit(document, {
    Field: ({ name }) => {
      if (name.value === 'isOneOf')
        throw new ApiError('BAD_REQUEST', { message: 'Select isOneOf in a document that selects the schema alone' });
    },
  });
}

const isMeta = (name: string) => name === '__schema' || name === '__type';

/** Returns the names of the fields of the root, those of fragments included. */
function rootFieldsOf(document: DocumentNode, { selections }: SelectionSetNode): readonly string[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return node.name.value;
    if (node.kind === Kind.INLINE_FRAGMENT) return rootFieldsOf(document, node.selectionSet);
    const fragment = document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === node.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? rootFieldsOf(document, fragment.selectionSet) : [];
  });
}

/** Compiles a selection of `__schema` or `__type`, which the graph resolves itself, from the schema that callers see. */
export function compileIntrospection(
  apiSchema: GraphQLSchema,
  document: DocumentNode,
  selection: FieldSelection,
): (variables: Variables) => unknown {
  const field = selection.expandFragments().toSelectionNode();
  const used = new Set<string>();
  visit(field, {
    Variable: ({ name }) => {
      used.add(name.value);
    },
  });
  const declared = getOperationAST(document)?.variableDefinitions ?? [];
  const query: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: OperationTypeNode.QUERY,
        variableDefinitions: declared.filter(({ variable }) => used.has(variable.name.value)),
        selectionSet: { kind: Kind.SELECTION_SET, selections: [field] },
      },
    ],
  };
  const introspect = reader(apiSchema, query);
  const own = (variables: Variables) => Object.fromEntries([...used].map((name) => [name, variables[name]]));
  return (variables) => introspect(own(variables))?.[(field.alias ?? field.name).value];
}

type Data = NonNullable<GraphResult['data']> | null;

/** The last results for each schema. One has megabytes, and is read again by every tool that is opened. */
const results = new WeakMap<GraphQLSchema, LRUCache<string, { readonly data: Data }>>();
const maxResults = 4;

/** Returns the function that reads what a document selects of the schema. */
function reader(schema: GraphQLSchema, document: DocumentNode): (variables: Variables) => Data {
  const known = results.get(schema) ?? new LRUCache({ max: maxResults });
  results.set(schema, known);
  const text = print(document);
  return (variableValues) => {
    const key = JSON.stringify([text, variableValues]);
    const kept = known.get(key);
    if (kept !== undefined) return kept.data;
    const { data, errors } = executeSync({ schema, document, rootValue: {}, variableValues });
    if (errors !== undefined) throw new Error('The introspection of the schema failed', { cause: errors[0] });
    known.set(key, { data: data ?? null });
    return data ?? null;
  };
}
