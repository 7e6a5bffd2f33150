import {
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { described, leafSchema, orNull, type JsonSchema } from './json-schema.js';
import { selectedFields, selectionsBelow, type Selected, type Selections, type Source } from './selections.js';

/**
 * Returns the schema of a field's value: of exactly the fields that are selected below it, with the types, nullability and descriptions
 * of the graph.
 */
export function outputSchema(source: Source, parent: GraphQLObjectType, occurrences: readonly Selected[]): JsonSchema {
  const name = occurrences[0]?.node.name.value ?? '';
  if (name === '__typename') return { type: 'string', const: parent.name };
  const field = parent.getFields()[name];
  if (field === undefined) throw new Error(`${parent.name} has no field ${name}`);
  return described(typeSchema(source, field.type, selectionsBelow(occurrences)), field.description);
}

function typeSchema(source: Source, type: GraphQLOutputType, selections: readonly Selections[]): JsonSchema {
  if (isNonNullType(type)) return valueSchema(source, type, selections);
  return orNull(valueSchema(source, type, selections));
}

/** Returns the schema without null, whether or not the type is nullable. */
function valueSchema(source: Source, type: GraphQLOutputType, selections: readonly Selections[]): JsonSchema {
  const nullable: GraphQLOutputType = getNullableType(type);
  if (isListType(nullable)) return { type: 'array', items: typeSchema(source, nullable.ofType, selections) };
  if (isAbstractType(nullable)) return alternativesSchema(source, nullable, selections);
  if (isObjectType(nullable)) return objectSchema(source, nullable, selections);
  if (isLeafType(nullable)) return leafSchema(nullable);
  throw new Error(`${String(type)} is not an output type`);
}

/** Returns one alternative for each of the possible types that the selections distinguish. */
function alternativesSchema(source: Source, type: GraphQLAbstractType, selections: readonly Selections[]): JsonSchema {
  const alternatives = new Map<string, GraphQLObjectType>();
  for (const possible of source.schema.getPossibleTypes(type)) {
    const form = JSON.stringify(objectSchema(source, possible, selections));
    if (!alternatives.has(form)) alternatives.set(form, possible);
  }
  const types = [...alternatives.values()];
  const [only] = types;
  if (only !== undefined && types.length === 1) return objectSchema(source, only, selections);
  return { anyOf: types.map((one) => described(objectSchema(source, one, selections), one.description)) };
}

function objectSchema(source: Source, type: GraphQLObjectType, selections: readonly Selections[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [key, occurrences] of selectedFields(source, type, selections)) {
    properties[key] = outputSchema(source, type, occurrences);
    if (occurrences.some(({ sometimes }) => !sometimes)) required.push(key);
  }
  return { type: 'object', properties, required };
}
