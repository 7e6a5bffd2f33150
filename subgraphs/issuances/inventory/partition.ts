import { slicer } from '../../../shared/kernel/turns.js';

/**
 * Splits records into groups that each contain at least `k` persons, by Mondrian (K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian
 * Multidimensional k-Anonymity, ICDE 2006): a group is cut along its widest dimension, at the cut nearest to the median, as long as both
 * sides keep `k` persons. Counts persons, not records (L. Sweeney: k-Anonymity, 2002, assumes one record per person).
 */
export interface Records {
  /** Number of records, and length of each of the other lists. */
  readonly size: number;
  /** The person of each record: small integers, not negative. */
  readonly persons: readonly number[];
  /** Dimensions to cut groups by. If several are equally wide, the first has precedence. */
  readonly dimensions: readonly Dimension[];
}

/**
 * An attribute of all records, as one integer each.
 * - `ORDERED`: a band; a cut separates lower values from the others
 * - `NAMED`: a name, which is not published for groups with several names; a cut separates one name from all others
 */
export interface Dimension {
  readonly kind: 'ORDERED' | 'NAMED';
  readonly values: readonly number[];
}

export type Group = readonly number[];

type Sides = readonly [Group, Group];

/** Counts the distinct persons of the first group, of the first two groups, and so on. */
type CountPersons = (groups: readonly Group[]) => number[];

/** Makes groups of at least `k` persons; none if there are fewer in all. Every record is in one group. Deterministic; yields to other requests while it runs. */
export async function partition({ size, persons, dimensions }: Records, k: number): Promise<Group[]> {
  const whole = Array.from({ length: size }, (_, at) => at);
  const count = personCounter(persons);
  if ((count([whole])[0] ?? 0) < k) return [];
  const widths = dimensions.map((dimension) => widthOf(dimension, whole));
  const done: Group[] = [];
  const open: Group[] = [whole];
  const slice = slicer();
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    if (slice.isOver()) await slice.next();
    const sides = cut(group, byWidth(dimensions, group, widths), count, k);
    if (sides === undefined) done.push(group);
    else open.push(...sides);
  }
  return done;
}

/** Returns the dimensions in which a group has several values, widest first, each relative to the whole. */
function byWidth(dimensions: readonly Dimension[], group: Group, wholeWidths: readonly number[]): Dimension[] {
  return dimensions
    .map((dimension, at) => ({ dimension, width: widthOf(dimension, group) / (wholeWidths[at] ?? 1) }))
    .filter(({ width }) => width > 0)
    .sort((left, right) => right.width - left.width)
    .map(({ dimension }) => dimension);
}

/** Returns the two sides of the first cut that leaves `k` persons on both; undefined if there is none. */
function cut(group: Group, dimensions: readonly Dimension[], count: CountPersons, k: number): Sides | undefined {
  // A cut needs at least twice as many records as persons; most finished groups stop here.
  if (group.length < 2 * k) return undefined;
  for (const dimension of dimensions) {
    const parts = partsOf(dimension, group);
    const sides = dimension.kind === 'ORDERED' ? nearMedian(parts, count, k) : oneName(parts, count, k);
    if (sides !== undefined) return sides;
  }
  return undefined;
}

/** Returns the width of a dimension within a group: 0 if it has one value. */
function widthOf({ kind, values }: Dimension, group: Group): number {
  if (kind === 'ORDERED') {
    let [from, to] = [Infinity, -Infinity];
    for (const at of group) {
      const value = values[at] ?? 0;
      if (value < from) from = value;
      if (value > to) to = value;
    }
    return to - from;
  }
  // Gini impurity: the probability that two records drawn from the group have different names.
  const counts: number[] = [];
  for (const at of group) {
    const value = values[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return 1 - counts.reduce((total, records) => total + (records / group.length) ** 2, 0);
}

function partsOf({ values }: Dimension, group: Group): Group[] {
  const parts = new Map<number, number[]>();
  for (const at of group) {
    const value = values[at] ?? 0;
    const part = parts.get(value);
    if (part === undefined) parts.set(value, [at]);
    else part.push(at);
  }
  return [...parts].sort(([left], [right]) => left - right).map(([, part]) => part);
}

/** Returns the first parts, as near to half of the records as possible, and the others. */
function nearMedian(parts: readonly Group[], count: CountPersons, k: number): Sides | undefined {
  const below = count(parts);
  const above = count(parts.toReversed()).reverse();
  const half = parts.reduce((total, part) => total + part.length, 0) / 2;
  let best: { readonly end: number; readonly distance: number } | undefined;
  let size = 0;
  for (let end = 1; end < parts.length; end += 1) {
    size += parts[end - 1]?.length ?? 0;
    const distance = Math.abs(size - half);
    const holds = (below[end - 1] ?? 0) >= k && (above[end] ?? 0) >= k;
    if (holds && (best === undefined || distance < best.distance)) best = { end, distance };
  }
  return best === undefined ? undefined : [parts.slice(0, best.end).flat(), parts.slice(best.end).flat()];
}

/** Returns the largest part that has `k` persons and leaves as many to the others, and the others. */
function oneName(parts: readonly Group[], count: CountPersons, k: number): Sides | undefined {
  for (const part of parts.toSorted((left, right) => right.length - left.length)) {
    // The following parts are not larger.
    if (part.length < k) return undefined;
    const others = parts.filter((other) => other !== part).flat();
    if ((count([part])[0] ?? 0) >= k && (count([others])[0] ?? 0) >= k) return [part, others];
  }
  return undefined;
}

function personCounter(persons: readonly number[]): CountPersons {
  // Persons already counted are marked with the number of the count, so that nothing has to be reset between two counts.
  const seenIn: number[] = [];
  let counts = 0;
  return (groups) => {
    counts += 1;
    let seen = 0;
    return groups.map((group) => {
      for (const at of group) {
        const person = persons[at] ?? 0;
        if (seenIn[person] === counts) continue;
        seenIn[person] = counts;
        seen += 1;
      }
      return seen;
    });
  };
}
