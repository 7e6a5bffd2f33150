import { createRequire } from 'node:module';
import type {
  BatchFetchNode,
  FetchNode as NativeFetch,
  FetchNodePathSegment,
  FetchRewrite,
  FlattenNodePathSegment,
  PlanNode as NativeNode,
  QueryPlanner,
  RequiresSelection,
} from '@graphql-hive/router-query-planner';
import { Kind, parse, print, visit, type DirectiveNode, type DocumentNode, type FieldNode } from 'graphql';
import type { DataRewrite, EntityRequest, FetchNode, PathStep, Plan, PlanNode, PlanPath, Requirement } from './plan.js';

interface NativePackage {
  readonly QueryPlanner: new (supergraphSdl: string) => QueryPlanner;
}

export type NativePlan = NativeNode | null;

/** Plans a valid document. Undefined where the planner finds no plan, and on a platform for which it is not built (Windows, musl). */
export type NativePlanner = (document: DocumentNode) => NativePlan | undefined;

/** Creates Hive Router's query planner, which is native code and loaded when it is first needed. */
export function nativePlanner(supergraphSdl: string): NativePlanner {
  let planner: QueryPlanner | undefined;
  return (document) => {
    if (repeatsCondition(document)) return undefined;
    try {
      planner ??= load(supergraphSdl);
      return planner.plan(print(plannable(document)), undefined, new Set(), 0).node ?? null;
    } catch {
      return undefined;
    }
  };
}

function load(supergraphSdl: string): QueryPlanner {
  const native = createRequire(import.meta.url)('@graphql-hive/router-query-planner') as NativePackage;
  return new native.QueryPlanner(supergraphSdl);
}

/** Whether a variable of a fragment's `@skip` or `@include` also decides over another selection. The planner (0.0.38) then fetches a field that is skipped. */
function repeatsCondition(document: DocumentNode): boolean {
  const [ofFields, ofFragments]: [string[], string[]] = [[], []];
  const add =
    (conditions: string[]) =>
    ({ directives = [] }: { readonly directives?: readonly DirectiveNode[] }) => {
      for (const { name, arguments: [argument] = [] } of directives)
        if (/^(skip|include)$/.test(name.value) && argument?.value.kind === Kind.VARIABLE)
          conditions.push(argument.value.name.value);
    };
  visit(document, { Field: add(ofFields), FragmentSpread: add(ofFragments), InlineFragment: add(ofFragments) });
  return new Set(ofFragments).size < ofFragments.length || ofFragments.some((one) => ofFields.includes(one));
}

/** Adds a `__typename` where all fields of an object may be skipped: the planner finds no plan for an object without fields. */
function plannable(document: DocumentNode): DocumentNode {
  const typename: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };
  return visit(document, {
    SelectionSet: (set, _key, parent) => {
      const isRoot = parent !== undefined && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION;
      if (isRoot || set.selections.some(({ directives = [] }) => directives.length === 0)) return undefined;
      return { ...set, selections: [...set.selections, typename] };
    },
  });
}

/** Reads a plan. @throws where the executor does not support a part of it */
export function planOf(node: NativePlan): Plan {
  const [first, ...rest] = node?.kind === 'Sequence' ? node.nodes : [];
  if (node?.kind === 'Subscription') return { subscription: fetchOf(node.primary, []) };
  if (first?.kind !== 'Subscription') return { node: node === null ? undefined : nodeOf(node, []) };
  return { subscription: fetchOf(first.primary, []), node: nodeOf({ kind: 'Sequence', nodes: rest }, []) };
}

/** Converts a node. @param path - path of the objects that it is about, from the root of the response */
function nodeOf(node: NativeNode, path: PlanPath): PlanNode {
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel':
      return { kind: node.kind, nodes: node.nodes.map((one) => nodeOf(one, path)) };
    case 'Fetch':
      return fetchOf(node, path);
    case 'BatchFetch':
      return batchOf(node);
    case 'Flatten':
      return nodeOf(node.node, [...path, ...node.path.map(stepOf)]);
    case 'Condition': {
      const { condition, ifClause, elseClause } = node;
      return {
        kind: 'Condition',
        condition,
        ifTrue: ifClause && nodeOf(ifClause, path),
        ifFalse: elseClause && nodeOf(elseClause, path),
      };
    }
    case 'Subscription':
    case 'Defer':
      throw new Error(`The plan has a node that the executor does not support here: ${node.kind}`);
  }
}

function commonOf({ serviceName, operation, variableUsages }: NativeFetch | BatchFetchNode) {
  return {
    kind: 'Fetch',
    subgraph: serviceName,
    document: parse(operation, { noLocation: true }),
    variables: variableUsages ?? [],
  } as const;
}

function fetchOf(fetch: NativeFetch, path: PlanPath): FetchNode {
  const { requires, inputRewrites = [], outputRewrites = [] } = fetch;
  const rewrites = unambiguous(outputRewrites.map(rewriteOf));
  if (requires === undefined) return { ...commonOf(fetch), entities: [], path, rewrites };
  const request = entityRequest(['_entities', 'representations'], [path], { requires, inputRewrites, outputRewrites });
  return { ...commonOf(fetch), entities: [request], path: [], rewrites: [] };
}

function batchOf(batch: BatchFetchNode): FetchNode {
  const entities = batch.entityBatch.aliases.map(({ alias, representationsVariableName, paths, ...changes }) =>
    entityRequest(
      [alias, representationsVariableName],
      paths.map((path) => path.map(stepOf)),
      changes,
    ),
  );
  return { ...commonOf(batch), entities, path: [], rewrites: [] };
}

type EntityChanges = Pick<NativeFetch, 'inputRewrites' | 'outputRewrites'> & {
  readonly requires: readonly RequiresSelection[];
};

function entityRequest(
  [name, variable]: readonly [string, string],
  paths: readonly PlanPath[],
  { requires, inputRewrites = [], outputRewrites = [] }: EntityChanges,
): EntityRequest {
  return {
    name,
    variable,
    paths,
    requires: requires.map(requirementOf),
    inputRewrites: inputRewrites.map(rewriteOf),
    outputRewrites: unambiguous(outputRewrites.map((rewrite) => withinEntity(rewriteOf(rewrite), name))),
  };
}

/** @throws where one name is to become two: the planner can give one name of its own to two fields, and one of the values would be lost */
function unambiguous(rewrites: readonly DataRewrite[]): readonly DataRewrite[] {
  const names = new Map<string, string>();
  for (const rewrite of rewrites) {
    if (rewrite.kind !== 'rename') continue;
    const place = rewrite.path.filter((step) => typeof step === 'string').join(' ');
    if ((names.get(place) ?? rewrite.name) !== rewrite.name)
      throw new Error('A name of the plan stands for two fields');
    names.set(place, rewrite.name);
  }
  return rewrites;
}

/** Makes a path begin at the entity, where it begins at the data of the fetch. */
function withinEntity(rewrite: DataRewrite, name: string): DataRewrite {
  return rewrite.path[0] === name || rewrite.path[0] === '_entities'
    ? { ...rewrite, path: rewrite.path.slice(1).filter((step) => step !== '@') }
    : rewrite;
}

function stepOf(step: FlattenNodePathSegment): PathStep {
  if (typeof step === 'string') return step;
  return 'Field' in step ? step.Field : { types: step.TypeCondition };
}

function requirementOf(node: RequiresSelection): Requirement {
  if (node.kind === 'Field')
    return { name: node.name, as: node.alias ?? node.name, selections: node.selections?.map(requirementOf) };
  if (node.kind === 'FragmentSpread' || node.skipIf !== undefined || node.includeIf !== undefined)
    throw new Error('The representation of an entity depends on a condition or a named fragment');
  return { type: node.typeCondition, selections: node.selections.map(requirementOf) };
}

function rewriteOf(rewrite: FetchRewrite): DataRewrite {
  if ('KeyRenamer' in rewrite) {
    const { path, renameKeyTo } = rewrite.KeyRenamer;
    return { kind: 'rename', path: path.map(rewriteStepOf), name: renameKeyTo };
  }
  const { path, setValueTo } = 'ValueSetter' in rewrite ? rewrite.ValueSetter : rewrite;
  return { kind: 'set', path: path.map(rewriteStepOf), value: setValueTo };
}

function rewriteStepOf(step: FetchNodePathSegment): PathStep {
  return 'Key' in step ? step.Key : { types: step.TypenameEquals };
}
