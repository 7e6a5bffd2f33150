import { operationFromDocument, type Supergraph } from '@apollo/federation-internals';
import {
  QueryPlanner,
  type FetchDataRewrite,
  type FetchNode as ApolloFetch,
  type PlanNode as ApolloNode,
  type QueryPlanSelectionNode,
} from '@apollo/query-planner';
import { parse } from 'graphql';
import { ApiError } from '../shared/errors.js';
import type { DataRewrite, FetchNode, PathStep, PlanNode, PlanPath, Plans, Requirement } from './plan.js';

/** Apollo's query planner, which is created when it is first needed. The function throws for a document that it cannot plan. */
export function apolloPlans(supergraph: Supergraph): Plans {
  const api = supergraph.apiSchema();
  let planner: QueryPlanner | undefined;
  return (document) => {
    planner ??= new QueryPlanner(supergraph, { exposeDocumentNodeInFetchNode: true });
    const { node } = planner.buildQueryPlan(operationFromDocument(api, document));
    if (node?.kind !== 'Subscription') return { node: node && nodeOf(node, []) };
    return { subscription: fetchOf(node.primary, []), node: node.rest && nodeOf(node.rest, []) };
  };
}

/** Converts a node. @param path - path of the objects that it is about, from the root of the response */
function nodeOf(node: ApolloNode, path: PlanPath): PlanNode {
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel':
      return { kind: node.kind, nodes: node.nodes.map((one) => nodeOf(one, path)) };
    case 'Fetch':
      return fetchOf(node, path);
    case 'Flatten':
      return nodeOf(node.node, [...path, ...node.path.map(String)]);
    case 'Condition': {
      const { condition, ifClause, elseClause } = node;
      return {
        kind: 'Condition',
        condition,
        ifTrue: ifClause && nodeOf(ifClause, path),
        ifFalse: elseClause && nodeOf(elseClause, path),
      };
    }
    case 'Defer':
      throw new Error('The plan has a deferred node, which the executor does not support');
  }
}

function fetchOf(fetch: ApolloFetch, path: PlanPath): FetchNode {
  if (fetch.contextRewrites !== undefined) {
    const message = 'This gateway does not support @fromContext: select other fields';
    throw new ApiError('BAD_REQUEST', { message });
  }
  const { requires, inputRewrites = [], outputRewrites = [] } = fetch;
  const common = {
    kind: 'Fetch',
    subgraph: fetch.serviceName,
    // The planner is configured to provide its documents; parsing only satisfies the type.
    document: fetch.operationDocumentNode ?? parse(fetch.operation),
    operation: fetch.operationKind,
    variables: fetch.variableUsages ?? [],
  } as const;
  const rewrites = outputRewrites.map(rewriteOf);
  if (requires === undefined) return { ...common, entities: [], path, rewrites };
  const entities = {
    name: '_entities',
    variable: 'representations',
    paths: [path],
    requires: requires.map(requirementOf),
    inputRewrites: inputRewrites.map(rewriteOf),
    outputRewrites: rewrites,
  };
  return { ...common, entities: [entities], path: [], rewrites: [] };
}

function requirementOf(node: QueryPlanSelectionNode): Requirement {
  if (node.kind === 'Field') {
    const name = node.alias ?? node.name;
    return { name, as: name, selections: node.selections?.map(requirementOf) };
  }
  return { type: node.typeCondition, selections: node.selections.map(requirementOf) };
}

const fragmentPrefix = '... on ';

function rewriteOf(rewrite: FetchDataRewrite): DataRewrite {
  const path = rewrite.path.map((step): PathStep =>
    step.startsWith(fragmentPrefix) ? { types: [step.slice(fragmentPrefix.length)] } : step,
  );
  return rewrite.kind === 'ValueSetter'
    ? { kind: 'set', path, value: rewrite.setValueTo }
    : { kind: 'rename', path, name: rewrite.renameKeyTo };
}
