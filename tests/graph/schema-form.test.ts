import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Kind, parse, type FieldDefinitionNode, type TypeNode } from 'graphql';

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
