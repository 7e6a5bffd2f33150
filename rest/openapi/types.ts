import {
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
} from 'graphql';
import { scalarSchema, type Schema } from './schema.js';

/** Schemas of the graph's types, as components: each type once, however many responses hold it. */
export interface TypeSchemas {
  readonly components: Record<string, Schema>;
  /** Returns the schema of a response's value. */
  of(type: GraphQLOutputType): Schema;
}

/** Creates the schemas of types. @param absent fields that are left out where they have no value, as `Type.field` */
export function typeSchemas(absent: ReadonlySet<string>): TypeSchemas {
  const components: Record<string, Schema> = {};

  /** Adds a type to the components and returns a reference to it. */
  const named = (type: GraphQLNamedType, make: () => Schema): Schema => {
    if (components[type.name] === undefined) {
      // Added before its fields are visited, since they may refer back to this type.
      const component: Schema = {};
      components[type.name] = component;
      Object.assign(component, make(), type.description ? { description: type.description } : {});
    }
    return { $ref: `#/components/schemas/${type.name}` };
  };

  const value = (type: GraphQLOutputType): Schema => {
    if (isScalarType(type)) return scalarSchema(type.name);
    if (isListType(type)) return { type: 'array', items: of(type.ofType) };
    if (isEnumType(type))
      return named(type, () => ({ type: 'string', enum: type.getValues().map(({ name }) => name) }));
    if (isObjectType(type)) return named(type, () => object(type));
    if (isUnionType(type)) return named(type, () => ({ oneOf: type.getTypes().map(value) }));
    throw new Error(`The type ${String(type)} has no schema yet`);
  };

  const object = (type: GraphQLObjectType): Schema => {
    const fields = Object.values(type.getFields()).map(({ name, type: own, description }) => {
      const leftOut = absent.has(`${type.name}.${name}`);
      const schema = leftOut ? value(getNullableType(own)) : of(own);
      return { name, leftOut, schema: described(schema, description ?? undefined) };
    });
    return {
      type: 'object',
      // A field that has no value is null; only the fields that the route table names are left out.
      required: fields.filter(({ leftOut }) => !leftOut).map(({ name }) => name),
      properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    };
  };

  const of = (type: GraphQLOutputType): Schema => (isNonNullType(type) ? value(type.ofType) : orNull(value(type)));

  return { components, of };
}

/**
 * Returns the same schema, extended to allow null. OpenAPI 3.0 has no null type and allows no siblings of a `$ref`: this is the form
 * that client generators know.
 */
function orNull(schema: Schema): Schema {
  if (schema.enum !== undefined) return { ...schema, enum: [...schema.enum, null], nullable: true };
  if (schema.$ref === undefined) return { ...schema, nullable: true };
  return { type: 'object', nullable: true, allOf: [schema] };
}

function described(schema: Schema, description: string | undefined): Schema {
  if (description === undefined) return schema;
  return schema.$ref === undefined ? { ...schema, description } : { description, allOf: [schema] };
}
