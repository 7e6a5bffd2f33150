import type { FetchNode, PlanNode, SubscriptionNode } from '@apollo/query-planner';
import { parse, type DocumentNode } from 'graphql';

/** Returns all fetches of a plan. */
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

/** Returns the document of a fetch, always the same object, since compiled values are looked up by it. */
export function documentOf(fetch: FetchNode): DocumentNode {
  // The planner is configured to provide its documents; parsing only satisfies the type.
  fetch.operationDocumentNode ??= parse(fetch.operation);
  return fetch.operationDocumentNode;
}
