import {
  getIntrospectionQuery,
  GraphQLError,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { InvalidDocument } from '../../shared/subgraph/invalid-document.js';

/** Values of a schema that one point pays for: what tools ask of ours has some 55,000. */
const valuesOfPoint = 50;
/** Maximum size of a selection, as a multiple of what tools ask. Introspection runs in one piece, which everyone waits for. */
const mostOfUsual = 2;

/** Number of items in each list of introspection. */
type Sizes = Readonly<Record<string, number>>;

interface SchemaSizes {
  /** In an average type or field. */
  readonly average: Sizes;
  /** In a type that the document chooses. */
  readonly largest: Sizes;
  /** Number of values that a selection may have. */
  readonly most: number;
}

/** Fields that lead from the schema to one type. */
const choices: ReadonlySet<string> = new Set(['__type', 'queryType', 'mutationType', 'subscriptionType']);

const known = new WeakMap<GraphQLSchema, SchemaSizes>();

/**
 * Returns the cost of a selection of `__schema` or `__type` by the number of values that it has in a schema.
 * @throws {ApiError} BAD_REQUEST for one that has twice as many as tools ask for
 */
export function introspectionPoints(schema: GraphQLSchema, document: DocumentNode, field: FieldNode): number {
  const sizes = known.get(schema) ?? sizesOf(schema);
  known.set(schema, sizes);
  const values = valuesIn(field, document, sizes);
  if (values <= sizes.most) return Math.ceil(values / valuesOfPoint);
  const message = `The selection of ${field.name.value} has some ${Math.round(values)} values, the limit is ${Math.round(sizes.most)}: select less, or send several documents`;
  throw new InvalidDocument([{ path: '', message, found: new GraphQLError(message, { nodes: field }) }]);
}

function valuesIn(root: FieldNode, document: DocumentNode, { average, largest }: Omit<SchemaSizes, 'most'>): number {
  const ofSelections = (set: SelectionSetNode | undefined, sizes: Sizes): number =>
    (set?.selections ?? []).reduce((sum, node) => {
      if (node.kind === Kind.FIELD) return sum + ofField(node, sizes);
      if (node.kind === Kind.INLINE_FRAGMENT) return sum + ofSelections(node.selectionSet, sizes);
      const fragment = document.definitions.find(
        (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === node.name.value,
      );
      return fragment?.kind === Kind.FRAGMENT_DEFINITION ? sum + ofSelections(fragment.selectionSet, sizes) : sum;
    }, 0);
  const ofField = ({ name: { value: name }, selectionSet }: FieldNode, sizes: Sizes): number =>
    (sizes[name] ?? 1) * (1 + ofSelections(selectionSet, choices.has(name) ? largest : average));
  return ofField(root, average);
}

function sizesOf(schema: GraphQLSchema): SchemaSizes {
  const types = Object.values(schema.getTypeMap());
  const fields = types.map((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  );
  const lists = {
    fields: fields.map(({ length }) => length),
    args: fields.flat().map(({ args }) => args.length),
    inputFields: types.map((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0)),
    enumValues: types.map((type) => (isEnumType(type) ? type.getValues().length : 0)),
    possibleTypes: types.map((type) => (isAbstractType(type) ? schema.getPossibleTypes(type).length : 0)),
    interfaces: types.map((type) => (isObjectType(type) || isInterfaceType(type) ? type.getInterfaces().length : 0)),
  };
  // About half of the types within types are wrapped in another one.
  const whole = { types: types.length, directives: schema.getDirectives().length, ofType: 0.5 };
  const average = { ...whole, ...each(lists, (sizes) => sumOf(sizes) / Math.max(1, sizes.length)) };
  const largest = { ...whole, ...each(lists, (sizes) => sizes.reduce((most, size) => Math.max(most, size), 0)) };
  const usual = parse(getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true, schemaDescription: true }));
  const [asked] = usual.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? one.selectionSet.selections : [],
  );
  const most = asked?.kind === Kind.FIELD ? mostOfUsual * valuesIn(asked, usual, { average, largest }) : 0;
  return { average, largest, most };
}

function each(lists: Readonly<Record<string, readonly number[]>>, to: (sizes: readonly number[]) => number): Sizes {
  return Object.fromEntries(Object.entries(lists).map(([name, sizes]) => [name, to(sizes)]));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
