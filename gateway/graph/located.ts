import { GraphQLError, Kind, type FieldNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';
import type { GraphResult } from '../../shared/subgraph/executor.js';
import type { Path } from './merge-errors.js';
import type { Prepared } from './operation.js';

/** Adds `locations` to each error of a result that has a path: the position of its field in the caller's document. */
export function located(response: GraphResult, prepared: Prepared): GraphResult {
  const { errors } = response;
  if (errors === undefined) return response;
  return { ...response, errors: errors.map((error) => withLocation(error, prepared)) };
}

function withLocation(error: GraphQLError, prepared: Prepared): GraphQLError {
  const { message, path, extensions } = error;
  const field = path === undefined || error.locations !== undefined ? undefined : fieldAt(prepared, path);
  return field === undefined ? error : new GraphQLError(message, { nodes: field, path, extensions });
}

/** Finds the field of a document that a path in its data leads to; where several fields are merged there, the first. */
function fieldAt({ document, operation }: Prepared, path: Path): FieldNode | undefined {
  const fragments = new Map(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  let sets: readonly SelectionSetNode[] = [operation.selectionSet];
  let found: FieldNode | undefined;
  for (const key of path) {
    if (typeof key === 'number') continue;
    const fields = sets.flatMap((set) => fieldsIn(set, fragments)).filter((one) => responseKey(one) === key);
    [found] = fields;
    sets = fields.flatMap(({ selectionSet }) => selectionSet ?? []);
  }
  return found;
}

function fieldsIn(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FieldNode[] {
  return selections.flatMap((one) => {
    if (one.kind === Kind.FIELD) return one;
    const set = one.kind === Kind.INLINE_FRAGMENT ? one.selectionSet : fragments.get(one.name.value)?.selectionSet;
    return set === undefined ? [] : fieldsIn(set, fragments);
  });
}

function responseKey({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}
