import {
  getNullableType,
  isAbstractType,
  isObjectType,
  isUnionType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type InlineFragmentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf } from '../../../shared/graphql/root-names.js';

export interface Source {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** Selections of one object. `sometimes`: `@include` or `@skip` may leave them out although the object is there. */
export interface Selections {
  readonly set: SelectionSetNode;
  readonly sometimes: boolean;
}

export interface Selected {
  readonly node: FieldNode;
  readonly sometimes: boolean;
}

export function sourceOf(schema: GraphQLSchema, document: DocumentNode): Source {
  return { schema, fragments: fragmentsOf(document) };
}

/** Collects the fields that selections apply to an object of a type: every occurrence of a field, by response key, in order. */
export function selectedFields(
  source: Source,
  type: GraphQLObjectType,
  selections: readonly Selections[],
): ReadonlyMap<string, readonly Selected[]> {
  const fields = new Map<string, Selected[]>();
  for (const { set, sometimes } of selections) collect(source, type, set, sometimes, fields);
  return fields;
}

export function selectionsBelow(occurrences: readonly Selected[]): Selections[] {
  return occurrences.flatMap(({ node, sometimes }) =>
    node.selectionSet === undefined ? [] : [{ set: node.selectionSet, sometimes: sometimes && occurrences.length > 1 }],
  );
}

function collect(
  source: Source,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  sometimes: boolean,
  fields: Map<string, Selected[]>,
): void {
  for (const node of set.selections) {
    const perhaps = sometimes || isConditional(node);
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      fields.set(key, [...(fields.get(key) ?? []), { node, sometimes: perhaps }]);
      continue;
    }
    const fragment = fragmentOf(source, node);
    if (fragment !== undefined && applicable(source, type, node)) {
      collect(source, type, fragment.selectionSet, perhaps, fields);
    }
  }
}

function fragmentOf(source: Source, node: InlineFragmentNode | FragmentSpreadNode) {
  return node.kind === Kind.INLINE_FRAGMENT ? node : source.fragments.get(node.name.value);
}

/** Whether a selection applies to every value of a type: a field does, and a fragment by its type condition. */
export function applicable(
  source: Source,
  type: GraphQLObjectType | GraphQLAbstractType,
  node: SelectionNode,
): boolean {
  const condition = node.kind === Kind.FIELD ? undefined : fragmentOf(source, node)?.typeCondition?.name.value;
  if (condition === undefined || condition === type.name) return true;
  const wanted = source.schema.getType(condition);
  return isAbstractType(wanted) && !isUnionType(type) && source.schema.isSubType(wanted, type);
}

/** Whether `@include` or `@skip` may leave the selection out. */
export function isConditional(node: SelectionNode): boolean {
  return node.directives?.some(({ name }) => name.value === 'include' || name.value === 'skip') ?? false;
}

/**
 * Directives of operation files that change the response: `@omitNull` omits a null field, `@flatten` replaces a connection by its nodes, `@number` sends
 * a Decimal as a JSON number, `@lowerCase` sends an enum value in lower case, `@result` replaces a root field by the one field selected below it.
 */
export type FileDirective = 'omitNull' | 'flatten' | 'number' | 'lowerCase' | 'result';

export function isMarked({ directives = [] }: FieldNode, directive: FileDirective): boolean {
  return directives.some(({ name }) => name.value === directive);
}

/** Returns the description that replaces the description of the graph's field (`@description(is: "…")`), if any. */
export function ownDescription({ directives = [] }: FieldNode): string | undefined {
  const value = directives.find(({ name }) => name.value === 'description')?.arguments?.[0]?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

/** Returns a selected field's type as sent; undefined for fields of every object (`__typename`). @throws {Error} for `@flatten` of anything but plain nodes */
export function valueOf(
  source: Source,
  parent: GraphQLObjectType,
  occurrences: readonly Selected[],
): { readonly type: GraphQLOutputType; readonly selections: readonly Selections[] } | undefined {
  const node = occurrences[0]?.node;
  const type = parent.getFields()[node?.name.value ?? '']?.type;
  if (node === undefined || type === undefined) return undefined;
  const selections = selectionsBelow(occurrences);
  if (!occurrences.some((one) => isMarked(one.node, 'flatten'))) return { type, selections };
  const connection = getNullableType(type);
  const nodes = isObjectType(connection) ? connection.getFields()['nodes'] : undefined;
  const selected = isObjectType(connection) ? [...selectedFields(source, connection, selections)] : [];
  const [[key, below] = [], ...others] = selected;
  if (nodes === undefined || key !== 'nodes' || below === undefined || others.length > 0)
    throw new Error(
      `@flatten of ${parent.name}.${node.name.value} needs a connection of which the nodes alone are selected`,
    );
  return { type: nodes.type, selections: selectionsBelow(below) };
}
