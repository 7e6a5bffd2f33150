import { slicer } from '../../../shared/turns.js';

/**
 * Parts records into groups that each hold at least `k` persons, by Mondrian (K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian
 * Multidimensional k-Anonymity, ICDE 2006): the group is cut where it is widest, at the cut that is nearest to the median, for as long as
 * both sides keep `k` persons. Persons are counted, not records (L. Sweeney: k-Anonymity, 2002, counts a record a person).
 */
export interface Records {
  /** How many records there are. Each of the other lists has so many items. */
  readonly size: number;
  /** Whom each record is about: small numbers, not negative. */
  readonly persons: readonly number[];
  /** What groups are cut by. Of equally wide dimensions the first goes first. */
  readonly dimensions: readonly Dimension[];
}

/**
 * Something that all records have, as a whole number each.
 * - `ORDERED`: a band; the groups of a cut are below it and from it on
 * - `NAMED`: a name, of which nothing is published where a group has several: the groups of a cut are one name and all others
 */
export interface Dimension {
  readonly kind: 'ORDERED' | 'NAMED';
  readonly values: readonly number[];
}

/** Numbers of records. */
export type Group = readonly number[];

type Sides = readonly [Group, Group];

/** Counts the persons of the first of some groups, of the first two, and so on. */
type CountPersons = (groups: readonly Group[]) => number[];

/**
 * The groups, each with at least `k` persons; none where there are fewer than `k` in all. Every record is in one. The same records
 * make the same groups. Others have their turn meanwhile.
 */
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

/** The dimensions that a group has several values of, the widest first, each compared with the whole. */
function byWidth(dimensions: readonly Dimension[], group: Group, wholeWidths: readonly number[]): Dimension[] {
  return dimensions
    .map((dimension, at) => ({ dimension, width: widthOf(dimension, group) / (wholeWidths[at] ?? 1) }))
    .filter(({ width }) => width > 0)
    .sort((left, right) => right.width - left.width)
    .map(({ dimension }) => dimension);
}

/** The two sides of the first cut that leaves `k` persons on both; undefined where none does. */
function cut(group: Group, dimensions: readonly Dimension[], count: CountPersons, k: number): Sides | undefined {
  // A cut needs twice as many records as persons: most groups that are done are seen here.
  if (group.length < 2 * k) return undefined;
  for (const dimension of dimensions) {
    const parts = partsOf(dimension, group);
    const sides = dimension.kind === 'ORDERED' ? nearMedian(parts, count, k) : oneName(parts, count, k);
    if (sides !== undefined) return sides;
  }
  return undefined;
}

/** How little a group says about a dimension: 0 where it has one value. */
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
  // Gini's impurity: how often two records drawn from the group have different names.
  const counts: number[] = [];
  for (const at of group) {
    const value = values[at] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return 1 - counts.reduce((total, records) => total + (records / group.length) ** 2, 0);
}

/** The records of a group by their value, in the order of the values. */
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

/** The first parts, as near to half of the records as can be, and the others. */
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

/** The largest part that has `k` persons and leaves as many to the others, and the others. */
function oneName(parts: readonly Group[], count: CountPersons, k: number): Sides | undefined {
  for (const part of parts.toSorted((left, right) => right.length - left.length)) {
    // None of those that follow is larger.
    if (part.length < k) return undefined;
    const others = parts.filter((other) => other !== part).flat();
    if ((count([part])[0] ?? 0) >= k && (count([others])[0] ?? 0) >= k) return [part, others];
  }
  return undefined;
}

function personCounter(persons: readonly number[]): CountPersons {
  // Who was seen is marked with the number of the count, so that nothing has to be cleared between two counts.
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
