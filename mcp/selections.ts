import {
  isAbstractType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** The context that selections are resolved in: the graph's types and the fragments of the document. */
export interface Source {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** Selections of one object. `sometimes`: `@include` or `@skip` may leave them out although the object is there. */
export interface Selections {
  readonly set: SelectionSetNode;
  readonly sometimes: boolean;
}

/** One occurrence of a field in the selections of an object. */
export interface Selected {
  readonly node: FieldNode;
  readonly sometimes: boolean;
}

export function sourceOf(schema: GraphQLSchema, document: DocumentNode): Source {
  const fragments = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  return { schema, fragments: new Map(fragments.map((node) => [node.name.value, node])) };
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

/** Returns the selections below the occurrences of one field. */
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
    const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : source.fragments.get(node.name.value);
    if (fragment !== undefined && appliesTo(source, type, fragment.typeCondition?.name.value)) {
      collect(source, type, fragment.selectionSet, perhaps, fields);
    }
  }
}

function appliesTo({ schema }: Source, type: GraphQLObjectType, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true;
  const wanted = schema.getType(condition);
  return isAbstractType(wanted) && schema.isSubType(wanted, type);
}

/** Whether `@include` or `@skip` may leave the selection out. */
export function isConditional(node: SelectionNode): boolean {
  return node.directives?.some(({ name }) => name.value === 'include' || name.value === 'skip') ?? false;
}
