import type { FieldNode } from 'graphql';
import type { CostNode, Items, ListSize } from './cost-tree.js';

/** What makes an operation expensive, and what to do about it. */
export interface Advice {
  /** The field with the largest share of the cost, by its place in the operation: `operations.nodes.payments`. */
  readonly path: string;
  readonly field: FieldNode;
  /** Names the field and its share of the cost. */
  readonly dearest: string;
  /** Says what to lower. */
  readonly remedy: string;
}

/** The value of an argument for the size of a list. */
export interface RequestedSize {
  readonly argument: string;
  readonly value: number;
  /** Whether the request leaves the argument out. */
  readonly isDefault: boolean;
}

interface Costs {
  readonly items: Items;
  /** Returns the sizes that the request asks for in a list. */
  readonly requestedOf: (size: ListSize) => readonly RequestedSize[];
  /** Returns what a field itself costs once. */
  readonly onceOf: (node: CostNode, items: Items) => number;
  /** Returns the cost of the operation with other numbers of items. */
  readonly totalBy: (items: Items) => number;
  /** The cost that is to be reached. */
  readonly limit: number;
}

/** A list, with the fields of its items that are no lists themselves. */
interface Part {
  readonly path: readonly string[];
  readonly field: FieldNode;
  /** The lists around it and itself, from the innermost, as far as an argument says how many items they have. */
  readonly sized: readonly Sized[];
  points: number;
}

interface Sized {
  readonly path: readonly string[];
  readonly size: ListSize;
}

/** A list, and the number to which its size should be lowered. */
interface Lowering extends Sized {
  readonly to: number;
}

/** Maximum number of alternatives that a message lists. */
const maxAlternatives = 2;
/** Number of steps between 0 and 1 in which a common factor of several sizes is found. */
const factorSteps = 4096;

/** Returns the field of an operation that costs most, and the arguments to lower; undefined where no field has a cost. */
export function adviceOn(nodes: readonly CostNode[], costs: Costs): Advice | undefined {
  const [first] = nodes;
  if (first === undefined) return undefined;
  const total = costs.totalBy(costs.items);
  const parts = partsOf(nodes, costs);
  let dearest: Part = { path: [first.name], field: first.field, sized: [], points: 0 };
  for (const part of parts) if (part.points > dearest.points) dearest = part;
  const path = dearest.path.join('.');
  const share = Math.floor((100 * dearest.points) / total);
  const lists = parts.flatMap(({ sized: [own], path: place }) => (own?.path === place ? [own.size] : []));
  return {
    path,
    field: dearest.field,
    dearest: `${path} is ${share} % of it`,
    remedy: remedyFor(dearest, lists, costs),
  };
}

function partsOf(nodes: readonly CostNode[], { items, onceOf }: Costs): readonly Part[] {
  const parts: Part[] = [];
  /** Adds the cost of fields, which `times` objects have, and returns it for one of them. */
  const visit = (
    fields: readonly CostNode[],
    times: number,
    around: Pick<Part, 'path' | 'sized'>,
    owner?: Part,
  ): number => {
    let each = 0;
    for (const node of fields) {
      const { size, leastOfItem, field, name, points, children } = node;
      const path = [...around.path, name];
      const sized = size?.argument === undefined ? around.sized : [{ path, size }, ...around.sized];
      const part = size !== undefined || owner === undefined ? { path, field, sized, points: 0 } : owner;
      if (part !== owner) parts.push(part);
      const count = size === undefined ? 1 : items(size);
      // The items of a field without a cost have none either.
      const paid = points === 0 ? 0 : count;
      const inner = visit(children, times * paid, { path, sized }, part);
      const item = Math.max(leastOfItem, inner);
      part.points += times * points + times * paid * (item - inner) + onceOf(node, items);
      each += points + paid * item;
    }
    return each;
  };
  visit(nodes, 1, { path: [], sized: [] });
  return parts;
}

/** Says which arguments to lower: one of them, else those around the dearest field together, else all of the operation. */
function remedyFor({ sized, path }: Part, lists: readonly ListSize[], costs: Costs): string {
  const own = path.join('.');
  const alone = sized.flatMap((one) => loweredAlone(one, costs) ?? []).slice(0, maxAlternatives);
  if (alone.length > 0) return `lower ${alone.map((one) => textOf(one, own, costs)).join(', or ')}`;
  const together = loweredTogether(sized, costs);
  if (together !== undefined) return `lower ${together.map((one) => textOf(one, own, costs)).join(', and ')}`;
  return loweredEverywhere(lists, costs) ?? 'select fewer fields, or send them in several requests';
}

function textOf({ path, size, to }: Lowering, own: string, { requestedOf }: Costs): string {
  const place = path.join('.');
  const parts = requestedOf(size)
    .filter(({ value }) => value > to)
    .map(({ argument, value, isDefault }, index) => {
      const owner = index === 0 ? ` of ${place === own ? 'it' : place}` : '';
      return `"${argument}"${owner} from ${isDefault ? 'its default of ' : ''}${value}`;
    });
  return `${parts.join(' and ')} to at most ${to}`;
}

/** Lowers one size until the operation is within the limit; undefined where that does not suffice. */
function loweredAlone(one: Sized, { items, totalBy, limit }: Costs): Lowering | undefined {
  const fits = (to: number) => totalBy(withItems(items, new Map([[one.size, to]]))) <= limit;
  const to = largest(items(one.size) - 1, fits);
  return to === undefined ? undefined : { ...one, to };
}

/** Lowers several sizes by one factor until the operation is within the limit; undefined where that does not suffice. */
function loweredTogether(sized: readonly Sized[], { items, totalBy, limit }: Costs): readonly Lowering[] | undefined {
  const by = (steps: number) =>
    sized.map((one) => ({ ...one, to: Math.max(1, Math.floor((items(one.size) * steps) / factorSteps)) }));
  const fits = (steps: number) =>
    totalBy(withItems(items, new Map(by(steps).map(({ size, to }) => [size, Math.min(to, items(size))])))) <= limit;
  const steps = largest(factorSteps - 1, fits);
  return steps === undefined ? undefined : by(steps).filter(({ size, to }) => to < items(size));
}

/** Lowers all sizes of the operation to one number, as for many aliases with equal shares; undefined where that does not suffice. */
function loweredEverywhere(
  lists: readonly ListSize[],
  { items, requestedOf, totalBy, limit }: Costs,
): string | undefined {
  const sizes = new Set(lists);
  const fits = (to: number) => totalBy((size) => (sizes.has(size) ? Math.min(items(size), to) : items(size))) <= limit;
  const to = largest(Math.max(0, ...lists.map((size) => items(size))) - 1, fits);
  if (to === undefined) return undefined;
  const above = lists.flatMap(requestedOf).filter(({ value }) => value > to);
  const names = [...new Set(above.map(({ argument }) => `"${argument}"`))].sort();
  const defaults = above.some(({ isDefault }) => isDefault) ? ', also where its default is larger' : '';
  return `lower each ${names.join(' and ')} of the operation to at most ${to}${defaults}`;
}

/** Returns the largest number from 1 to `most` that fits; undefined where not even 1 does. Where a number fits, every smaller one does. */
function largest(most: number, fits: (value: number) => boolean): number | undefined {
  if (most < 1 || !fits(1)) return undefined;
  let [low, high] = [1, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function withItems(items: Items, others: ReadonlyMap<ListSize, number>): Items {
  return (size) => others.get(size) ?? items(size);
}
