export type ChangeResponse = (response: unknown) => void;

type ChangeField = (object: object, name: string) => void;

interface Level {
  readonly names: ReadonlySet<string>;
  readonly below: ReadonlyMap<string, ChangeResponse>;
}

/** Returns a function that changes the fields at the given places: `nextToken`, `items.value`. A place within a list applies to each of its items. */
export function atPlaces(places: readonly string[], change: ChangeField): ChangeResponse {
  const paths = places.map((place) => place.split('.'));
  return paths.length === 0 ? () => undefined : ofLevel(paths, change);
}

/** Replaces the connections at the given places by their nodes, where a document selects only these (`@flatten`); a list is left as it is. */
export function flattenAt(places: readonly string[]): ChangeResponse {
  return atPlaces(places, (object, name) => {
    const connection: unknown = Reflect.get(object, name);
    if (typeof connection !== 'object' || connection === null || Array.isArray(connection)) return;
    Reflect.set(object, name, Reflect.get(connection, 'nodes'));
  });
}

function ofLevel(paths: readonly (readonly string[])[], change: ChangeField): ChangeResponse {
  const inner = new Map<string, string[][]>();
  for (const [name = '', ...rest] of paths.filter(({ length }) => length > 1)) {
    inner.set(name, [...(inner.get(name) ?? []), rest]);
  }
  const level: Level = {
    names: new Set(paths.filter(({ length }) => length === 1).flat()),
    below: new Map([...inner].map(([name, rest]) => [name, ofLevel(rest, change)])),
  };
  return (response) => {
    for (const item of Array.isArray(response) ? (response as unknown[]) : [response]) changeItem(item, level, change);
  };
}

function changeItem(item: unknown, { names, below }: Level, change: ChangeField): void {
  if (typeof item !== 'object' || item === null) return;
  for (const name of names) change(item, name);
  for (const [name, changeBelow] of below) changeBelow(Reflect.get(item, name));
}
