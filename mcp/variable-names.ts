import { Kind, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode, type ValueNode } from 'graphql';
import type { ErrorDetail } from '../shared/kernel/errors.js';
import { responseKey } from '../gateway/graph/operation-file.js';

/** The variable of a document that an argument of the graph gets, by the path of the argument: `filter.text` gets `$texto`. */
export type VariableNames = ReadonlyMap<string, string>;

/** The variables of the arguments of each field, by its place in the response: `operationDetail.documents`. */
export type PlacedVariables = ReadonlyMap<string, VariableNames>;

/** Returns the variables of all fields that have some. Errors of the graph name its arguments, and the agent knows only those of the tool. */
export function placedVariables(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  path: readonly string[] = [],
): PlacedVariables {
  return new Map(
    selections.flatMap((node) => {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(node.name.value);
        return fragment === undefined ? [] : [...placedVariables(fragment.selectionSet, fragments, path)];
      }
      const place = node.kind === Kind.FIELD ? [...path, responseKey(node)] : path;
      const own = node.kind === Kind.FIELD ? variablesOf(node) : new Map<string, string>();
      const below = node.selectionSet === undefined ? [] : placedVariables(node.selectionSet, fragments, place);
      return own.size === 0 ? [...below] : [[place.join('.'), own] as const, ...below];
    }),
  );
}

function variablesOf({ arguments: given = [] }: FieldNode): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name, value } of given) collect(name.value, value, names);
  return names;
}

function collect(path: string, value: ValueNode, names: Map<string, string>): void {
  if (value.kind === Kind.VARIABLE) names.set(path, value.name.value);
  if (value.kind !== Kind.OBJECT) return;
  for (const field of value.fields) collect(`${path}.${field.name.value}`, field.value, names);
}

/**
 * Translates an error of an argument into the tool's own names, in its path and in its message: `to must not be before \`from\`` becomes
 * `ate must not be before \`de\``, and `filter.types[0]` becomes `tipo[0]`. What no variable stands for is returned unchanged.
 * @param place the path of the field that failed, as the graph reports it
 */
export function inToolNames(
  places: PlacedVariables,
  place: readonly unknown[],
  { path, message }: ErrorDetail,
): ErrorDetail {
  const names = places.get(place.filter((step) => typeof step === 'string').join('.')) ?? new Map<string, string>();
  const beside = path.slice(0, path.lastIndexOf('.') + 1);
  return {
    path: translated(names, path),
    message: message.replace(/`(\w+)`/g, (quoted, name: string) => {
      const own = names.get(beside + name);
      return own === undefined ? quoted : `\`${own}\``;
    }),
  };
}

function translated(names: VariableNames, path: string): string {
  for (const [of, name] of names) {
    if (path === of || path.startsWith(`${of}.`) || path.startsWith(`${of}[`)) return name + path.slice(of.length);
  }
  return path;
}
