import {
  getOperationAST,
  GraphQLError,
  Kind,
  visit,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type SelectionSetNode,
} from 'graphql';
import { ApiError } from '../shared/errors.js';
import type { InternalNames } from './internal-names.js';
import { fetchesOf, type Plan, type Plans } from './plan.js';

/** Makes the plan of a valid document. @throws {ApiError} BAD_REQUEST where there is none */
export type Planner = (names: InternalNames) => Plan;

/**
 * Creates the planner. Hive Router's plans need fewer requests and are made faster; it finds none for some valid documents (a field that is
 * selected twice beside `@requires`; a fragment on a union within that union), which Apollo's planner then plans.
 * See docs/adr/0014-native-planner.md.
 */
export function createPlanner(native: Plans | undefined, apollo: Plans): Planner {
  return ({ document, callerName }) => {
    const planned = plannable(document);
    const plan = nativePlan(native, planned) ?? refusing(() => apollo(planned));
    requireWhole(document, plan, callerName);
    return plan;
  };
}

function nativePlan(native: Plans | undefined, document: DocumentNode): Plan | undefined {
  try {
    return native?.(document);
  } catch {
    // If the document cannot be planned at all, Apollo's planner says so.
    return undefined;
  }
}

/**
 * Rewrites a document for two limitations of the planner: it fails on introspection in a fragment, which becomes a `__typename`; and it
 * loses an object of which it knows beforehand that all fields are skipped, which gets a `__typename`.
 */
export function plannable(document: DocumentNode): DocumentNode {
  const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };
  return visit(document, {
    Field: ({ name, alias, directives }) => {
      if (name.value !== '__schema' && name.value !== '__type') return undefined;
      return { ...typename, alias: alias ?? name, ...(directives === undefined ? {} : { directives }) };
    },
    SelectionSet: (set, _key, parent) => {
      const isRoot = parent !== undefined && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION;
      if (isRoot || set.selections.some(({ directives = [] }) => directives.length === 0)) return undefined;
      return { ...set, selections: [...set.selections, typename] };
    },
  });
}

function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const message =
      error instanceof GraphQLError
        ? error.message
        : 'The subgraphs cannot resolve these fields together: select fewer of them, or reach their objects by another field';
    throw new ApiError('BAD_REQUEST', { message, cause: error });
  }
}

/**
 * Checks that a plan is complete: the planner silently leaves out fields to which it finds no way.
 * @throws {ApiError} BAD_REQUEST where the plan lacks a field of the root
 */
function requireWhole(document: DocumentNode, plan: Plan, callerName: (name: string) => string): void {
  const planned = new Set(fetchesOf(plan).flatMap((fetch) => rootNames(fetch.document)));
  const lacking = rootNames(document).filter((name) => !planned.has(name));
  if (lacking.length === 0) return;
  const names = lacking.map((name) => `"${callerName(name)}"`).join(', ');
  throw new ApiError('BAD_REQUEST', {
    message: `No subgraph resolves ${names} with the selected fields: select other fields`,
  });
}

/** Values that the variables of `@skip` and `@include` must have for a selection to be included, from the root down. */
type Wanted = ReadonlyMap<string, boolean>;

/** Returns the response names of the root's fields, without those that no variables include or that the graph resolves itself. */
function rootNames(document: DocumentNode): string[] {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  );
  const namesIn = (set: SelectionSetNode | undefined, above: Wanted): string[] =>
    (set?.selections ?? []).flatMap((selection) => {
      const wanted = wantedBelow(above, selection.directives);
      if (wanted === undefined) return [];
      if (selection.kind === Kind.INLINE_FRAGMENT) return namesIn(selection.selectionSet, wanted);
      if (selection.kind === Kind.FRAGMENT_SPREAD) return namesIn(fragments.get(selection.name.value), wanted);
      return selection.name.value.startsWith('__') ? [] : [(selection.alias ?? selection.name).value];
    });
  return namesIn(getOperationAST(document)?.selectionSet, new Map());
}

/** Adds the conditions of a selection's directives; returns undefined where it can never be included. */
function wantedBelow(above: Wanted, directives: readonly DirectiveNode[] = []): Wanted | undefined {
  const wanted = new Map(above);
  for (const { name, arguments: [argument] = [] } of directives) {
    if (name.value !== 'skip' && name.value !== 'include') continue;
    const needed = name.value === 'include';
    if (argument?.value.kind === Kind.BOOLEAN && argument.value.value !== needed) return undefined;
    if (argument?.value.kind !== Kind.VARIABLE) continue;
    const variable = argument.value.name.value;
    if (wanted.get(variable) === !needed) return undefined;
    wanted.set(variable, needed);
  }
  return wanted;
}
