import {
  getNullableType,
  isCompositeType,
  isNonNullType,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import type { JsonSchema } from '../gateway/json-schema/json-schema.js';
import { outputSchemas } from '../gateway/json-schema/output-schema.js';
import { isConditional, selectionsBelow, sourceOf, type Source } from '../gateway/json-schema/selections.js';
import { responseKey, type OperationRoots } from '../gateway/operation-file.js';
import { agentSchemas, type ObjectSchema } from './json-schema.js';
import type { GraphQLSchema } from 'graphql';

const schemas = outputSchemas(agentSchemas);

/**
 * Returns the schema of a tool's result: the value of the first root field, so that the agent does not have to unwrap it, and the values of
 * the others under their keys.
 */
export function resultSchema(schema: GraphQLSchema, { document, root, first, others }: OperationRoots): ObjectSchema {
  const source = sourceOf(schema, document);
  const field = root.getFields()[first.name.value];
  if (field === undefined || !isCompositeType(getNullableType(field.type)))
    throw new Error(`${first.name.value} must return an object: the protocol supports no other result`);
  // A null at the root is reported as a tool error, and alternatives at the root are all objects.
  const result = schemas(source, field.type, selectionsBelow([{ node: first, sometimes: false }]));
  const described: ObjectSchema = { ...agentSchemas.described(result, field.description), type: 'object' };
  return others.reduce((whole, node) => withRoot(whole, source, root, node), described);
}

function withRoot(whole: ObjectSchema, source: Source, root: GraphQLObjectType, node: FieldNode): ObjectSchema {
  const field = root.getFields()[node.name.value];
  const key = responseKey(node);
  const { properties, required = [] } = whole;
  if (field === undefined || properties === undefined || Object.hasOwn(properties, key))
    throw new Error(`${key} cannot be added to the result of the first root field: it needs another alias`);
  const value = agentSchemas.described(rootSchema(source, field.type, node), field.description);
  return {
    ...whole,
    properties: { ...properties, [key]: value },
    required: isConditional(node) ? required : [...required, key],
  };
}

function rootSchema(source: Source, type: GraphQLOutputType, node: FieldNode): JsonSchema {
  const value = schemas(source, type, selectionsBelow([{ node, sometimes: false }]));
  return isNonNullType(type) ? value : agentSchemas.orNull(value);
}
