import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, print } from 'graphql';
import { inVariableNames } from '../gateway/graph/variable-names.js';
import { loadTools } from './load-tools.js';
import { readTool } from './tool-file.js';
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
const hints = 'readOnlyHint: true, idempotentHint: true, openWorldHint: false, whenNotFound: "Look elsewhere."';
const tool = `@tool(title: "T", ${hints})`;
const text = (rest: string, description = '"""What it does"""') => `${description} ${rest}`;
const read = (rest: string, description?: string) => readTool(schema, 't', parse(text(rest, description)));

describe('a tool file', () => {
  test('gives the graph the operation, and the agent the rest', () => {
    const { document, entry, keys, whenNotFound } = read(
      `query t("How it is called" $name: String @argument(pattern: "^x")) ${tool} { it: thing(name: $name) { id } }`,
    );
    expect(print(document)).toBe(print(document).replace(/tool|argument\(|called/g, ''));
    expect(print(document)).toContain('query t($name: String)');
    expect([keys, whenNotFound, entry.description]).toEqual([['it'], 'Look elsewhere.', 'What it does']);
    expect(entry.inputSchema.properties).toEqual({
      name: { type: 'string', pattern: '^x', description: 'How it is called' },
    });
  });

  test('knows which of its arguments the graph means', () => {
    const { variableNames } = read(
      `query t("a" $nome: String, "b" $tipos: [Kind!]) ${tool} { thing(name: $nome, filter: {kinds: $tipos, name: "x"}) { id } }`,
    );
    const paths = ['name', 'filter.kinds', 'filter.kinds[1]', 'filter.kindsOfAll', 'filter.name'];
    const inTool = (path: string, message = '') =>
      inVariableNames(variableNames, { path: ['thing'] }, [{ path, message }])[0];
    expect(paths.map((path) => inTool(path)?.path)).toEqual([
      'nome',
      'tipos',
      'tipos[1]',
      'filter.kindsOfAll',
      'filter.name',
    ]);
    expect(inTool('filter.name', 'must not be before `kinds` of `other`')?.message).toBe(
      'must not be before `tipos` of `other`',
    );
  });

  test('takes the description of an argument from the graph where it has none of its own', () => {
    const { entry } = read(`query t($name: String) ${tool} { thing(name: $name) { id } }`);
    expect(entry.inputSchema.properties?.['name']?.description).toBe('Its name');
  });

  test('says which arguments may be left out, and what they are then', () => {
    const { inputSchema } = read(
      `query t("a" $name: String! = "x", "b" $filter: Filter!) ${tool} { thing(name: $name, filter: $filter) { id } }`,
    ).entry;
    expect(inputSchema).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'a', default: 'x' },
        filter: {
          type: 'object',
          description: 'b',
          properties: {
            min: { type: 'integer', description: 'At least', default: 3 },
            kinds: {
              type: 'array',
              items: { type: 'string', enum: ['A', 'B'] },
              description: 'One of these',
            },
            name: { type: 'string' },
          },
          required: ['name'],
          additionalProperties: false,
        },
      },
      required: ['filter'],
      additionalProperties: false,
    });
  });

  test('adds the values of further root fields to the result of the first', () => {
    const { entry, keys } = read(
      `query t("n" $on: Boolean! = false) ${tool} { thing { id } number: count others: things @include(if: $on) { name } }`,
    );
    expect(keys).toEqual(['thing', 'number', 'others']);
    expect(entry.outputSchema).toMatchObject({
      properties: { id: {}, number: { type: 'integer' }, others: { type: 'array' } },
      required: ['id', 'number'],
    });
  });

  test('has its sections as one argument', () => {
    const { entry } = read(
      `query t("The size" $tamanho: Boolean! = true @section, "Its name" $nome: Boolean! = false @section)
        ${tool} { thing { size @include(if: $tamanho) name @include(if: $nome) } }`,
    );
    expect(entry.inputSchema.properties).toEqual({
      secoes: {
        type: 'array',
        items: { type: 'string', enum: ['tamanho', 'nome'] },
        maxItems: 4,
        description: 'Parts of the result\ntamanho: The size\nnome: Its name',
        default: ['tamanho'],
      },
    });
  });

  test('may write, when it says what it does to what is there', () => {
    const mutation = (more: string) =>
      read(
        `mutation t("n" $name: String!) @tool(title: "T", readOnlyHint: false, ${more} idempotentHint: true, openWorldHint: true, whenNotFound: "x") { drop(name: $name) { id } }`,
      );
    expect(mutation('destructiveHint: true,').entry.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: true,
    });
    expect(() => mutation('')).toThrow('must say its destructiveHint');
  });

  test.each([
    [
      'an argument of another type',
      `query t("n" $name: Int) ${tool} { thing(name: $name) { id } }`,
      'expecting type "String"',
    ],
    ['no directive', 'query t { thing { id } }', 'needs the directive @tool'],
    ['an empty title', `query t @tool(title: "", ${hints}) { thing { id } }`, 'title'],
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
    [
      'a mutation that claims to read only',
      `mutation t @tool(title: "T", ${hints}) { drop(name: "a") { id } }`,
      'would mislead',
    ],
  ])('is refused with %s', (_name, rest, message) => {
    expect(() => read(rest)).toThrow(message);
  });

  test('may return a list, which the result has under its key, or the one field below a root field', () => {
    const list = read(`query t ${tool} { all: things { id } }`);
    expect(list.entry.outputSchema).toMatchObject({ required: ['all'], properties: { all: { type: 'array' } } });
    const { entry, pick } = read(`query t ${tool} { parent { thing @result { id } } }`);
    expect(entry.outputSchema).toMatchObject({ required: ['id'], properties: { id: { type: 'string' } } });
    expect([pick({ parent: { thing: { id: '1' } } }), pick({ parent: null })]).toEqual([{ id: '1' }, null]);
  });

  test('is refused without a description', () => {
    expect(() => read(`query t ${tool} { thing { id } }`, '')).toThrow('needs a description');
  });
});

describe('a folder of tools', () => {
  test('is refused with every bad file named', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tools-'));
    writeFileSync(join(folder, 'a.graphql'), 'query b { count }');
    writeFileSync(join(folder, 'c.graphql'), 'query c {\n  nothing\n}');
    writeFileSync(join(folder, 't.graphql'), text(`query t ${tool} { thing { id } }`));
    expect(() => loadTools(graph, folder)).toThrow(
      'mcp/tools/a.graphql: The operation must be named a, like its file\nmcp/tools/c.graphql: 2:3 Cannot query field "nothing"',
    );
    rmSync(folder, { recursive: true });
  });
});
