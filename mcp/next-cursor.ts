import { Kind, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';
import { isRecord } from '../shared/kernel/is-record.js';
import { responseKey } from '../gateway/graph/operation-file.js';
import type { JsonSchema } from '../gateway/graph/json-schema/json-schema.js';

/** A list in a result that gets `nextCursor`. */
export interface CursorPlace {
  readonly path: readonly string[];
  /** Response key of the `pageInfo` that is replaced; undefined for a page with `page`, `limit` and `total`. */
  readonly pageInfo: string | undefined;
}

/** Finds the fields with `@nextCursor` in the selections of a result. */
export function cursorPlaces(
  set: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  path: string[] = [],
): CursorPlace[] {
  return (set?.selections ?? []).flatMap((node) => {
    if (node.kind === Kind.INLINE_FRAGMENT) return cursorPlaces(node.selectionSet, fragments, path);
    if (node.kind === Kind.FRAGMENT_SPREAD)
      return cursorPlaces(fragments.get(node.name.value)?.selectionSet, fragments, path);
    if (node.directives?.some(({ name }) => name.value === 'nextCursor'))
      return [{ path, pageInfo: node.selectionSet === undefined ? undefined : responseKey(node) }];
    return cursorPlaces(node.selectionSet, fragments, [...path, responseKey(node)]);
  });
}

/** Returns a result with `nextCursor` at every place: the argument `cursor` of the next page, null on the last one. */
export function withNextCursors(
  result: Record<string, unknown>,
  places: readonly CursorPlace[],
): Record<string, unknown> {
  return places.reduce((value, { path, pageInfo }) => at(value, path, (page) => withCursor(page, pageInfo)), result);
}

function at(
  value: Record<string, unknown>,
  [key, ...rest]: readonly string[],
  change: (value: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> {
  if (key === undefined) return change(value);
  const below = value[key];
  return isRecord(below) ? { ...value, [key]: at(below, rest, change) } : value;
}

function withCursor(page: Record<string, unknown>, pageInfo: string | undefined): Record<string, unknown> {
  if (pageInfo !== undefined) {
    const { [pageInfo]: info, ...rest } = page;
    return isRecord(info) ? { ...rest, nextCursor: cursorOf(info) } : page;
  }
  const { page: number, limit, total } = page;
  if (typeof number !== 'number' || typeof limit !== 'number' || typeof total !== 'number') return page;
  return { ...page, nextCursor: number * limit < total ? number + 1 : null };
}

/** A list that is read from its end on selects the fields of the other direction. */
function cursorOf(info: Readonly<Record<string, unknown>>): unknown {
  if (info['hasNextPage'] === true) return info['endCursor'];
  return info['hasPreviousPage'] === true ? info['startCursor'] : null;
}

const description = 'The argument cursor of the next page; null on the last page';

/** Returns the schema of a result with `nextCursor` at every place. */
export function withCursorSchemas<T extends JsonSchema>(schema: T, places: readonly CursorPlace[]): T {
  return places.reduce((changed, { path, pageInfo }) => schemaAt(changed, path, pageInfo), schema);
}

function schemaAt<T extends JsonSchema>(schema: T, path: readonly string[], pageInfo: string | undefined): T {
  const { anyOf, properties } = schema;
  if (anyOf !== undefined) return { ...schema, anyOf: anyOf.map((one) => schemaAt(one, path, pageInfo)) };
  if (properties === undefined) return schema;
  const [key, ...rest] = path;
  if (key === undefined) return withCursorSchema(schema, properties, pageInfo);
  const below = properties[key];
  return below === undefined
    ? schema
    : { ...schema, properties: { ...properties, [key]: schemaAt(below, rest, pageInfo) } };
}

function withCursorSchema<T extends JsonSchema>(
  schema: T,
  properties: Readonly<Record<string, JsonSchema>>,
  pageInfo: string | undefined,
): T {
  const replaced = pageInfo ?? 'total';
  if (properties[replaced] === undefined) return schema;
  const kept = Object.entries(properties).filter(([key]) => key !== pageInfo);
  const type = pageInfo === undefined ? ['integer', 'null'] : ['string', 'null'];
  const { required = [] } = schema;
  const always = required.includes(replaced) ? ['nextCursor'] : [];
  return {
    ...schema,
    properties: { ...Object.fromEntries(kept), nextCursor: { type, description } },
    required: [...required.filter((key) => key !== pageInfo), ...always],
  };
}
