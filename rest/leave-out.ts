/** Removes fields from a response, in place. */
export type LeaveOut = (response: unknown) => void;

/** The fields of one level that are left out when null, and the levels below it. */
interface Level {
  readonly names: ReadonlySet<string>;
  readonly below: ReadonlyMap<string, LeaveOut>;
}

/**
 * Returns a function that leaves out the fields at the given places (`nextToken`, `items.interestPercentage`) where they have no value: the contract
 * calls a few fields absent, and every other one is `null`. A place within a list applies to each of its items.
 */
export function leaverOut(places: readonly string[]): LeaveOut {
  const paths = places.map((place) => place.split('.'));
  return paths.length === 0 ? () => undefined : ofLevel(paths);
}

function ofLevel(paths: readonly (readonly string[])[]): LeaveOut {
  const inner = new Map<string, string[][]>();
  for (const [name = '', ...rest] of paths.filter(({ length }) => length > 1)) {
    inner.set(name, [...(inner.get(name) ?? []), rest]);
  }
  const level: Level = {
    names: new Set(paths.filter(({ length }) => length === 1).flat()),
    below: new Map([...inner].map(([name, rest]) => [name, ofLevel(rest)])),
  };
  return (response) => {
    for (const item of Array.isArray(response) ? (response as unknown[]) : [response]) clear(item, level);
  };
}

function clear(item: unknown, { names, below }: Level): void {
  if (typeof item !== 'object' || item === null) return;
  for (const name of names) if (Reflect.get(item, name) === null) Reflect.deleteProperty(item, name);
  for (const [name, leaveOut] of below) leaveOut(Reflect.get(item, name));
}
