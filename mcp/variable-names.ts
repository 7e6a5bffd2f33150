import { Kind, type FieldNode, type ValueNode } from 'graphql';

/** The variable of a document that an argument of the graph gets, by the path of the argument: `filter.text` gets `$texto`. */
export type VariableNames = ReadonlyMap<string, string>;

/** Returns the variables of a field's arguments. Errors of the graph name its arguments, and the agent knows only those of the tool. */
export function variableNames({ arguments: given = [] }: FieldNode): VariableNames {
  const names = new Map<string, string>();
  for (const { name, value } of given) collect(name.value, value, names);
  return names;
}

function collect(path: string, value: ValueNode, names: Map<string, string>): void {
  if (value.kind === Kind.VARIABLE) names.set(path, value.name.value);
  if (value.kind !== Kind.OBJECT) return;
  for (const field of value.fields) collect(`${path}.${field.name.value}`, field.value, names);
}

/** Translates a path of the graph into the tool's own names: `filter.types[0]` becomes `tipo[0]`; a path without a variable is returned unchanged. */
export function inToolNames(names: VariableNames, path: string): string {
  for (const [of, name] of names) {
    if (path === of || path.startsWith(`${of}.`) || path.startsWith(`${of}[`)) return name + path.slice(of.length);
  }
  return path;
}
