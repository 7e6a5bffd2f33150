import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  isInterfaceType,
  Kind,
  OperationTypeNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Variables } from '../../shared/subgraph/variables.js';
import type { Prepared } from '../operation.js';

/** Assumed number of items in a list whose size the document does not say. */
const assumedItems = 10;
/** Minimum cost of a subscription: it begins with a read, often a long one, that none of its fields shows. */
const leastOfSubscription = 10;
/** Cost of introspection, whatever is selected. */
const introspectionCost = 100;
const sizeArguments = ['first', 'last', 'limit'];
/** Argument that asks for a past moment: past states are not stored, so sums are computed anew. */
const pastArgument = 'asOf';
/** Additional cost of a field that is given a past moment. */
const pastPoints = 100;
/** Suffix of the names of fields that search every table of their subgraph for corrections. */
const searchingNames = 'Corrections';
/** Additional cost of such a field, besides a point for each requested item. */
const searchPoints = 50;

/** Cost of a part of a document for given variables. */
type Price = (variables: Variables) => number;
/** Cost in two parts: `each` for every item of a surrounding list, and `once` for all of them together. */
interface Prices {
  readonly each: Price;
  readonly once: Price;
}
/** Number of items that a field returns for given variables. */
type Items = (variables: Variables) => number;

/**
 * Compiles the cost of an operation into a function of its variables.
 * A field that has fields costs 1, and its items times what they cost. Items are counted by the arguments `first`, `last`
 * or `limit`; the items of such a list cost at least 1 each; the lists directly within such a field hold the same items and are
 * not counted again; any other list is taken to have ten. Both sides of a choice between types are counted. A field that is given
 * `asOf` costs 100 more, once: it is read together for all items around it. A field of corrections costs 50 more, and 1 for each item. The
 * minimum is 1, and 10 for a subscription.
 */
export function priceOf(schema: GraphQLSchema, { document, operation }: Prepared): Price {
  const root = schema.getRootType(operation.operation);
  const fragments = new Map<string, Prices>();

  const ofFragment = (name: string, sized: boolean): Prices => {
    const id = `${name} ${sized}`;
    const known = fragments.get(id);
    if (known !== undefined) return known;
    const node = document.definitions.find((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name);
    if (node?.kind !== Kind.FRAGMENT_DEFINITION) return free;
    const price = ofSelections(node.selectionSet, compositeType(schema, node.typeCondition.name.value), sized);
    fragments.set(id, price);
    return price;
  };

  const ofField = (node: FieldNode, parent: GraphQLCompositeType | undefined, sized: boolean): Prices => {
    if (node.name.value === '__schema' || node.name.value === '__type')
      return { each: () => introspectionCost, once: nothing };
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (field === undefined) return free;
    const past = pastPrice(node, field, operation);
    if (node.selectionSet === undefined) return { each: nothing, once: past };
    const named = getNamedType(field.type);
    const given = itemsGiven(node, field);
    const inner = ofSelections(node.selectionSet, isCompositeType(named) ? named : undefined, given !== undefined);
    const list = isListType(getNullableType(field.type));
    const items = given ?? (list && !sized ? () => assumedItems : () => 1);
    // Items that are plain values count too, where the document says how many there are.
    const least = list && given !== undefined ? 1 : 0;
    const search: Price = field.name.endsWith(searchingNames)
      ? (variables) => searchPoints + items(variables)
      : nothing;
    return {
      each: (variables) => 1 + items(variables) * Math.max(least, inner.each(variables)),
      once: (variables) => past(variables) + search(variables) + inner.once(variables),
    };
  };

  const ofSelections = (set: SelectionSetNode, parent: GraphQLCompositeType | undefined, sized: boolean): Prices => {
    const prices = set.selections.map((node) => {
      if (node.kind === Kind.FIELD) return ofField(node, parent, sized);
      if (node.kind === Kind.FRAGMENT_SPREAD) return ofFragment(node.name.value, sized);
      const type = node.typeCondition === undefined ? parent : compositeType(schema, node.typeCondition.name.value);
      return ofSelections(node.selectionSet, type, sized);
    });
    return {
      each: (variables) => prices.reduce((total, { each }) => total + each(variables), 0),
      once: (variables) => prices.reduce((total, { once }) => total + once(variables), 0),
    };
  };

  const price = ofSelections(operation.selectionSet, root ?? undefined, false);
  const defaults = defaultCounts(operation);
  const least = operation.operation === OperationTypeNode.SUBSCRIPTION ? leastOfSubscription : 1;
  return (variables) => {
    const given = { ...defaults, ...variables };
    return Math.max(least, price.each(given) + price.once(given));
  };
}

const nothing: Price = () => 0;
const free: Prices = { each: nothing, once: nothing };

/** Returns the additional cost of a field that reads a past moment, given as a literal or by a variable. */
function pastPrice(
  { arguments: given = [] }: FieldNode,
  { args }: GraphQLField<unknown, unknown>,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Price {
  const value = given.find(({ name }) => name.value === pastArgument)?.value;
  if (value === undefined || value.kind === Kind.NULL || !args.some(({ name }) => name === pastArgument))
    return nothing;
  if (value.kind !== Kind.VARIABLE) return () => pastPoints;
  const name = value.name.value;
  const { defaultValue } = variableDefinitions.find(({ variable }) => variable.name.value === name) ?? {};
  const otherwise = defaultValue !== undefined && defaultValue.kind !== Kind.NULL ? pastPoints : 0;
  return (variables) => {
    const moment = variables[name];
    if (moment === undefined) return otherwise;
    return moment === null ? 0 : pastPoints;
  };
}

function compositeType(schema: GraphQLSchema, name: string): GraphQLCompositeType | undefined {
  const type = schema.getType(name);
  return isCompositeType(type) ? type : undefined;
}

/** Returns the defaults of the variables that could be numbers of items. */
function defaultCounts({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  );
}

/** Returns the number of items that a size argument asks for: as a literal, by a variable, or by the argument's default. */
function itemsGiven(node: FieldNode, field: GraphQLField<unknown, unknown>): Items | undefined {
  const definition = field.args.find((argument) => sizeArguments.includes(argument.name));
  if (definition === undefined) return undefined;
  const otherwise = count(definition.defaultValue) ?? assumedItems;
  const value = node.arguments?.find((argument) => argument.name.value === definition.name)?.value;
  if (value?.kind === Kind.INT) return () => Math.max(0, Number(value.value));
  if (value?.kind === Kind.VARIABLE) return (variables) => count(variables[value.name.value]) ?? otherwise;
  return () => otherwise;
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
