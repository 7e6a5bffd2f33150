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

interface Costs {
  readonly items: Items;
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
  readonly argument: string;
}

/** An argument, and the number to which it should be lowered. */
interface Lowering extends Sized {
  readonly to: number;
}

/** Maximum number of alternatives that a message lists. */
const maxAlternatives = 2;
/** Number of steps in which a common factor of several arguments is found. */
const factorSteps = 12;

/** Returns the field of an operation that costs most, and the arguments to lower; undefined where no field has a cost. */
export function adviceOn(nodes: readonly CostNode[], costs: Costs): Advice | undefined {
  const [first] = nodes;
  if (first === undefined) return undefined;
  const total = costs.totalBy(costs.items);
  let dearest: Part = { path: [first.name], field: first.field, sized: [], points: 0 };
  for (const part of partsOf(nodes, costs)) if (part.points > dearest.points) dearest = part;
  const path = dearest.path.join('.');
  const share = Math.floor((100 * dearest.points) / total);
  return { path, field: dearest.field, dearest: `${path} is ${share} % of it`, remedy: remedyFor(dearest, costs) };
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
      const { argument } = size ?? {};
      const sized =
        size === undefined || argument === undefined ? around.sized : [{ path, size, argument }, ...around.sized];
      const part = size !== undefined || owner === undefined ? { path, field, sized, points: 0 } : owner;
      if (part !== owner) parts.push(part);
      const count = size === undefined ? 1 : items(size);
      const inner = visit(children, times * count, { path, sized }, part);
      const item = Math.max(leastOfItem, inner);
      part.points += times * points + times * count * (item - inner) + onceOf(node, items);
      each += points + count * item;
    }
    return each;
  };
  visit(nodes, 1, { path: [], sized: [] });
  return parts;
}

/** Says which arguments to lower: one of them, else all of them together. */
function remedyFor({ sized, path }: Part, costs: Costs): string {
  const own = path.join('.');
  const alone = sized.flatMap((one) => loweredAlone(one, costs) ?? []).slice(0, maxAlternatives);
  if (alone.length > 0) return `lower ${alone.map((one) => textOf(one, own, costs)).join(', or ')}`;
  const together = loweredTogether(sized, costs);
  if (together === undefined) return 'select fewer fields, or send them in several requests';
  return `lower ${together.map((one) => textOf(one, own, costs)).join(', and ')}`;
}

function textOf({ argument, path, size, to }: Lowering, own: string, { items }: Costs): string {
  const place = path.join('.');
  return `"${argument}" of ${place === own ? 'it' : place} from ${items(size)} to at most ${to}`;
}

/** Lowers one argument until the operation is within the limit; undefined where that does not suffice. The cost is linear in each argument. */
function loweredAlone(one: Sized, costs: Costs): Lowering | undefined {
  const { items, totalBy, limit } = costs;
  const value = items(one.size);
  const without = totalBy(withItems(items, new Map([[one.size, 0]])));
  const ofOne = (totalBy(items) - without) / value;
  const to = Math.floor((limit - without) / ofOne);
  return to >= 1 && to < value ? { ...one, to } : undefined;
}

/** Lowers several arguments by one factor until the operation is within the limit; undefined where that does not suffice. */
function loweredTogether(sized: readonly Sized[], { items, totalBy, limit }: Costs): readonly Lowering[] | undefined {
  const by = (factor: number) =>
    sized.map((one) => ({ ...one, to: Math.max(1, Math.floor(items(one.size) * factor)) }));
  const fits = (lowered: readonly Lowering[]) =>
    totalBy(withItems(items, new Map(lowered.map(({ size, to }) => [size, to])))) <= limit;
  if (sized.length === 0 || !fits(by(0))) return undefined;
  let [low, high] = [0, 1];
  for (let step = 0; step < factorSteps; step += 1) {
    const middle = (low + high) / 2;
    if (fits(by(middle))) low = middle;
    else high = middle;
  }
  return by(low).filter(({ size, to }) => to < items(size));
}

function withItems(items: Items, others: ReadonlyMap<ListSize, number>): Items {
  return (size) => others.get(size) ?? items(size);
}
