import fc from 'fast-check';
import {
  doTypesOverlap,
  getNamedType,
  isCompositeType,
  isUnionType,
  OperationTypeNode,
  parse,
  validate,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';

export interface RandomDocument {
  readonly text: string;
  readonly variables: Record<string, unknown>;
}

/** What a schema does not say of the documents that are asked of it. */
export interface Vocabulary {
  /** What is asked of a field with arguments, by `Type.field`; each has a response name of its own, so that no two are at odds. */
  readonly variants: Readonly<Record<string, readonly string[]>>;
  /** Named fragments, which may spread each other. */
  readonly fragments: Readonly<Record<string, { readonly on: string; readonly text: string }>>;
  /** Fields that would say the same for every document, or fail it whole. */
  readonly leftOut: ReadonlySet<string>;
  /** Response names that a field without fields may take instead of its own, whatever else has this name. */
  readonly aliases: readonly string[];
  /** Each variable: how it is declared, what it may be, and whether it may be left out. */
  readonly variables: Readonly<
    Record<string, { readonly type: string; readonly values: fc.Arbitrary<unknown>; readonly optional?: boolean }>
  >;
  /** Whether selections may stand under `@skip` and `@include`. */
  readonly conditions: boolean;
  /** Says of a fragment that it must not stand within a type: an oracle may be wrong there. */
  readonly leavesOut?: (within: GraphQLCompositeType, fragment: GraphQLCompositeType) => boolean;
}

/** How often a kind of selection comes, and what it is. */
interface Way {
  readonly weight: number;
  readonly arbitrary: fc.Arbitrary<string>;
}

const directives = ['@skip(if: $yes)', '@include(if: $yes)', '@include(if: $no)', '@skip(if: $no)'].concat([
  '@skip(if: true)',
  '@include(if: false)',
  '@skip(if: false) @include(if: $yes)',
  '@skip(if: $yes) @include(if: $no)',
]);
const introspection = [
  '__schema { queryType { name fields { name isDeprecated } } }',
  'types: __schema { ...Types directives { name locations @skip(if: $yes) } }',
  '__type(name: $name) { name kind: __typename fields(includeDeprecated: $no) { id: name } }',
];
const typesFragment = 'fragment Types on __Schema { __typename directives { name: isRepeatable } }';

/** Valid documents of one operation: aliases, fragments of all kinds, conditions, introspection beside data, variables. */
export function randomDocument(
  schema: GraphQLSchema,
  operation: OperationTypeNode,
  vocabulary: Vocabulary,
): fc.Arbitrary<RandomDocument> {
  const root = schema.getRootType(operation);
  if (root == null) throw new Error(`The schema has no ${operation}`);
  const names = Object.keys(vocabulary.variables);
  const values = fc.record(
    Object.fromEntries(Object.entries(vocabulary.variables).map(([name, { values }]) => [name, values])),
    { requiredKeys: names.filter((name) => vocabulary.variables[name]?.optional !== true) },
  );
  const oneField = operation === OperationTypeNode.SUBSCRIPTION;
  return fc
    .record({ body: selections(schema, vocabulary, oneField)(root, 4), values })
    .map(({ body, values: given }) => {
      const used = withFragments(body, vocabulary);
      const declared = names.filter((name) => new RegExp(`\\$${name}\\b`).test(used));
      const list = declared.map((name) => `$${name}: ${vocabulary.variables[name]?.type ?? ''}`).join(', ');
      const variables = Object.fromEntries(Object.entries(given).filter(([name]) => declared.includes(name)));
      return { text: `${operation}${list === '' ? '' : ` (${list})`} ${used}`, variables };
    })
    .filter(({ text }) => validate(schema, parse(text)).length === 0);
}

/** The text and the fragments that it names, each once. */
function withFragments(body: string, { fragments }: Vocabulary): string {
  let text = body;
  const added = new Set<string>();
  for (;;) {
    const next = Object.entries(fragments).find(
      ([name]) => !added.has(name) && new RegExp(`\\.\\.\\.${name}\\b`).test(text),
    );
    if (next === undefined) return text.includes('...Types') ? `${text} ${typesFragment}` : text;
    const [name, { on, text: own }] = next;
    added.add(name);
    text += ` fragment ${name} on ${on} ${own}`;
  }
}

function selections(schema: GraphQLSchema, vocabulary: Vocabulary, oneField: boolean) {
  const { fragments, variants, leftOut, aliases, conditions, leavesOut = () => false } = vocabulary;
  const made = new Map<string, fc.Arbitrary<string>>();
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const composites = Object.values(schema.getTypeMap())
    .filter(isCompositeType)
    .filter((type) => !type.name.startsWith('__') && !roots.some((root) => root === type));
  const condition = fc.oneof(
    { weight: 7, arbitrary: fc.constant('') },
    { weight: conditions ? 1 : 0, arbitrary: fc.constantFrom(...directives).map((text) => ` ${text}`) },
  );

  const setOf = (type: GraphQLCompositeType, depth: number): fc.Arbitrary<string> => {
    const key = `${type.name} ${depth}`;
    const maxLength = oneField && roots.includes(type as never) ? 1 : 4;
    const known = made.get(key) ?? fc.array(oneOf(type, depth), { minLength: 1, maxLength }).map(braced);
    made.set(key, known);
    return known;
  };

  const oneOf = (type: GraphQLCompositeType, depth: number): fc.Arbitrary<string> => {
    if (oneField && type === schema.getSubscriptionType()) return fc.oneof(...fieldsOf(type, depth));
    const fits = (other: GraphQLCompositeType) =>
      (other === type || doTypesOverlap(schema, type, other)) && !leavesOut(type, other);
    const spreads = Object.keys(fragments).filter((name) => {
      const on = schema.getType(fragments[name]?.on ?? '');
      return isCompositeType(on) && doTypesOverlap(schema, type, on);
    });
    const ways: Way[] = [{ weight: 1, arbitrary: fc.constantFrom('__typename', 'kind: __typename') }];
    const own = fieldsOf(type, depth);
    if (own.length > 0) ways.push({ weight: 10, arbitrary: fc.oneof(...own) });
    if (type === schema.getQueryType()) ways.push({ weight: 1, arbitrary: fc.constantFrom(...introspection) });
    if (spreads.length > 0) {
      const spread = fc.constantFrom(...spreads.map((one) => `...${one}`));
      ways.push({ weight: 1, arbitrary: fc.tuple(spread, condition).map((parts) => parts.join('')) });
    }
    if (depth > 0) {
      const plain = fc.tuple(condition, setOf(type, depth - 1)).map((parts) => `...${parts.join(' ')}`);
      ways.push({ weight: 1, arbitrary: plain });
      const within = composites
        .filter(fits)
        .map((other) =>
          fc.tuple(condition, setOf(other, depth - 1)).map((parts) => `... on ${other.name}${parts.join(' ')}`),
        );
      if (within.length > 0) ways.push({ weight: isUnionType(type) ? 10 : 2, arbitrary: fc.oneof(...within) });
    }
    return fc.oneof(...ways);
  };

  const namesOf = (
    type: GraphQLCompositeType,
    { name, args }: GraphQLField<unknown, unknown>,
    leaf: boolean,
  ): Way[] => {
    const asked = (variants[`${type.name}.${name}`] ?? ['']).flatMap((text, index) => [
      ...(index === 0 ? [`${name}${text}`] : []),
      `${name}${index}: ${name}${text}`,
    ]);
    const ways: Way[] = [{ weight: 8, arbitrary: fc.constantFrom(...asked) }];
    const others = leaf && args.length === 0 ? aliases.filter((alias) => alias !== name) : [];
    if (others.length > 0) {
      ways.push({ weight: 1, arbitrary: fc.constantFrom(...others).map((alias) => `${alias}: ${name}`) });
    }
    return ways;
  };

  const fieldsOf = (type: GraphQLCompositeType, depth: number): fc.Arbitrary<string>[] =>
    Object.values(isUnionType(type) ? {} : type.getFields()).flatMap((field) => {
      const below = getNamedType(field.type);
      if (leftOut.has(field.name) || (isCompositeType(below) && depth === 0)) return [];
      const named = fc.oneof(...namesOf(type, field, !isCompositeType(below)));
      const rest = isCompositeType(below) ? setOf(below, depth - 1) : fc.constant('');
      const when = oneField && type === schema.getSubscriptionType() ? fc.constant('') : condition;
      return [fc.tuple(named, when, rest).map(([name, directive, set]) => `${name}${directive} ${set}`.trim())];
    });

  return setOf;
}

function braced(parts: readonly string[]): string {
  return `{ ${parts.join(' ')} }`;
}
