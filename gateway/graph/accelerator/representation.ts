import { isAbstractType, isInterfaceType, type GraphQLSchema } from 'graphql';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { isPlain, merge, own, put, type Data } from './merge.js';
import type { Requirement } from './plan.js';

export interface Representations {
  /** Returns equal texts for equal representations only; undefined where fields are unknown, or the entity has another type. */
  readonly keyOf: (entity: Data) => string | undefined;
  readonly represent: (entity: Data) => Data | undefined;
}

interface Field {
  readonly name: string;
  readonly as: string;
  readonly plain: boolean;
  readonly selections: readonly Selection[] | undefined;
}

interface Fragment {
  readonly types: ReadonlySet<unknown>;
  readonly selections: readonly Selection[];
}

type Selection = Field | Fragment;

export function compileRepresentation(schema: GraphQLSchema, requires: readonly Requirement[]): Representations {
  const selections = selectionsOf(schema, requires);
  const flatFields = flatFieldsOf(selections);
  const represent = (entity: Data): Data | undefined => {
    const representation = selected(entity, selections);
    return representation !== null && Boolean(representation['__typename']) ? representation : undefined;
  };
  return {
    represent,
    keyOf: (entity) => {
      const fields = flatFields(entity['__typename']);
      if (fields !== undefined) return flatKey(entity, fields);
      const representation = represent(entity);
      return representation && JSON.stringify(representation);
    },
  };
}

/** Returns an entity's key fields if they are type name and plain values, as nearly always: keys are then found without the representation. */
function flatFieldsOf(selections: readonly Selection[]): (typename: unknown) => readonly Field[] | undefined {
  const fragments = selections.filter((one) => 'types' in one);
  const byTypename = new Map<unknown, readonly Field[] | undefined>();
  for (const typename of new Set(fragments.flatMap(({ types }) => [...types]))) {
    const [fragment, ...others] = fragments.filter(({ types }) => types.has(typename));
    const fields = (fragment?.selections ?? []).filter(
      (one) => 'name' in one && one.plain && one.selections === undefined,
    ) as readonly Field[];
    const isFlat = others.length === 0 && fields.length === fragment?.selections.length;
    if (isFlat && fields.some(({ as }) => as === '__typename')) byTypename.set(typename, fields);
  }
  return fragments.length === selections.length ? (typename) => byTypename.get(typename) : () => undefined;
}

function flatKey(entity: Data, fields: readonly Field[]): string | undefined {
  let key = '';
  for (const { name } of fields) {
    const value = entity[name];
    if (value === undefined) return undefined;
    // With its length, a text cannot be taken for two.
    key += typeof value === 'string' ? `${value.length}:${value}` : `${JSON.stringify(value)};`;
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
