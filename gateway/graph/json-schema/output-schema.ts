import {
  getNullableType,
  GraphQLFloat,
  GraphQLNonNull,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLEnumType,
} from 'graphql';
import { scalarSchema, type Dialect, type JsonSchema } from './json-schema.js';
import {
  applicable,
  isMarked,
  ownDescription,
  selectedFields,
  valueOf,
  type Selected,
  type Selections,
  type Source,
} from './selections.js';

export function outputSchemas(dialect: Dialect) {
  /** Returns the schema of a field's value, without null where the field is left out instead. */
  const field = (source: Source, parent: GraphQLObjectType, occurrences: readonly Selected[]): JsonSchema => {
    const node = occurrences[0]?.node;
    const name = node?.name.value ?? '';
    if (name === '__typename') return { type: 'string', const: parent.name };
    const definition = parent.getFields()[name];
    if (node === undefined || definition === undefined) throw new Error(`${parent.name} has no field ${name}`);
    const value = valueOf(source, parent, occurrences);
    if (value === undefined) throw new Error(`${parent.name} has no field ${name}`);
    const schemaOf = isMarked(node, 'omitNull') ? present : possiblyNull;
    const type = formOf(node, value.type);
    return dialect.described(schemaOf(source, type, value.selections), ownDescription(node) ?? definition.description);
  };

  const possiblyNull = (source: Source, type: GraphQLOutputType, selections: readonly Selections[]): JsonSchema =>
    isNonNullType(type) ? present(source, type, selections) : dialect.orNull(present(source, type, selections));

  /** Returns the schema without null, whether or not the type is nullable. */
  const present = (source: Source, type: GraphQLOutputType, selections: readonly Selections[]): JsonSchema => {
    if (isNonNullType(type)) return present(source, type.ofType, selections);
    if (isListType(type)) return { type: 'array', items: possiblyNull(source, type.ofType, selections) };
    if (isScalarType(type)) return scalarSchema(type.name);
    if (isEnumType(type)) return dialect.enumeration(type);
    const only = onlyFragment(source, type, selections);
    if (only === undefined) return composite(source, type, selections);
    const below = [{ set: only.selectionSet, sometimes: false }];
    return dialect.fragment(only, type, () => composite(source, type, below));
  };

  const composite = (
    source: Source,
    type: GraphQLObjectType | GraphQLAbstractType,
    selections: readonly Selections[],
  ): JsonSchema => (isObjectType(type) ? object(source, type, selections) : alternatives(source, type, selections));

  const alternatives = (source: Source, type: GraphQLAbstractType, selections: readonly Selections[]): JsonSchema => {
    const byForm = new Map<string, { readonly type: GraphQLObjectType; readonly schema: JsonSchema }>();
    for (const possible of source.schema.getPossibleTypes(type)) {
      const schema = present(source, possible, selections);
      const form = JSON.stringify(schema);
      if (!byForm.has(form)) byForm.set(form, { type: possible, schema });
    }
    const found = [...byForm.values()];
    const [first] = found;
    return first !== undefined && found.length === 1 ? first.schema : dialect.oneOf(found);
  };

  const object = (source: Source, type: GraphQLObjectType, selections: readonly Selections[]): JsonSchema => {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const [key, occurrences] of selectedFields(source, type, selections)) {
      properties[key] = field(source, type, occurrences);
      const always = occurrences.some(({ node, sometimes }) => !sometimes && !isMarked(node, 'omitNull'));
      if (always) required.push(key);
    }
    return { type: 'object', required, properties };
  };

  return present;
}

function formOf(node: FieldNode, type: GraphQLOutputType): GraphQLOutputType {
  if (isMarked(node, 'number')) return numberFor(type, node.name.value);
  return isMarked(node, 'lowerCase') ? lowerCaseFor(type, node.name.value) : type;
}

/** Returns an enum whose values are in lower case. @throws {Error} for a field of another type */
function lowerCaseFor(type: GraphQLOutputType, field: string): GraphQLOutputType {
  const named = getNullableType(type);
  if (!isEnumType(named)) throw new Error(`${field} is no enum: @lowerCase is for enums`);
  const lower = lowerCaseEnum(named);
  return isNonNullType(type) ? new GraphQLNonNull(lower) : lower;
}

/** Returns the type of a Decimal that a response has as a JSON number. @throws {Error} for a field of another type */
function numberFor(type: GraphQLOutputType, field: string): GraphQLOutputType {
  if (getNullableType(type).toString() !== 'Decimal')
    throw new Error(`${field} is no Decimal: @number is for decimals`);
  return isNonNullType(type) ? new GraphQLNonNull(GraphQLFloat) : GraphQLFloat;
}

/** Returns the named fragment that is everything selected in a value of a type; undefined where there are further selections. */
function onlyFragment(
  source: Source,
  type: GraphQLObjectType | GraphQLAbstractType,
  selections: readonly Selections[],
): FragmentDefinitionNode | undefined {
  const [only, ...others] = selections;
  if (only === undefined || others.length > 0) return undefined;
  const [node, ...more] = only.set.selections.filter((one) => applicable(source, type, one));
  if (node === undefined || more.length > 0 || node.kind === Kind.FIELD || node.directives?.length !== 0)
    return undefined;
  if (node.kind === Kind.FRAGMENT_SPREAD) return source.fragments.get(node.name.value);
  return onlyFragment(source, type, [{ set: node.selectionSet, sometimes: false }]);
}

export function lowerCaseEnum(type: GraphQLEnumType): GraphQLEnumType {
  const { values, ...config } = type.toConfig();
  const lower = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const);
  return new GraphQLEnumType({ ...config, values: Object.fromEntries(lower) });
}
