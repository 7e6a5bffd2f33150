import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { buildSchema, executeSync, Kind, parse } from 'graphql';
import { agentSchemas } from './json-schema.js';
import { outputSchemas } from '../gateway/graph/json-schema/output-schema.js';
import { selectionsBelow, sourceOf } from '../gateway/graph/json-schema/selections.js';

const schema = buildSchema(`
  scalar Decimal
  scalar Date
  type Query { root: Root! }
  "The root"
  type Root {
    id: ID!
    name: String
    flag: Boolean!
    amount: Decimal
    day: Date!
    kind: Kind
    lists: [[Int!]]!
    one: Either
    many: [Either!]!
    self: Root
  }
  enum Kind { "The first" A B }
  interface Named { name: String! }
  union Either = Left | Right | Centre
  "Left of it"
  type Left implements Named { name: String! left: Int! }
  "Right of it"
  type Right implements Named { name: String! right: Float }
  type Centre { ok: Boolean! }
`);

const fragments = 'fragment L on Left { left } fragment N on Named { name }';
const documentOf = (selection: string) => parse(`query ($on: Boolean = true) { root { ${selection} } } ${fragments}`);

function schemaOf(selection: string) {
  const document = documentOf(selection);
  const [operation] = document.definitions;
  const node = operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections[0] : undefined;
  const query = schema.getQueryType();
  if (node?.kind !== Kind.FIELD || !query) throw new Error('The test has no root field');
  const field = query.getFields()[node.name.value];
  if (field === undefined) throw new Error('The test has no root field');
  const below = selectionsBelow([{ node, sometimes: false }]);
  return outputSchemas(agentSchemas)(sourceOf(schema, document), field.type, below);
}

const either = fc.oneof(
  fc.record({ __typename: fc.constant('Left'), name: fc.string(), left: fc.integer({ min: -9, max: 9 }) }),
  fc.record({ __typename: fc.constant('Right'), name: fc.string(), right: fc.option(fc.constantFrom(0.5, 7)) }),
  fc.record({ __typename: fc.constant('Centre'), ok: fc.boolean() }),
);
const leaf = {
  id: fc.uuid(),
  name: fc.option(fc.string()),
  flag: fc.boolean(),
  amount: fc.option(fc.constantFrom('0', '-1.50', '123456789.00000001')),
  day: fc.constant('2026-12-31'),
  kind: fc.option(fc.constantFrom('A', 'B')),
  lists: fc.array(fc.option(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 })), { maxLength: 3 }),
  one: fc.option(either),
  many: fc.array(either, { maxLength: 3 }),
};
const roots = fc.record({ ...leaf, self: fc.option(fc.record({ ...leaf, self: fc.constant(null) })) });
const fields = ['id', 'title: name', 'flag', 'amount', 'day', 'kind', 'lists'];
const nested = [
  'one { ...L }',
  'many { __typename ...N ...L }',
  'many { ... on Right { right name } ... on Centre { ok } }',
  'self { id ... @skip(if: $on) { name } one { ...N } }',
  '... @include(if: $on) { flag self { day } }',
];
const selections = fc.subarray([...fields, ...nested], { minLength: 1 });

test('whatever is selected and whatever the answer is, the answer fits the schema', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
  fc.assert(
    fc.property(roots, selections, fc.boolean(), (root, selected, on) => {
      const selection = selected.join(' ');
      const document = documentOf(selection);
      const { data, errors } = executeSync({ schema, document, rootValue: { root }, variableValues: { on } });
      expect(errors).toBeUndefined();
      const validate = ajv.compile(schemaOf(selection));
      expect([validate(data?.['root']), validate.errors]).toEqual([true, null]);
    }),
    { numRuns: 300 },
  );
});
