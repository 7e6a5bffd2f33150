import {
  extendSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  OperationTypeNode,
  parse,
  visit,
  type DocumentNode,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql';
import { fileURLToPath } from 'node:url';
import {
  isOmittedWhenNull,
  selectedFields,
  selectionsBelow,
  sourceOf,
  type Selections,
  type Source,
} from '../gateway/json-schema/selections.js';
import { variablesOf, type Variable } from '../gateway/json-schema/variables.js';
import { graphqlFiles, plainDocument, readEach, readOperation } from '../gateway/operation-file.js';

/** An operation of `rest/operations/`: what a route runs on the graph, and what its response holds. */
export interface Operation {
  readonly kind: OperationTypeNode.QUERY | OperationTypeNode.MUTATION;
  /** As the graph runs it. */
  readonly document: DocumentNode;
  /** What callers of the route send, by name. */
  readonly variables: readonly Variable[];
  /** The response: the value of the one root field. */
  readonly response: Response;
}

/** A response by its type and by what is selected in it. */
export interface Response {
  readonly source: Source;
  readonly type: GraphQLOutputType;
  readonly selections: readonly Selections[];
}

/** Returns the operation of a route by its name. @throws {Error} when there is no such operation. */
export type Operations = (name: string) => Operation;

/** Texts of operations and of the fragments that several of them use, by name. */
export interface OperationTexts {
  readonly operations: ReadonlyMap<string, string>;
  readonly fragments: ReadonlyMap<string, string>;
}

const folder = fileURLToPath(new URL('./operations/', import.meta.url));

/** Directives that the files add to GraphQL. */
const vocabulary = parse('directive @omitNull on FIELD');
const vocabularyNames = new Set(['omitNull']);

/**
 * Reads every operation of the REST paths.
 * @param schema the graph's public types
 * @throws {Error} that names every file with an error, and the error.
 */
export function loadOperations(
  schema: GraphQLSchema,
  texts: OperationTexts = { operations: graphqlFiles(folder), fragments: graphqlFiles(`${folder}fragments`) },
): Operations {
  const types = extendSchema(schema, vocabulary, { assumeValid: true });
  const fragments = fragmentReader(texts.fragments);
  const read = readEach('rest/operations', texts.operations, (name, text) => {
    return [name, operationOf(types, name, text + fragments(text))] as const;
  });
  const operations = new Map(read);
  return (name) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`rest/operations/ has no operation ${name}`);
    return operation;
  };
}

function operationOf(types: GraphQLSchema, name: string, text: string): Operation {
  const { document, operation, node, root } = readOperation(types, name, text);
  const { operation: kind } = operation;
  if (kind === OperationTypeNode.SUBSCRIPTION) throw new Error('A path cannot be a subscription');
  const { type } = root.getFields()[node.name.value] ?? {};
  if (type === undefined) throw new Error(`The graph has no operation ${node.name.value}`);
  return {
    kind,
    document: plainDocument(document, vocabularyNames),
    variables: variablesOf(types, operation),
    response: { source: sourceOf(types, document), type, selections: selectionsBelow([{ node, sometimes: false }]) },
  };
}

/** Returns the function that finds the texts of the fragments that a text uses and does not define itself, and of those that they use. */
function fragmentReader(texts: ReadonlyMap<string, string>): (text: string) => string {
  return (text) => {
    const found = new Set<string>();
    const collect = (part: string) => {
      visit(parse(part), {
        FragmentSpread: ({ name: { value } }) => {
          const fragment = texts.get(value);
          if (fragment === undefined || found.has(value)) return;
          found.add(value);
          collect(fragment);
        },
      });
    };
    collect(text);
    return [...found].map((name) => `\n${texts.get(name) ?? ''}`).join('');
  };
}

/** Returns the places of the fields that a response leaves out where they are null: `nextToken`, `items.interestPercentage`. */
export function omittedPlaces({ source, type, selections }: Response): readonly string[] {
  const named = getNamedType(type);
  const objects = isAbstractType(named) ? source.schema.getPossibleTypes(named) : isObjectType(named) ? [named] : [];
  const places = objects.flatMap((object) =>
    [...selectedFields(source, object, selections)].flatMap(([key, occurrences]) => {
      const field = object.getFields()[occurrences[0]?.node.name.value ?? ''];
      const own = occurrences.some(({ node }) => isOmittedWhenNull(node)) ? [key] : [];
      if (field === undefined) return own;
      const below = omittedPlaces({ source, type: field.type, selections: selectionsBelow(occurrences) });
      return [...own, ...below.map((place) => `${key}.${place}`)];
    }),
  );
  return [...new Set(places)];
}
