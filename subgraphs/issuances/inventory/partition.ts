/**
 * Parts records into groups that each hold at least `k` persons, by Mondrian (K. LeFevre, D. DeWitt, R. Ramakrishnan: Mondrian
 * Multidimensional k-Anonymity, ICDE 2006): the group is cut where it is widest, at the cut that is nearest to the median, for as long as
 * both sides keep `k` persons. Persons are counted, not records (L. Sweeney: k-Anonymity, 2002, counts a record a person).
 */
export interface Records {
  /** How many records there are. Each of the other arrays has so many items. */
  readonly size: number;
  /** Whom each record is about. */
  readonly persons: ArrayLike<number>;
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
  readonly values: ArrayLike<number>;
}

/** Numbers of records, in their order. */
export type Group = readonly number[];

/**
 * The groups, each with at least `k` persons; none where there are fewer than `k` in all. Every record is in one. The same records
 * make the same groups, whatever else is known of them.
 */
export function partition(records: Records, k: number): Group[] {
  const whole = Array.from({ length: records.size }, (_, at) => at);
  if (countPersons(records, whole) < k) return [];
  const widths = records.dimensions.map((dimension) => widthOf(dimension, whole));
  const done: Group[] = [];
  const open: Group[] = [whole];
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    const sides = cut(records, group, widths, k);
    if (sides === undefined) done.push(group);
    else open.push(...sides);
  }
  return done;
}

/** The two sides of the best cut; undefined where no cut leaves `k` persons on both. */
function cut(records: Records, group: Group, wholeWidths: readonly number[], k: number): [Group, Group] | undefined {
  const widest = records.dimensions
    .map((dimension, at) => ({ dimension, width: widthOf(dimension, group) / (wholeWidths[at] ?? 1) }))
    .filter(({ width }) => width > 0)
    .sort((left, right) => right.width - left.width);
  for (const { dimension } of widest) {
    const parts = partsOf(dimension, group);
    const first = dimension.kind === 'ORDERED' ? lowerSide(records, parts, k) : oneName(records, parts, k);
    if (first === undefined) continue;
    const chosen = new Set(first.flat());
    return [group.filter((at) => chosen.has(at)), group.filter((at) => !chosen.has(at))];
  }
  return undefined;
}

/** How much a group says little about a dimension: 0 where it has one value. */
function widthOf({ kind, values }: Dimension, group: Group): number {
  if (kind === 'ORDERED') {
    let [from, to] = [Infinity, -Infinity];
    for (const at of group) [from, to] = [Math.min(from, values[at] ?? 0), Math.max(to, values[at] ?? 0)];
    return to - from;
  }
  const counts = new Map<number, number>();
  for (const at of group) counts.set(values[at] ?? 0, (counts.get(values[at] ?? 0) ?? 0) + 1);
  // Gini's impurity: how often two records drawn from the group have different names.
  return 1 - [...counts.values()].reduce((total, count) => total + (count / group.length) ** 2, 0);
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

/** The first parts, about half of the records, where they and the others have `k` persons each. */
function lowerSide(records: Records, parts: readonly Group[], k: number): Group[] | undefined {
  const below = personsUpTo(records, parts);
  const above = personsUpTo(records, parts.toReversed()).reverse();
  const half = parts.reduce((total, part) => total + part.length, 0) / 2;
  let best: { readonly count: number; readonly distance: number } | undefined;
  let size = 0;
  for (let count = 1; count < parts.length; count += 1) {
    size += parts[count - 1]?.length ?? 0;
    const distance = Math.abs(size - half);
    const holds = (below[count - 1] ?? 0) >= k && (above[count] ?? 0) >= k;
    if (holds && (best === undefined || distance < best.distance)) best = { count, distance };
  }
  return best === undefined ? undefined : parts.slice(0, best.count);
}

/** How many persons the first part has, the first two, and so on. */
function personsUpTo({ persons }: Records, parts: readonly Group[]): number[] {
  const seen = new Set<number>();
  return parts.map((part) => {
    for (const at of part) seen.add(persons[at] ?? 0);
    return seen.size;
  });
}

/** The largest part that has `k` persons and leaves as many to the others. */
function oneName(records: Records, parts: readonly Group[], k: number): Group[] | undefined {
  const bySize = parts.toSorted((left, right) => right.length - left.length);
  const found = bySize.find((part) => {
    if (countPersons(records, part) < k) return false;
    return countPersons(records, parts.filter((other) => other !== part).flat()) >= k;
  });
  return found === undefined ? undefined : [found];
}

/** How many persons some records are about. */
export function countPersons({ persons }: Pick<Records, 'persons'>, group: Group): number {
  return new Set(group.map((at) => persons[at] ?? 0)).size;
}
