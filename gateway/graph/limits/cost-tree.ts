import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type SelectionSetNode,
  getIntrospectionQuery,
  GraphQLError,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  parse,
  type DocumentNode,
} from 'graphql';
import { listSizeOf, weightOf } from './declared-costs.js';
import { fragmentsOf } from '../../../shared/graphql/root-names.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import type { Prepared } from '../operation.js';
import { InvalidDocument } from '../../../shared/graphql/invalid-document.js';

/** Assumed number of items in a list whose size neither the document nor the schema says. */
const assumedItems = 10;
/** Number of items of a page without arguments, where the schema says nothing else. */
const usualPage = 20;
const sizeArguments = ['first', 'last', 'limit'];
/** Argument that asks for a past moment: past states are not stored, so sums are computed anew. */
const pastArgument = 'asOf';

/** A number that is known when the document is read, or only with the variables of a run. */
export type Amount = { readonly value: number } | { readonly of: (variables: Variables) => number };

export interface ListSize {
  readonly items: Amount;
  /** The argument that says how many there are, or both where two do, as `first" and "last`; undefined where none does. */
  readonly argument: string | undefined;
  /** Whether the schema says how many there are, where no argument does. */
  readonly declared: boolean;
}

export type Items = (size: ListSize) => number;

export interface CostNode {
  readonly name: string;
  /** Cost of the field itself for each object around it. */
  readonly points: number;
  /** Undefined for one object, and for a list whose items the field around it counts. */
  readonly size: ListSize | undefined;
  /** Whether the items of the list are counted by the field around it. */
  readonly countedAbove: boolean;
  readonly leastOfItem: 0 | 1;
  /** Whether it is given a past moment: 1 or 0. */
  readonly past: Amount;
  readonly children: readonly CostNode[];
}

/** Returns the fields with a cost. Fragments are spread, both sides of a choice included. @throws {ApiError} BAD_REQUEST for too much introspection */
export function costTree(schema: GraphQLSchema, { document, operation }: Prepared): readonly CostNode[] {
  const root = schema.getRootType(operation.operation) ?? undefined;
  const definitions = fragmentsOf(document);
  const fragments = new Map<string, readonly CostNode[]>();

  const ofFragment = (name: string, sized: boolean): readonly CostNode[] => {
    const id = `${name} ${sized}`;
    const known = fragments.get(id);
    if (known !== undefined) return known;
    const node = definitions.get(name);
    if (node === undefined) return [];
    const nodes = ofSelections(node.selectionSet, compositeType(schema, node.typeCondition.name.value), sized);
    fragments.set(id, nodes);
    return nodes;
  };

  const ofField = (node: FieldNode, parent: GraphQLCompositeType | undefined, sized: boolean): readonly CostNode[] => {
    const name = (node.alias ?? node.name).value;
    if (node.name.value === '__schema' || node.name.value === '__type')
      return [{ ...plain, name, points: introspectionPoints(schema, document, node) }];
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (field === undefined) return [];
    const past = pastOf(node, field, operation);
    if (node.selectionSet === undefined) return 'value' in past && past.value === 0 ? [] : [{ ...plain, name, past }];
    const type = getNamedType(field.type);
    const list = isListType(getNullableType(field.type));
    const size = sizeOf(node, field, list && !sized);
    return [
      {
        name,
        points: weightOf(field),
        size,
        countedAbove: list && size === undefined,
        // Items that are plain values count too, where the document or the schema says how many there are.
        leastOfItem: list && (size?.argument !== undefined || size?.declared === true) ? 1 : 0,
        past,
        children: ofSelections(
          node.selectionSet,
          isCompositeType(type) ? type : undefined,
          !list && size?.argument !== undefined,
        ),
      },
    ];
  };

  const ofSelections = (
    set: SelectionSetNode,
    parent: GraphQLCompositeType | undefined,
    sized: boolean,
  ): readonly CostNode[] =>
    set.selections.flatMap((node) => {
      if (node.kind === Kind.FIELD) return ofField(node, parent, sized);
      if (node.kind === Kind.FRAGMENT_SPREAD) return ofFragment(node.name.value, sized);
      const type = node.typeCondition === undefined ? parent : compositeType(schema, node.typeCondition.name.value);
      return ofSelections(node.selectionSet, type, sized);
    });

  return ofSelections(operation.selectionSet, root, false);
}

const zero: Amount = { value: 0 };
const plain: Omit<CostNode, 'name'> = {
  points: 0,
  size: undefined,
  countedAbove: false,
  leastOfItem: 0,
  past: zero,
  children: [],
};

/** Counts items by the largest of `first`, `last` and `limit`; lists directly within hold the same items. Else the schema's size counts (`@listSize`). */
function sizeOf(node: FieldNode, field: GraphQLField<unknown, unknown>, isOwnList: boolean): ListSize | undefined {
  const assumed = listSizeOf(field)?.assumedSize;
  const [usual, ...others] = field.args.filter((argument) => sizeArguments.includes(argument.name));
  if (usual === undefined)
    return isOwnList
      ? { items: { value: assumed ?? assumedItems }, argument: undefined, declared: assumed !== undefined }
      : undefined;
  const values = [usual, ...others].flatMap((definition) => {
    const value = node.arguments?.find(({ name }) => name.value === definition.name)?.value;
    return value === undefined || value.kind === Kind.NULL ? [] : [{ argument: definition.name, value }];
  });
  const otherwise = count(usual.defaultValue) ?? assumed ?? usualPage;
  // Only one of several decides, but only the resolver knows which one.
  const of = (variables: Variables) => {
    const numbers = values.flatMap(({ value }) => count(valueFromASTUntyped(value, variables)) ?? []);
    return numbers.length === 0 ? otherwise : Math.max(...numbers);
  };
  return {
    items: values.some(({ value }) => value.kind === Kind.VARIABLE) ? { of } : { value: of({}) },
    argument: values.length === 0 ? usual.name : values.map(({ argument }) => argument).join('" and "'),
    declared: assumed !== undefined,
  };
}

function count(value: unknown): number | undefined {
  // Other numbers are refused before the run; a limit counts whole points.
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

function pastOf(
  { arguments: given = [] }: FieldNode,
  { args }: GraphQLField<unknown, unknown>,
  { variableDefinitions = [] }: Prepared['operation'],
): Amount {
  const value = given.find(({ name }) => name.value === pastArgument)?.value;
  if (value === undefined || value.kind === Kind.NULL || !args.some(({ name }) => name === pastArgument)) return zero;
  if (value.kind !== Kind.VARIABLE) return { value: 1 };
  const variable = value.name.value;
  const { defaultValue } = variableDefinitions.find((one) => one.variable.name.value === variable) ?? {};
  const otherwise = defaultValue !== undefined && defaultValue.kind !== Kind.NULL ? 1 : 0;
  return {
    of: (variables) => {
      const moment = variables[variable];
      if (moment === undefined) return otherwise;
      return moment === null ? 0 : 1;
    },
  };
}

function compositeType(schema: GraphQLSchema, name: string): GraphQLCompositeType | undefined {
  const type = schema.getType(name);
  return isCompositeType(type) ? type : undefined;
}

/** Values of a schema that one point pays for: what tools ask of ours has some 55,000. */
const valuesOfPoint = 50;
/** Maximum size of a selection, as a multiple of what tools ask. Introspection runs in one piece, which everyone waits for. */
const mostOfUsual = 2;

type Sizes = Readonly<Record<string, number>>;

interface SchemaSizes {
  /** In an average type or field. */
  readonly average: Sizes;
  /** In a type that the document chooses. */
  readonly largest: Sizes;
  readonly most: number;
}

/** Fields that lead from the schema to one type. */
const choices: ReadonlySet<string> = new Set(['__type', 'queryType', 'mutationType', 'subscriptionType']);

const known = new WeakMap<GraphQLSchema, SchemaSizes>();

/** Cost of `__schema` or `__type` by the number of selected values. @throws {ApiError} BAD_REQUEST for twice as many as tools ask for */
function introspectionPoints(schema: GraphQLSchema, document: DocumentNode, field: FieldNode): number {
  const sizes = known.get(schema) ?? sizesOf(schema);
  known.set(schema, sizes);
  const values = valuesIn(field, document, sizes);
  if (values <= sizes.most) return Math.ceil(values / valuesOfPoint);
  const message = `The selection of ${field.name.value} has some ${Math.round(values)} values, the limit is ${Math.round(sizes.most)}: select less, or send several documents`;
  throw new InvalidDocument([{ path: '', message, found: new GraphQLError(message, { nodes: field }) }]);
}

function valuesIn(root: FieldNode, document: DocumentNode, { average, largest }: Omit<SchemaSizes, 'most'>): number {
  const fragments = fragmentsOf(document);
  const ofSelections = (set: SelectionSetNode | undefined, sizes: Sizes): number =>
    (set?.selections ?? []).reduce((sum, node) => {
      if (node.kind === Kind.FIELD) return sum + ofField(node, sizes);
      if (node.kind === Kind.INLINE_FRAGMENT) return sum + ofSelections(node.selectionSet, sizes);
      return sum + ofSelections(fragments.get(node.name.value)?.selectionSet, sizes);
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
