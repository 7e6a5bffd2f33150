import { Kind, OperationTypeNode, type GraphQLSchema } from 'graphql';
import { isRecord } from '../../../shared/kernel/is-record.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import type { Prepared } from '../operation.js';
import { costTree, type Amount, type CostNode, type Items } from './cost-tree.js';

/** Minimum cost of a subscription: it begins with a read, often a long one, that none of its fields shows. */
const leastOfSubscription = 10;
const pastPoints = 100;

export interface LargestList {
  /** Its place in the operation, as `operations.nodes.payments`. */
  readonly path: string;
  readonly argument: string;
  readonly items: number;
}

export interface OperationCost {
  /** Returns the cost of a run in which every list has as many items as it can have. */
  requested(variables: Variables): number;
  actual(variables: Variables, data: unknown): number;
  /** Returns the cost of one event of a subscription, by the items that came; at least 1. */
  ofEvent(variables: Variables, data: unknown): number;
  /** Returns the list of a run to make smaller; undefined where no argument says how many items there are. */
  largest(variables: Variables): LargestList | undefined;
}

/**
 * Compiles the cost of an operation.
 * A field that has fields costs 1, and its items times what they cost. Items are counted by the arguments `first`, `last` or `limit`; the items of such a list cost at least 1 each; the lists directly within such a field hold the same
 * items and are not counted again; any other list is taken to have the size that its schema declares, or else ten items. Both sides of a choice between
 * types are counted. A field that is given `asOf` costs 100 more, once: it is read together for all items around it. The minimum is 1, and 10 for a subscription.
 */
export function costOf(schema: GraphQLSchema, prepared: Prepared): OperationCost {
  const { operation } = prepared;
  const nodes = costTree(schema, prepared);
  const defaults = defaultCounts(operation);
  const least = operation.operation === OperationTypeNode.SUBSCRIPTION ? leastOfSubscription : 1;
  const given = (variables: Variables) => ({ ...defaults, ...variables });
  const itemsWith =
    (variables: Variables): Items =>
    ({ items }) =>
      amountOf(items, variables);
  const total = (variables: Variables) =>
    Math.max(least, eachOf(nodes, itemsWith(variables)) + onceOf(nodes, variables));
  // Most documents have no variable that changes their cost.
  const fixed = nodes.some(isVariable) ? undefined : total(defaults);
  const hasLists = nodes.some(withinOrSelf(({ size }) => size !== undefined));
  const requested = (variables: Variables) => fixed ?? total(given(variables));
  const came = (variables: Variables, data: unknown) => actualOf(nodes, data) + onceOf(nodes, given(variables));

  return {
    requested,
    actual: (variables, data) => (hasLists ? Math.max(least, came(variables, data)) : requested(variables)),
    ofEvent: (variables, data) => Math.max(1, came(variables, data)),
    largest: (variables) => largestIn(nodes, itemsWith(given(variables))),
  };
}

function largestIn(nodes: readonly CostNode[], items: Items, around: readonly string[] = []): LargestList | undefined {
  let found: LargestList | undefined;
  for (const { name, size, children } of nodes) {
    const path = [...around, name];
    const own =
      size?.argument === undefined ? undefined : { path: path.join('.'), argument: size.argument, items: items(size) };
    for (const one of [own, largestIn(children, items, path)])
      if (one !== undefined && (found === undefined || one.items > found.items)) found = one;
  }
  return found;
}

function eachOf(nodes: readonly CostNode[], items: Items): number {
  let sum = 0;
  for (const { points, size, leastOfItem, children } of nodes) {
    sum += points;
    if (points === 0) continue;
    sum += (size === undefined ? 1 : items(size)) * Math.max(leastOfItem, eachOf(children, items));
  }
  return sum;
}

/** Returns the part of the cost that fields have only once, however many objects they are read for. */
function onceOf(nodes: readonly CostNode[], variables: Variables): number {
  let sum = 0;
  for (const { past, children } of nodes) sum += pastPoints * amountOf(past, variables) + onceOf(children, variables);
  return sum;
}

function actualOf(nodes: readonly CostNode[], object: unknown): number {
  if (!isRecord(object)) return 0;
  let sum = 0;
  for (const node of nodes) {
    const value = object[node.name];
    if (value === undefined) continue;
    if (!node.countedAbove) sum += node.points;
    if (Array.isArray(value)) sum += actualOfList(node, value);
    else sum += actualOf(node.children, value);
  }
  return sum;
}

function actualOfList(node: CostNode, items: readonly unknown[]): number {
  const { children, countedAbove, leastOfItem } = node;
  if (children.length === 0) return items.length * (countedAbove ? 1 : leastOfItem);
  let sum = 0;
  for (const item of items) {
    const inner = Array.isArray(item) ? actualOfList(node, item) : actualOf(children, item);
    sum += countedAbove ? 1 + inner : Math.max(leastOfItem, inner);
  }
  return sum;
}

function amountOf(amount: Amount, variables: Variables): number {
  return 'value' in amount ? amount.value : amount.of(variables);
}

const isVariable = withinOrSelf(({ size, past }) => 'of' in past || (size !== undefined && 'of' in size.items));

function withinOrSelf(is: (node: CostNode) => boolean): (node: CostNode) => boolean {
  const found = (node: CostNode): boolean => is(node) || node.children.some(found);
  return found;
}

/** Returns the defaults of the variables that could be numbers of items. */
function defaultCounts({ variableDefinitions = [] }: Prepared['operation']): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  );
}
