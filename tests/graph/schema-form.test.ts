import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isUnionType,
  Kind,
  parse,
  type FieldDefinitionNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type TypeNode,
} from 'graphql';

const { definitions } = parse(readFileSync(new URL('../../supergraph.graphql', import.meta.url), 'utf8'));
const own = ({ name }: { readonly name: { readonly value: string } }) => !/^(join|link)__/.test(name.value);
const enums = definitions.filter((node) => node.kind === Kind.ENUM_TYPE_DEFINITION).filter(own);
const objects = definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION).filter(own);
const values = objects.filter(({ name }) => !['Query', 'Mutation', 'Subscription'].includes(name.value));

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}

const isList = (type: TypeNode): boolean =>
  type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type.type));
const namesOf = (fields: readonly FieldDefinitionNode[] = []) => fields.map(({ name }) => name.value);

describe('enums', () => {
  const names = new Set(enums.map(({ name }) => name.value));

  test('have values in upper case', () => {
    const all = enums.flatMap(({ values: own = [] }) => own.map(({ name }) => name.value));
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((value) => !/^[A-Z][A-Z0-9_]*$/.test(value))).toEqual([]);
  });

  test('have a label beside every field that shows one of their values', () => {
    const shown = values.flatMap(({ name, fields = [] }) =>
      fields
        .filter(({ type }) => names.has(namedType(type)) && !isList(type))
        .map((field) => [`${name.value}.${field.name.value}`, namesOf(fields).includes(`${field.name.value}Label`)]),
    );
    expect(shown.length).toBeGreaterThan(60);
    expect(shown.filter(([, labelled]) => labelled === false)).toEqual([]);
  });
});

describe('connections', () => {
  const connections = new Map(
    values
      .filter(({ name }) => name.value.endsWith('Connection'))
      .map(({ name, fields }) => [name.value, namesOf(fields)]),
  );

  test('have edges, nodes, information about pages, and the number of all', () => {
    expect(connections.size).toBeGreaterThan(30);
    for (const [name, fields] of connections)
      expect([name, fields]).toEqual([name, expect.arrayContaining(['edges', 'nodes', 'pageInfo', 'totalCount'])]);
  });

  test('are read in both directions wherever they are', () => {
    const fields = objects.flatMap(({ name, fields: all = [] }) =>
      all
        .filter(({ type }) => connections.has(namedType(type)))
        .map((field) => [`${name.value}.${field.name.value}`, (field.arguments ?? []).map((one) => one.name.value)]),
    );
    expect(fields.length).toBeGreaterThan(30);
    for (const [field, given] of fields)
      expect([field, given]).toEqual([field, expect.arrayContaining(['first', 'after', 'last', 'before'])]);
  });
});

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
function undescribed(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => isEnumType(type) || isInputObjectType(type) || isObjectType(type) || isUnionType(type))
    .filter(({ name }) => !/^(_|link__|federation__)/.test(name))
    .flatMap(partsOf)
    .filter(([, description]) => (description ?? '') === '')
    .map(([name]) => name);
}

test.each(['accounts', 'credit-assignment', 'issuances', 'tokenization', 'trading', 'webhooks'])(
  'every type, field, argument and enum value of %s is described',
  (name) => {
    const text = readFileSync(new URL(`../../subgraphs/${name}/schema.graphql`, import.meta.url), 'utf8');
    expect(undescribed(buildSchema(text, { assumeValid: true, assumeValidSDL: true }))).toEqual([]);
  },
);
