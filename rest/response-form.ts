/** Brings a response into the documented form, in place. */
export type Form = (response: unknown) => void;

/** Places of the fields of a response, such as `nextToken` or `items.interestPercentage`: a place within a list applies to each of its items. */
export interface MarkedPlaces {
  /** Fields that are left out where they are null: the contract calls a few fields absent, and every other one is `null`. */
  readonly omitted: readonly string[];
  /** Decimals that the contract has as JSON numbers. */
  readonly numbers: readonly string[];
}

/** Returns the function that makes the documented form of a response out of the graph's result. */
export function formOf({ omitted, numbers }: MarkedPlaces): Form {
  const forms = [formAt(omitted, leaveOut), formAt(numbers, toNumber)].filter((form) => form !== undefined);
  return (response) => {
    for (const form of forms) form(response);
  };
}

type Change = (owner: object, name: string) => void;

const leaveOut: Change = (owner, name) => {
  if (Reflect.get(owner, name) === null) Reflect.deleteProperty(owner, name);
};

/** A decimal of up to 15 digits is exact as a JSON number. */
const toNumber: Change = (owner, name) => {
  const value: unknown = Reflect.get(owner, name);
  if (typeof value === 'string') Reflect.set(owner, name, Number(value));
};

/** The fields of one level that are changed, and the levels below it. */
interface Level {
  readonly names: ReadonlySet<string>;
  readonly below: ReadonlyMap<string, Form>;
}

function formAt(places: readonly string[], change: Change): Form | undefined {
  return places.length === 0
    ? undefined
    : ofLevel(
        places.map((place) => place.split('.')),
        change,
      );
}

function ofLevel(paths: readonly (readonly string[])[], change: Change): Form {
  const inner = new Map<string, string[][]>();
  for (const [name = '', ...rest] of paths.filter(({ length }) => length > 1)) {
    inner.set(name, [...(inner.get(name) ?? []), rest]);
  }
  const level: Level = {
    names: new Set(paths.filter(({ length }) => length === 1).flat()),
    below: new Map([...inner].map(([name, rest]) => [name, ofLevel(rest, change)])),
  };
  return (response) => {
    for (const item of Array.isArray(response) ? (response as unknown[]) : [response]) apply(item, level, change);
  };
}

function apply(item: unknown, { names, below }: Level, change: Change): void {
  if (typeof item !== 'object' || item === null) return;
  for (const name of names) change(item, name);
  for (const [name, form] of below) form(Reflect.get(item, name));
}
