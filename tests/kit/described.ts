import {
  isEnumType,
  isInputObjectType,
  isObjectType,
  isUnionType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

type Described = readonly [name: string, description: string | null | undefined];

/** A type with its fields, arguments and values; federation's own are left out. */
function partsOf(type: GraphQLNamedType): Described[] {
  const parts: Described[] = ['Query', 'Mutation', 'Subscription'].includes(type.name)
    ? []
    : [[type.name, type.description]];
  if (isEnumType(type))
    for (const value of type.getValues()) parts.push([`${type.name}.${value.name}`, value.description]);
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) parts.push([`${type.name}.${field.name}`, field.description]);
  }
  if (isObjectType(type)) {
    for (const field of Object.values(type.getFields()).filter(({ name }) => !name.startsWith('_'))) {
      parts.push([`${type.name}.${field.name}`, field.description]);
      for (const { name, description } of field.args) parts.push([`${type.name}.${field.name}(${name})`, description]);
    }
  }
  return parts;
}

/** The types, fields, arguments and enum values of a subgraph's schema that say nothing of themselves. */
export function undescribed(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => isEnumType(type) || isInputObjectType(type) || isObjectType(type) || isUnionType(type))
    .filter(({ name }) => !/^(_|link__|federation__)/.test(name))
    .flatMap(partsOf)
    .filter(([, description]) => (description ?? '') === '')
    .map(([name]) => name);
}
