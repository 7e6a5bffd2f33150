import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { isAbstractType, isInterfaceType, type GraphQLSchema } from 'graphql';
import { isRecord } from '../shared/is-record.js';
import { isPlain, merge, own, put, type Data } from './merge.js';

/** Returns the representation that a subgraph needs of an entity; undefined where too few of its fields are known, or it has another type. */
export type Represent = (entity: Data) => Data | undefined;

type Selection =
  | { readonly name: string; readonly plain: boolean; readonly selections: readonly Selection[] | undefined }
  | { readonly types: ReadonlySet<unknown>; readonly selections: readonly Selection[] };

/** Compiles the representations of entities from the fields that a fetch requires. */
export function compileRepresentation(
  supergraphSchema: GraphQLSchema,
  requires: readonly QueryPlanSelectionNode[],
): Represent {
  const selections = selectionsOf(supergraphSchema, requires);
  return (entity) => {
    const representation = selected(entity, selections);
    return representation !== null && Boolean(representation['__typename']) ? representation : undefined;
  };
}

function selectionsOf(schema: GraphQLSchema, nodes: readonly QueryPlanSelectionNode[]): Selection[] {
  return nodes.map((node) => {
    if (node.kind === 'Field') {
      const name = node.alias ?? node.name;
      return { name, plain: isPlain(name), selections: node.selections && selectionsOf(schema, node.selections) };
    }
    return { types: typesUnder(schema, node.typeCondition), selections: selectionsOf(schema, node.selections) };
  });
}

/** Returns the names of the types that a type condition applies to. */
export function typesUnder(schema: GraphQLSchema, condition: string | undefined): ReadonlySet<unknown> {
  const type = condition === undefined ? undefined : schema.getType(condition);
  if (type === undefined) return new Set();
  const under = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  const interfaces = isInterfaceType(type) ? schema.getImplementations(type).interfaces : [];
  return new Set([type, ...under, ...interfaces].map(({ name }) => name));
}

/** Returns the required fields; null as soon as one is unknown. Within a fragment, only the fragment's part is left out then. */
function selected(source: unknown, selections: readonly Selection[]): Data | null {
  if (!isRecord(source)) return null;
  const result: Data = {};
  for (const selection of selections) {
    if ('types' in selection) {
      const part = selection.types.has(source['__typename']) ? selected(source, selection.selections) : null;
      if (part !== null) merge(result, part);
      continue;
    }
    const value = selection.plain ? source[selection.name] : own(source, selection.name);
    if (value === undefined) return null;
    put(result, selection.name, selection.selections === undefined ? value : within(value, selection.selections));
  }
  return result;
}

function within(value: unknown, selections: readonly Selection[]): unknown {
  return Array.isArray(value) ? value.map((item) => selected(item, selections)) : selected(value, selections);
}
