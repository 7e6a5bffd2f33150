import { Kind, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode, type ValueNode } from 'graphql';
import type { ErrorDetail } from '../../shared/kernel/errors.js';
import { isRecord } from '../../shared/kernel/is-record.js';
import { responseKey } from './operation-file.js';

/** The variable of a document that an argument of the graph gets, by the path of the argument: `filter.text` gets `$texto`. */
export type VariableNames = ReadonlyMap<string, string>;

/** The variables of the arguments of each field, by its place in the response: `operationDetail.documents`. */
export type PlacedVariables = ReadonlyMap<string, VariableNames>;

/** Returns the variables of all fields that have some. Errors of the graph name its arguments, and who calls a path or a tool knows only the variables. */
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
 * `to must not be before \`from\`` becomes `ate must not be before \`de\``, and `filter.types[0]` becomes `tipo[0]`; anything else is unchanged.
 * @param thrown the error of the graph, whose `path` is the place of the field that failed; the first field with variables where it has none
 */
export function inVariableNames(
  places: PlacedVariables,
  thrown: unknown,
  details: readonly ErrorDetail[],
): ErrorDetail[] {
  const names = places.get(placeOf(thrown) ?? [...places.keys()][0] ?? '') ?? new Map<string, string>();
  return details.map((detail) => {
    const { path, message } = detail;
    const beside = path.slice(0, path.lastIndexOf('.') + 1);
    return {
      ...detail,
      path: translated(names, path),
      message: message.replace(/`(\w+)`/g, (quoted, name: string) => {
        const own = names.get(beside + name);
        return own === undefined ? quoted : `\`${own}\``;
      }),
    };
  });
}

function placeOf(thrown: unknown): string | undefined {
  const path: unknown = isRecord(thrown) ? thrown['path'] : undefined;
  if (!Array.isArray(path) || path.length === 0) return undefined;
  return path.filter((step) => typeof step === 'string').join('.');
}

function translated(names: VariableNames, path: string): string {
  for (const [of, name] of names) {
    if (path === of || path.startsWith(`${of}.`) || path.startsWith(`${of}[`)) return name + path.slice(of.length);
  }
  return path;
}
