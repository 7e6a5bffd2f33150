import type { PlanNode, QueryPlan, QueryPlanSelectionNode, SubscriptionNode } from '@apollo/query-planner';
import { GraphQLError, Kind, type FieldNode, type SelectionSetNode } from 'graphql';
import { documentFault, maxDocumentErrors } from './document-fault.js';
import type { Prepared } from './graph.js';

/**
 * Refuses an alias that takes the name of a field by which another subgraph knows the object: Apollo's planner asks for both
 * under that name, and the caller would get the key for what the alias stands for.
 * @throws {Fault} BAD_REQUEST with the place of each such alias
 */
export function refuseKeyAliases(prepared: Prepared, { node }: QueryPlan): void {
  const keys = new Map<string, Set<string>>();
  addKeys(keys, node, '');
  if (keys.size === 0) return;
  const hiding = new Map<FieldNode, GraphQLError>();
  eachField(prepared, (field, place) => {
    const alias = field.alias?.value ?? field.name.value;
    if (alias === field.name.value || hiding.size >= maxDocumentErrors || keys.get(place)?.has(alias) !== true) return;
    const message = `"${alias}" is a field by which this object is known and cannot be the alias of "${field.name.value}": choose another`;
    hiding.set(field, new GraphQLError(message, { nodes: field }));
  });
  if (hiding.size > 0) throw documentFault(prepared.document, [...hiding.values()]);
}

/** Adds, for each place whose objects another fetch is about, the fields by which it knows them. */
function addKeys(keys: Map<string, Set<string>>, node: PlanNode | SubscriptionNode | undefined, place: string): void {
  switch (node?.kind) {
    case undefined:
    case 'Defer':
      return;
    case 'Fetch':
      addNames(keys, node.requires ?? [], place);
      return;
    case 'Flatten': {
      addKeys(keys, node.node, placeOf(node.path.filter((step) => step !== '@')));
      return;
    }
    case 'Sequence':
    case 'Parallel':
      for (const one of node.nodes) addKeys(keys, one, place);
      return;
    case 'Condition':
      for (const one of [node.ifClause, node.elseClause]) addKeys(keys, one, place);
      return;
    case 'Subscription': {
      addKeys(keys, node.rest, place);
      return;
    }
  }
}

function addNames(keys: Map<string, Set<string>>, selections: readonly QueryPlanSelectionNode[], place: string): void {
  for (const selection of selections) {
    if (selection.kind === 'InlineFragment') {
      addNames(keys, selection.selections, place);
      continue;
    }
    keys.set(place, (keys.get(place) ?? new Set()).add(selection.name));
    addNames(keys, selection.selections ?? [], place === '' ? selection.name : `${place}.${selection.name}`);
  }
}

function placeOf(path: readonly unknown[]): string {
  return path.join('.');
}

/** Each field of an operation with the place of its object, by response names; fragments where they are spread. */
function eachField({ document, operation }: Prepared, found: (field: FieldNode, place: string) => void): void {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const walk = (set: SelectionSetNode | undefined, path: readonly string[]): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        found(selection, placeOf(path));
        walk(selection.selectionSet, [...path, selection.alias?.value ?? selection.name.value]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, path);
      else walk(fragments.get(selection.name.value)?.selectionSet, path);
    }
  };
  walk(operation.selectionSet, []);
}
