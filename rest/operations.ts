import {
  Kind,
  OperationTypeNode,
  parse,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
} from 'graphql';
import { fileURLToPath } from 'node:url';
import { withDirectives } from '../gateway/graph/known-documents.js';
import type { SelectedValue } from '../gateway/graph/json-schema/marked-places.js';
import { selectionsBelow, sourceOf } from '../gateway/graph/json-schema/selections.js';
import { variablesOf, type Variable } from '../gateway/graph/json-schema/variables.js';
import { graphqlFiles, operationIn, plainDocument, readEach, sentValue } from '../gateway/graph/operation-file.js';
import { placedVariables, type PlacedVariables } from '../gateway/graph/variable-names.js';

/** An operation of `rest/operations/`: what a route runs on the graph, and what its response holds. */
export interface RestOperation {
  readonly kind: OperationTypeNode.QUERY | OperationTypeNode.MUTATION;
  readonly document: DocumentNode;
  readonly variables: readonly Variable[];
  /** The response: the value of the one root field or of the field below it with `@result`; an object with it, where the operation selects a fragment of the root. */
  readonly response: SelectedValue;
  readonly pick: (data: Readonly<Record<string, unknown>>) => unknown;
  /** Names of the arguments in the errors of each field. */
  readonly variableNames: PlacedVariables;
}

/** Returns the operation of a route by its name. @throws {Error} when there is no such operation. */
export type Operations = (name: string) => RestOperation;

export interface OperationTexts {
  readonly operations: ReadonlyMap<string, string>;
  readonly fragments: ReadonlyMap<string, string>;
}

const folder = fileURLToPath(new URL('./operations/', import.meta.url));
const own = 'rest/operations';

const vocabulary = parse(`
  directive @omitNull on FIELD
  directive @flatten on FIELD
  directive @number on FIELD
  directive @lowerCase on FIELD
  directive @result on FIELD
  directive @description(is: String!) on FIELD
`);
const vocabularyNames = new Set(['omitNull', 'flatten', 'number', 'lowerCase', 'result', 'description']);

/** Reads every operation of the REST paths. @param schema the graph's public types @throws {Error} that names every file with an error, and the error. */
export function loadOperations(
  schema: GraphQLSchema,
  texts: OperationTexts = { operations: graphqlFiles(folder), fragments: graphqlFiles(`${folder}fragments`) },
): Operations {
  const types = withDirectives(schema, vocabulary);
  const fragments = new Map(readEach(`${own}/fragments`, texts.fragments, fragmentIn));
  const read = readEach(own, texts.operations, (name, document) => {
    const operation = operationOf(types, name, withFragments(document, fragments));
    return [name, operation] as const;
  });
  const operations = new Map(read);
  return (name) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`There is no rest/operations/${name}.graphql`);
    return operation;
  };
}

function operationOf(types: GraphQLSchema, name: string, file: DocumentNode): RestOperation {
  const { document, operation, node, root } = operationIn(types, name, file);
  const { operation: kind, selectionSet } = operation;
  if (kind === OperationTypeNode.SUBSCRIPTION) throw new Error('A path cannot be a subscription');
  const source = sourceOf(types, document);
  const sent = sentValue(root, node);
  const isWhole = selectionSet.selections.some((selection) => selection.kind === Kind.FRAGMENT_SPREAD);
  return {
    kind,
    document: plainDocument(document, vocabularyNames),
    variables: variablesOf(types, operation),
    variableNames: placedVariables(selectionSet, source.fragments),
    response: isWhole
      ? { source, type: root, selections: [{ set: selectionSet, sometimes: false }] }
      : { source, type: sent.field.type, selections: selectionsBelow([{ node: sent.node, sometimes: false }]) },
    pick: isWhole ? (data) => data : sent.pick,
  };
}

function fragmentIn(name: string, { definitions }: DocumentNode): readonly [string, FragmentDefinitionNode] {
  const [fragment, ...others] = definitions;
  if (fragment?.kind !== Kind.FRAGMENT_DEFINITION || others.length > 0 || fragment.name.value !== name)
    throw new Error(`The file must hold one fragment, named ${name} like the file`);
  return [name, fragment];
}

/** Returns a document with the shared fragments that it uses and does not define itself, and with those that they use. */
function withFragments(document: DocumentNode, shared: ReadonlyMap<string, FragmentDefinitionNode>): DocumentNode {
  const found = new Set<FragmentDefinitionNode>();
  const collect = (node: DocumentNode | FragmentDefinitionNode) => {
    visit(node, {
      FragmentSpread: ({ name }) => {
        const fragment = shared.get(name.value);
        if (fragment === undefined || found.has(fragment)) return;
        found.add(fragment);
        collect(fragment);
      },
    });
  };
  collect(document);
  return { ...document, definitions: [...document.definitions, ...found] };
}
