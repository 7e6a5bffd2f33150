import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Kind, parse, visit, type InputValueDefinitionNode, type TypeNode } from 'graphql';

const folder = new URL('../../subgraphs/', import.meta.url);
const names = readdirSync(folder, { withFileTypes: true })
  .map(({ name }) => name)
  .filter((name) => existsSync(new URL(`${name}/schema.graphql`, folder)));

interface Place {
  readonly place: string;
  readonly text: boolean;
  readonly list: boolean;
  readonly bounds: Readonly<Record<string, number>>;
  readonly description: string;
}

function placesOf(name: string): Place[] {
  const places: Place[] = [];
  visit(parse(readFileSync(new URL(`${name}/schema.graphql`, folder), 'utf8')), {
    DirectiveDefinition: () => false,
    InputValueDefinition: (node) => {
      const { text, list } = formOf(node.type);
      const description = node.description?.value ?? '';
      places.push({ place: `${name}: ${node.name.value}`, text, list, bounds: boundsOf(node), description });
    },
  });
  return places;
}

function formOf(type: TypeNode): { text: boolean; list: boolean } {
  if (type.kind === Kind.NAMED_TYPE) return { text: ['String', 'ID'].includes(type.name.value), list: false };
  const { text, list } = formOf(type.type);
  return { text, list: list || type.kind === Kind.LIST_TYPE };
}

function boundsOf({ directives = [] }: InputValueDefinitionNode): Record<string, number> {
  const constraint = directives.find((directive) => directive.name.value === 'constraint');
  return Object.fromEntries(
    (constraint?.arguments ?? []).map(({ name, value }) => [
      name.value,
      value.kind === Kind.INT ? Number(value.value) : 0,
    ]),
  );
}

describe.each(names)('the schema of %s', (name) => {
  test('says of each text that it takes how long it may be, and of each list how many items it may have', () => {
    for (const { place, text, list, bounds } of placesOf(name)) {
      if (text) expect([place, bounds['maxLength']]).toEqual([place, expect.any(Number)]);
      if (list) expect([place, bounds['maxItems']]).toEqual([place, expect.any(Number)]);
    }
  });

  test('promises no more in a description than the constraint lets through', () => {
    for (const { place, bounds, description } of placesOf(name)) {
      for (const [, told = ''] of description.matchAll(/([\d,]+) characters/g)) {
        const promised = Number(told.replaceAll(',', ''));
        expect([place, promised <= (bounds['maxLength'] ?? Infinity)]).toEqual([place, true]);
      }
    }
  });
});
