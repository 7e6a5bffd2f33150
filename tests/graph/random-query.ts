import fc from 'fast-check';
import {
  doTypesOverlap,
  getNamedType,
  isCompositeType,
  isObjectType,
  isUnionType,
  type GraphQLCompositeType,
  type GraphQLSchema,
} from 'graphql';

export interface RandomQuery {
  readonly text: string;
  readonly variables: Record<string, unknown>;
}

/** How often a kind of selection comes, and what it is. */
interface Way {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<string>;
}

const fragments: Readonly<Record<string, { readonly on: string; readonly text: string }>> = {
  Deep: {
    on: 'Book',
    text: '{ verdict next { ...Kind title next { ...Kind } } others1: others(limit: 1) { rating } }',
  },
  Kind: { on: 'Work', text: '{ kind: __typename ... on Film { audience minutes } ...Name }' },
  Name: { on: 'Work', text: '{ title ... on Book { next { dispute } } __typename }' },
};

/** What is asked of a field with arguments. Each has a response name of its own, so that no two are at odds. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'Query.book': ['(id: "1")', '(id: "2")', '(id: $id)', '(id: "404")'],
  'Query.strictBook': ['(id: "3")', '(id: $id)'],
  'Query.find': ['(id: "8")', '(id: "2")', '(id: $id)'],
  'Query.books': ['', '(first: 1)', '(first: $n)'],
  'Book.others': ['', '(limit: 1)', '(limit: $n)'],
};

/** Fields that would say the same for every query, or fail it whole. */
const leftOut = new Set(['broken', 'reader', 'search', 'echo', 'likedByMe', 'cost']);

/** Queries of the test subgraphs: aliases, fragments of all kinds, entities within entities, variables. */
export function randomQuery(schema: GraphQLSchema): fc.Arbitrary<RandomQuery> {
  const root = schema.getQueryType();
  if (root == null) throw new Error('The graph of the tests answers queries');
  const id = fc.constantFrom('1', '2', '3', '8', '404');
  return fc
    .record(
      { body: selections(schema)(root, 4), id, n: fc.integer({ min: 0, max: 3 }) },
      { requiredKeys: ['body', 'id'] },
    )
    .map(({ body, ...variables }) => {
      const used = withFragments(body);
      const declared = [
        ...(used.includes('$id') ? ['$id: ID!'] : []),
        ...(used.includes('$n') ? ['$n: Int! = 2'] : []),
      ].join(', ');
      return { text: `query${declared === '' ? '' : ` (${declared})`} ${used}`, variables };
    });
}

/** The text and the fragments that it names, each once. */
function withFragments(body: string): string {
  let text = body;
  for (const [name, { on, text: own }] of Object.entries(fragments)) {
    if (text.includes(`...${name}`)) text += ` fragment ${name} on ${on} ${own}`;
  }
  return text;
}

function selections(schema: GraphQLSchema) {
  const made = new Map<string, fc.Arbitrary<string>>();
  const composites = Object.values(schema.getTypeMap()).filter(isCompositeType);

  const setOf = (type: GraphQLCompositeType, depth: number): fc.Arbitrary<string> => {
    const key = `${type.name} ${depth}`;
    const known = made.get(key) ?? fc.array(oneOf(type, depth), { minLength: 1, maxLength: 4 }).map(braced);
    made.set(key, known);
    return known;
  };

  const oneOf = (type: GraphQLCompositeType, depth: number): fc.Arbitrary<string> => {
    const spreads = Object.keys(fragments).filter((name) => {
      const on = schema.getType(fragments[name]?.on ?? '');
      return isCompositeType(on) && doTypesOverlap(schema, type, on);
    });
    // Within an object's own type there are no wider ones: Apollo's executor loses what is narrowed again below them.
    const inline = composites.filter(
      (other) =>
        !other.name.startsWith('__') &&
        other !== root(schema) &&
        (isObjectType(type) ? other === type : doTypesOverlap(schema, type, other)),
    );
    const ways: Way[] = [{ weight: 1, arbitrary: fc.constantFrom('__typename', 'kind: __typename') }];
    const own = fieldsOf(type, depth);
    if (own.length > 0) ways.push({ weight: 8, arbitrary: fc.oneof(...own) });
    if (spreads.length > 0) ways.push({ weight: 1, arbitrary: fc.constantFrom(...spreads.map((one) => `...${one}`)) });
    if (depth > 0) {
      ways.push({ weight: 1, arbitrary: setOf(type, depth - 1).map((set) => `... ${set}`) });
      const within = inline.map((other) => setOf(other, depth - 1).map((set) => `... on ${other.name} ${set}`));
      if (within.length > 0) ways.push({ weight: isUnionType(type) ? 8 : 2, arbitrary: fc.oneof(...within) });
    }
    return fc.oneof(...ways);
  };

  const fieldsOf = (type: GraphQLCompositeType, depth: number): fc.Arbitrary<string>[] =>
    Object.values(isUnionType(type) ? {} : type.getFields()).flatMap((field) => {
      const below = getNamedType(field.type);
      if (leftOut.has(field.name) || (isCompositeType(below) && depth === 0)) return [];
      const asked = (variants[`${type.name}.${field.name}`] ?? ['']).flatMap((args, at) => [
        ...(at === 0 ? [`${field.name}${args}`] : []),
        `${field.name}${at}: ${field.name}${args}`,
      ]);
      if (field.name === 'title') asked.push('constructor: title');
      const name = fc.constantFrom(...asked);
      if (!isCompositeType(below)) return [name];
      return [fc.tuple(name, setOf(below, depth - 1)).map((parts) => parts.join(' '))];
    });

  return setOf;
}

function braced(parts: readonly string[]): string {
  return `{ ${parts.join(' ')} }`;
}

function root(schema: GraphQLSchema): GraphQLCompositeType | null | undefined {
  return schema.getQueryType();
}
