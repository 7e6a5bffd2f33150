import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse } from 'graphql';
import { readTool, loadTools } from './tool-file.js';
import { withVocabulary } from './vocabulary.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const graph = buildSchema(`
  scalar Colour
  type Query {
    "A thing"
    thing("Its name" name: String, filter: Filter, tree: Tree): Thing
    things: [Thing!]!
    parent: Parent
    node: Node!
    count: Int!
  }
  type Mutation { drop(name: String!): Thing! }
  input Filter {
    "At least"
    min: Int! = 3
    "One of these"
    kinds: [Kind!]
    name: String!
  }
  input Tree { inner: Tree }
  enum Kind { A B }
  interface Node { id: ID! }
  type Thing implements Node { id: ID! name: String size: Float! colour: Colour parts: [[Thing!]]! }
  type Parent { thing: Thing! }
  type Other implements Node { id: ID! made: String! }
`);
const schema = withVocabulary(graph);
const tool = '@tool(title: "T", whenNotFound: "Look elsewhere.")';
const text = (rest: string, description = '"""What it does"""') => `${description} ${rest}`;
const read = (rest: string, description?: string) => readTool(schema, 't', parse(text(rest, description)));

describe('a tool file', () => {
  test.each([
    [
      'an argument of another type',
      `query t("n" $name: Int) ${tool} { thing(name: $name) { id } }`,
      'expecting type "String"',
    ],
    ['no directive', 'query t { thing { id } }', 'needs the directive @tool'],
    ['an empty title', `query t ${tool.replace('T', '')} { thing { id } }`, 'title'],
    ['another name than its file', `query other ${tool} { thing { id } }`, 'must be named t'],
    ['two operations', `query t ${tool} { thing { id } } query u { count }`, 'exactly one operation'],
    [
      'an argument that nobody describes',
      `query t($filter: Filter) ${tool} { thing(filter: $filter) { id } }`,
      '$filter needs a description',
    ],
    [
      'a further root field without a name of its own',
      `query t ${tool} { thing { id size } id: count }`,
      'id cannot be added',
    ],
    [
      'a section without a default',
      `query t("n" $on: Boolean! @section) ${tool} { thing { id @include(if: $on) } }`,
      'must be a Boolean! with a default',
    ],
    [
      'a resource with another argument',
      `query t ${tool} @resource(uri: "x://{name}", title: "T") { thing { id } }`,
      '{name} of the resource',
    ],
    [
      'a root field that may be left out',
      `query t("n" $on: Boolean!) ${tool} { thing @include(if: $on) { id } }`,
      'one root field',
    ],
    ['a number at the root', `query t ${tool} { count }`, 'must return an object'],
    ['an unknown scalar', `query t ${tool} { thing { colour } }`, 'scalar Colour'],
    [
      'an input that contains itself',
      `query t("n" $tree: Tree) ${tool} { thing(tree: $tree) { id } }`,
      'Tree contains itself',
    ],
    ['a mutation', `mutation t ${tool} { drop(name: "a") { id } }`, 'may not be used on MUTATION'],
  ])('is refused with %s', (_name, rest, message) => {
    expect(() => read(rest)).toThrow(message);
  });

  test('is refused without a description', () => {
    expect(() => read(`query t ${tool} { thing { id } }`, '')).toThrow('needs a description');
  });
});

test('a folder of tools is refused with every bad file named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tools-'));
  writeFileSync(join(folder, 'a.graphql'), 'query b { count }');
  writeFileSync(join(folder, 'c.graphql'), 'query c {\n  nothing\n}');
  writeFileSync(join(folder, 't.graphql'), text(`query t ${tool} { thing { id } }`));
  expect(() => loadTools(graph, folder)).toThrow(
    'mcp/tools/a.graphql: The operation must be named a, like its file\nmcp/tools/c.graphql: 2:3 Cannot query field "nothing"',
  );
  rmSync(folder, { recursive: true });
});
