import { Kind, type FieldNode, type ValueNode } from 'graphql';

/**
 * Maps arguments of the graph to the tool's arguments that feed them: `filter.text` is fed by `$texto`. Errors of the graph
 * use the graph's names, and the agent knows only those of the tool.
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

/** Translates a path of the graph into the tool's own names: `filter.types[0]` becomes `tipo[0]`; a path that no argument feeds is returned unchanged. */
export function asFed(fed: ReadonlyMap<string, string>, path: string): string {
  for (const [of, name] of fed) {
    if (path === of || path.startsWith(`${of}.`) || path.startsWith(`${of}[`)) return name + path.slice(of.length);
  }
  return path;
}
