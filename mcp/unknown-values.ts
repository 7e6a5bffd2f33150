import { Kind, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';
import { cut } from '../shared/kernel/echo.js';
import { isRecord } from '../shared/kernel/is-record.js';
import { responseKey } from '../gateway/graph/operation-file.js';

export interface UnknownPlace {
  readonly path: readonly string[];
  readonly tool: string;
}

const mostNamed = 10;

/** Finds the fields with `@foundBy`. */
export function unknownPlaces(
  set: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  path: readonly string[] = [],
): UnknownPlace[] {
  return (set?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.INLINE_FRAGMENT) return unknownPlaces(node.selectionSet, fragments, path);
    if (node.kind === Kind.FRAGMENT_SPREAD)
      return unknownPlaces(fragments.get(node.name.value)?.selectionSet, fragments, path);
    const place = [...path, responseKey(node)];
    const tool = toolOf(node);
    return tool === undefined ? unknownPlaces(node.selectionSet, fragments, place) : [{ path: place, tool }];
  });
}

function toolOf({ directives = [] }: FieldNode): string | undefined {
  const marked = directives.find(({ name }) => name.value === 'foundBy');
  const value = marked?.arguments?.[0]?.value;
  return value?.kind === Kind.STRING ? value.value : undefined;
}

/** Returns a sentence for each list of unknown values that is not empty. */
export function unknownHints(data: unknown, places: readonly UnknownPlace[]): string[] {
  return places.flatMap(({ path, tool }) => {
    const found = path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), data);
    const values: readonly unknown[] = Array.isArray(found) ? found : [];
    if (values.length === 0) return [];
    const named = values.slice(0, mostNamed).map((value) => cut(String(value)));
    const more = values.length > mostNamed ? ` and ${values.length - mostNamed} more` : '';
    return [`Not found, and left out: ${named.join(', ')}${more}. Call ${tool} to find the tickers that exist.`];
  });
}
