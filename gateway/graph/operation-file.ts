import {
  getNullableType,
  GraphQLError,
  isObjectType,
  Kind,
  parse,
  Source,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fragmentsOf } from '../../shared/graphql/root-names.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import { messageOf } from '../../shared/kernel/thrown.js';
import { errorsIn } from './known-documents.js';
import { isConditional, isMarked } from './json-schema/selections.js';

interface ReadOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly root: GraphQLObjectType;
}

export interface OperationFile extends ReadOperation {
  readonly node: FieldNode;
  readonly key: string;
}

export interface OperationRoots extends ReadOperation {
  readonly first: FieldNode;
  readonly others: readonly FieldNode[];
}

class FileErrors extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** Parses a file. @param path the file, for errors */
export function parseFile(path: string, text: string): DocumentNode {
  try {
    return parse(new Source(text, path));
  } catch (error) {
    throw error instanceof GraphQLError ? new FileErrors([withPlace(error)]) : error;
  }
}

/** Reads a file's one operation, named like the file, with one root field. @param schema with the directives of such files @throws {Error} with what is wrong */
export function operationIn(schema: GraphQLSchema, name: string, document: DocumentNode): OperationFile {
  const { first: node, others, ...read } = operationRootsIn(schema, name, document);
  if (others.length > 0) throw new Error('The operation must select one root field, unconditionally');
  return { ...read, node, key: responseKey(node) };
}

/** The same for several root fields; only those after the first may be conditional. @throws {Error} that says what is wrong with the file */
export function operationRootsIn(schema: GraphQLSchema, name: string, document: DocumentNode): OperationRoots {
  const errors = errorsIn(schema, document);
  if (errors.length > 0) throw new FileErrors(errors.map(withPlace));
  const operation = onlyOperation(document);
  if (operation.name?.value !== name) throw new Error(`The operation must be named ${name}, like its file`);
  const root = schema.getRootType(operation.operation);
  const { selections } = operation.selectionSet;
  const [first, ...others] = selections.flatMap((node) => fieldsAt(node, document));
  if (!root || first === undefined || others.length + 1 < selections.length || isConditional(first))
    throw new Error('The operation must select one root field, unconditionally');
  return { document, operation, root, first, others };
}

interface SentValue {
  readonly node: FieldNode;
  readonly field: Pick<GraphQLField<unknown, unknown>, 'type' | 'description'>;
  /** Takes the file out of the data of a result; null where the object around it is. */
  readonly pick: (data: Readonly<Record<string, unknown>>) => unknown;
}

/** Returns the value that an interface sends of a field, or of the one below it with `@result`. @throws {Error} for a field that the graph does not have */
export function sentValue(parent: GraphQLObjectType, node: FieldNode): SentValue {
  const key = responseKey(node);
  const field = parent.getFields()[node.name.value];
  if (field === undefined) throw new Error(`The graph has no ${node.name.value}`);
  const [only, ...others] = node.selectionSet?.selections ?? [];
  const owner = getNullableType(field.type);
  if (only?.kind !== Kind.FIELD || others.length > 0 || !isMarked(only, 'result') || !isObjectType(owner))
    return { node, field, pick: (data) => data[key] };
  const below = sentValue(owner, only);
  return {
    ...below,
    pick: (data) => {
      const value = data[key];
      return isRecord(value) ? below.pick(value) : value;
    },
  };
}

/** Returns the root fields of a selection: itself, or the fields of a named fragment of the root type. */
function fieldsAt(node: SelectionNode, document: DocumentNode): FieldNode[] {
  if (node.kind === Kind.FIELD) return [node];
  if (node.kind === Kind.INLINE_FRAGMENT || isConditional(node)) return [];
  const fragment = fragmentsOf(document).get(node.name.value);
  return (fragment?.selectionSet.selections ?? []).flatMap((below) => fieldsAt(below, document));
}

export function responseKey({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

function withPlace({ source, locations: [place] = [], message }: GraphQLError): string {
  return place === undefined
    ? `${source?.name ?? ''}: ${message}`
    : `${source?.name ?? ''}: ${place.line}:${place.column} ${message}`;
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

/** Reads every file. @param folder of the files, for errors @throws {Error} that names every file with an error, and the error. */
export function readEach<T>(
  folder: string,
  texts: ReadonlyMap<string, string>,
  read: (name: string, document: DocumentNode) => T,
): readonly T[] {
  const errors = new Set<string>();
  const found = [...texts].flatMap(([name, text]) => {
    const path = `${folder}/${name}.graphql`;
    try {
      return [read(name, parseFile(path, text))];
    } catch (error) {
      const lines = error instanceof FileErrors ? error.lines : [`${path}: ${messageOf(error)}`];
      for (const line of lines) errors.add(line);
      return [];
    }
  });
  if (errors.size > 0) throw new Error([...errors].join('\n'));
  return found;
}
