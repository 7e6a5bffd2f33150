import { Kind, OperationTypeNode, type GraphQLSchema } from 'graphql';
import { isRecord } from '../../shared/is-record.js';
import type { Variables } from '../../shared/subgraph/variables.js';
import type { Prepared } from '../graph/operation.js';
import { adviceOn, type Advice } from './cost-advice.js';
import { costTree, type Amount, type CostNode, type Items, type ListSize } from './cost-tree.js';

/** Minimum cost of a subscription: it begins with a read, often a long one, that none of its fields shows. */
const leastOfSubscription = 10;
/** Additional cost of a field that is given a past moment. */
const pastPoints = 100;
/** Additional cost of a field of corrections, besides a point for each requested item. */
const searchPoints = 50;

/** Number of items of the root fields that are counted, by name, where it is known. */
export type KnownSizes = ReadonlyMap<string, number>;

/** The cost of an operation in points, as a function of the variables of a run. */
export interface OperationCost {
  /** Names of the selected root fields whose number of items can be known. */
  readonly countedLists: readonly string[];
  /** Returns the cost of a run in which every list has as many items as it can have. */
  requested(variables: Variables, known?: KnownSizes): number;
  /** Returns the cost of a run by the items that came. */
  actual(variables: Variables, data: unknown): number;
  /** Returns the cost of one event of a subscription, by the items that came; at least 1. */
  ofEvent(variables: Variables, data: unknown): number;
  /** Says which field of a run costs most, and which arguments to lower so that the run costs at most `limit`. */
  advice(variables: Variables, known: KnownSizes | undefined, limit: number): Advice | undefined;
}

/**
 * Compiles the cost of an operation.
 * A field that has fields costs 1, and its items times what they cost. Items are counted by the arguments `first`, `last` or `limit`, but not beyond the
 * number of items that a counted root field has; the items of such a list cost at least 1 each; the lists directly within such a field hold the same
 * items and are not counted again; any other list is taken to have the size that its schema declares, or else ten items. Both sides of a choice between
 * types are counted. A field that is given `asOf` costs 100 more, once: it is read together for all items around it. A field of corrections
 * costs 50 more, and 1 for each item. The minimum is 1, and 10 for a subscription.
 * @param counted names of the root fields whose number of items can be known
 */
export function costOf(
  schema: GraphQLSchema,
  prepared: Prepared,
  counted: ReadonlySet<string> = new Set(),
): OperationCost {
  const { operation } = prepared;
  const nodes = costTree(schema, prepared, counted);
  const defaults = defaultCounts(operation);
  const least = operation.operation === OperationTypeNode.SUBSCRIPTION ? leastOfSubscription : 1;
  const countedLists = nodes.flatMap(({ size }) => size?.counted ?? []);
  const given = (variables: Variables) => ({ ...defaults, ...variables });
  const total = (variables: Variables, items: Items) =>
    Math.max(least, eachOf(nodes, items) + onceOf(nodes, variables, items));
  const itemsWith =
    (variables: Variables, known: KnownSizes | undefined): Items =>
    (size) =>
      itemsOf(size, variables, known);
  // Most documents have no variable that changes their cost.
  const fixed =
    countedLists.length > 0 || nodes.some(isVariable) ? undefined : total(defaults, itemsWith(defaults, undefined));
  const hasLists = nodes.some(withinOrSelf(({ size }) => size !== undefined));
  const requested = (variables: Variables, known?: KnownSizes) => {
    if (fixed !== undefined) return fixed;
    const own = given(variables);
    return total(own, itemsWith(own, known));
  };

  const came = (variables: Variables, data: unknown) => {
    const own = given(variables);
    return actualOf(nodes, data) + onceOf(nodes, own, itemsWith(own, undefined));
  };

  return {
    countedLists,
    requested,
    actual: (variables, data) => (hasLists ? Math.max(least, came(variables, data)) : requested(variables)),
    ofEvent: (variables, data) => Math.max(1, came(variables, data)),
    advice: (variables, known, limit) => {
      const own = given(variables);
      return adviceOn(nodes, {
        items: itemsWith(own, known),
        requestedOf: ({ items, argument = '', given }) => {
          const sizes = given.flatMap((one) => {
            const value = one.of(own);
            return value === undefined ? [] : [{ argument: one.argument, value, isDefault: false }];
          });
          return sizes.length > 0 ? sizes : [{ argument, value: amountOf(items, own), isDefault: true }];
        },
        onceOf: (node, items) => onceOf([{ ...node, children: [] }], own, items),
        totalBy: (items) => total(own, items),
        limit,
      });
    },
  };
}

/** Returns the cost of fields for one object around them, without what they cost once. */
function eachOf(nodes: readonly CostNode[], items: Items): number {
  let sum = 0;
  for (const { points, size, leastOfItem, children } of nodes) {
    sum += points;
    if (points === 0) continue;
    sum += (size === undefined ? 1 : items(size)) * Math.max(leastOfItem, eachOf(children, items));
  }
  return sum;
}

/** Returns what fields cost once, however many objects they are read for. */
function onceOf(nodes: readonly CostNode[], variables: Variables, items: Items): number {
  let sum = 0;
  for (const { past, searches, size, children } of nodes) {
    sum += pastPoints * amountOf(past, variables) + onceOf(children, variables, items);
    if (searches) sum += searchPoints + (size === undefined ? 1 : items(size));
  }
  return sum;
}

/** Returns the cost of fields by the values that they have in an object. */
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

function itemsOf({ items, counted }: ListSize, variables: Variables, known: KnownSizes | undefined): number {
  const asked = amountOf(items, variables);
  const bound = counted === undefined ? undefined : known?.get(counted);
  return bound === undefined ? asked : Math.min(asked, Math.max(1, bound));
}

function amountOf(amount: Amount, variables: Variables): number {
  return 'value' in amount ? amount.value : amount.of(variables);
}

const isVariable = withinOrSelf(({ size, past }) => 'of' in past || (size !== undefined && 'of' in size.items));

/** Whether a field, or one below it, is of a kind. */
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
