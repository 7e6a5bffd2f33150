import type { FetchNode, PlanNode, SubscriptionNode } from '@apollo/query-planner';
import { parse, type DocumentNode } from 'graphql';

/** All fetches of a plan. */
export function fetchesOf(node: PlanNode | SubscriptionNode | undefined): FetchNode[] {
  switch (node?.kind) {
    case undefined:
    case 'Defer':
      return [];
    case 'Fetch':
      return [node];
    case 'Sequence':
    case 'Parallel':
      return node.nodes.flatMap(fetchesOf);
    case 'Flatten':
      return fetchesOf(node.node);
    case 'Condition':
      return [...fetchesOf(node.ifClause), ...fetchesOf(node.elseClause)];
    case 'Subscription':
      return [node.primary, ...fetchesOf(node.rest)];
  }
}

/** The document of a fetch: the same object each time, since what is compiled for it is found by it. */
export function documentOf(fetch: FetchNode): DocumentNode {
  // The planner is told to hand its documents over; parsing is for the type's sake.
  fetch.operationDocumentNode ??= parse(fetch.operation);
  return fetch.operationDocumentNode;
}
