import { isAbstractType, isInterfaceType, type GraphQLSchema } from 'graphql';
import { isRecord } from '../shared/is-record.js';
import { isPlain, merge, own, put, type Data } from './merge.js';
import type { Requirement } from './plan.js';

/** Returns the representation that a subgraph needs of an entity; undefined where too few of its fields are known, or it has another type. */
export type Represent = (entity: Data) => Data | undefined;

type Selection =
  | {
      readonly name: string;
      readonly as: string;
      readonly plain: boolean;
      readonly selections: readonly Selection[] | undefined;
    }
  | { readonly types: ReadonlySet<unknown>; readonly selections: readonly Selection[] };

/** Compiles the representations of entities from the fields that a fetch requires. */
export function compileRepresentation(schema: GraphQLSchema, requires: readonly Requirement[]): Represent {
  const selections = selectionsOf(schema, requires);
  return (entity) => {
    const representation = selected(entity, selections);
    return representation !== null && Boolean(representation['__typename']) ? representation : undefined;
  };
}

/** Returns a text that is the same for equal representations only. Most have a few texts. */
export function keyOf(representation: Data): string {
  let key = '';
  for (const name of Object.keys(representation)) {
    const value = representation[name];
    // Lengths keep apart what values with separators in them could mix.
    const text = typeof value === 'string' ? `s${value}` : JSON.stringify(value);
    key += `${name}:${text.length}:${text}`;
  }
  return key;
}

function selectionsOf(schema: GraphQLSchema, requires: readonly Requirement[]): Selection[] {
  return requires.map((one) =>
    'name' in one
      ? {
          name: one.name,
          as: one.as,
          plain: isPlain(one.name),
          selections: one.selections && selectionsOf(schema, one.selections),
        }
      : { types: typesUnder(schema, one.type), selections: selectionsOf(schema, one.selections) },
  );
}

/** Returns the names of the types that a type condition applies to. */
export function typesUnder(schema: GraphQLSchema, condition: string | undefined): ReadonlySet<unknown> {
  const type = condition === undefined ? undefined : schema.getType(condition);
  if (type === undefined) return new Set();
  const under = isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  const interfaces = isInterfaceType(type) ? schema.getImplementations(type).interfaces : [];
  return new Set([type, ...under, ...interfaces].map(({ name }) => name));
}

/** Returns the required fields; null as soon as one is unknown. Within a fragment, only the fragment's part is left out then. */
function selected(source: unknown, selections: readonly Selection[]): Data | null {
  if (!isRecord(source)) return null;
  const result: Data = {};
  for (const selection of selections) {
    if ('types' in selection) {
      const part = selection.types.has(source['__typename']) ? selected(source, selection.selections) : null;
      if (part !== null) merge(result, part);
      continue;
    }
    const value = selection.plain ? source[selection.name] : own(source, selection.name);
    if (value === undefined) return null;
    put(result, selection.as, selection.selections === undefined ? value : within(value, selection.selections));
  }
  return result;
}

function within(value: unknown, selections: readonly Selection[]): unknown {
  return Array.isArray(value) ? value.map((item) => selected(item, selections)) : selected(value, selections);
}
