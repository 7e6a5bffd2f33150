import { Kind, type FieldNode, type ValueNode } from 'graphql';

/**
 * Which argument of the tool feeds which argument of the graph: `filter.text` is fed by `$texto`. The graph tells errors by
 * its own names, and the agent knows only those of the tool.
 */
export function fedArguments({ arguments: given = [] }: FieldNode): ReadonlyMap<string, string> {
  const fed = new Map<string, string>();
  for (const { name, value } of given) collect(name.value, value, fed);
  return fed;
}

function collect(path: string, value: ValueNode, fed: Map<string, string>): void {
  if (value.kind === Kind.VARIABLE) fed.set(path, value.name.value);
  if (value.kind !== Kind.OBJECT) return;
  for (const field of value.fields) collect(`${path}.${field.name.value}`, field.value, fed);
}

/** A path of the graph in the tool's own names: `filter.types[0]` as `tipo[0]`; one that nothing feeds stays as it is. */
export function asFed(fed: ReadonlyMap<string, string>, path: string): string {
  for (const [of, name] of fed) {
    if (path === of || path.startsWith(`${of}.`) || path.startsWith(`${of}[`)) return name + path.slice(of.length);
  }
  return path;
}
