import {
  Kind,
  parse,
  validate,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isConditional } from './json-schema/selections.js';

/** An operation that an interface keeps as a file: an MCP tool or a REST route. */
export interface OperationFile {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The one root field, and the type that has it. */
  readonly node: FieldNode;
  readonly root: GraphQLObjectType;
  /** Key of the root field in the response. */
  readonly key: string;
}

/**
 * Reads the text of a file. It holds one operation, which is named like the file and selects one root field.
 * @param schema the graph's types, with the directives that only such files may use
 * @throws {Error} that says what is wrong with the file.
 */
export function readOperation(schema: GraphQLSchema, name: string, text: string): OperationFile {
  const document = parse(text);
  const errors = validate(schema, document);
  if (errors.length > 0) throw new Error(errors.map(withPlace).join('\n'));
  const operation = onlyOperation(document);
  if (operation.name?.value !== name) throw new Error(`The operation must be named ${name}, like its file`);
  const root = schema.getRootType(operation.operation);
  const [node, ...others] = operation.selectionSet.selections;
  if (!root || node?.kind !== Kind.FIELD || others.length > 0 || isConditional(node)) {
    throw new Error('The operation must select one root field, unconditionally');
  }
  return { document, operation, node, root, key: node.alias?.value ?? node.name.value };
}

function withPlace(error: GraphQLError): string {
  const [place] = error.locations ?? [];
  return place === undefined ? error.message : `${place.line}:${place.column} ${error.message}`;
}

function onlyOperation(document: DocumentNode): OperationDefinitionNode {
  const [operation, ...others] = document.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined || others.length > 0) throw new Error('The file must hold exactly one operation');
  return operation;
}

/** Returns the document as any GraphQL server accepts it: without descriptions, and without the directives of such files. */
export function plainDocument(document: DocumentNode, directives: ReadonlySet<string>): DocumentNode {
  return visit(document, {
    Directive: ({ name }) => (directives.has(name.value) ? null : undefined),
    StringValue: (_node, key) => (key === 'description' ? null : undefined),
  });
}

/** Returns the texts of a folder's `.graphql` files, by name, in the order of their names. */
export function graphqlFiles(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.graphql'));
  return new Map(
    files.sort().map((file) => [basename(file, '.graphql'), readFileSync(join(folder, file), 'utf8')] as const),
  );
}

/**
 * Reads every text.
 * @param folder the name of their folder, for errors
 * @throws {Error} that names every file with an error, and the error.
 */
export function readEach<T>(
  folder: string,
  texts: ReadonlyMap<string, string>,
  read: (name: string, text: string) => T,
): readonly T[] {
  const errors: string[] = [];
  const found = [...texts].flatMap(([name, text]) => {
    try {
      return [read(name, text)];
    } catch (error) {
      errors.push(`${folder}/${name}.graphql: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return found;
}
