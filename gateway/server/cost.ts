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
import type { Prepared } from '../graph.js';

/** How many items a list is taken to have where nothing in the document says. */
const assumedItems = 10;
/** The least price of a subscription: it begins with a read, often a long one, that no field of it tells of. */
const leastOfSubscription = 10;
/** The price of looking at the schema, whatever is asked of it. */
const introspectionCost = 100;
const sizeArguments = ['first', 'last', 'limit'];

/** The price of a part of a document for given variables. */
type Price = (variables: Variables) => number;
/** How many items a field brings for given variables. */
type Items = (variables: Variables) => number;

/**
 * The price of an operation, worked out once and told for each run's variables.
 * A field that has fields costs 1, and its items times what they cost. Items are counted by the arguments `first`, `last`
 * or `limit`; the items of such a list cost at least 1 each; the lists right within such a field hold the same items and are
 * not counted again; any other list is taken to have ten. Both sides of a choice between types are counted. The least price is 1,
 * and of a subscription 10.
 */
export function priceOf(schema: GraphQLSchema, { document, operation }: Prepared): Price {
  const root = schema.getRootType(operation.operation);
  const fragments = new Map<string, Price>();

  const ofFragment = (name: string, sized: boolean): Price => {
    const id = `${name} ${sized}`;
    const known = fragments.get(id);
    if (known !== undefined) return known;
    const node = document.definitions.find((one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name);
    if (node?.kind !== Kind.FRAGMENT_DEFINITION) return free;
    const price = ofSelections(node.selectionSet, compositeType(schema, node.typeCondition.name.value), sized);
    fragments.set(id, price);
    return price;
  };

  const ofField = (node: FieldNode, parent: GraphQLCompositeType | undefined, sized: boolean): Price => {
    if (node.name.value === '__schema' || node.name.value === '__type') return () => introspectionCost;
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
    if (field === undefined || node.selectionSet === undefined) return free;
    const named = getNamedType(field.type);
    const given = itemsGiven(node, field);
    const inner = ofSelections(node.selectionSet, isCompositeType(named) ? named : undefined, given !== undefined);
    const list = isListType(getNullableType(field.type));
    const items = given ?? (list && !sized ? () => assumedItems : () => 1);
    // Rows of plain values are rows too, where somebody says how many.
    const least = list && given !== undefined ? 1 : 0;
    return (variables) => 1 + items(variables) * Math.max(least, inner(variables));
  };

  const ofSelections = (set: SelectionSetNode, parent: GraphQLCompositeType | undefined, sized: boolean): Price => {
    const prices = set.selections.map((node) => {
      if (node.kind === Kind.FIELD) return ofField(node, parent, sized);
      if (node.kind === Kind.FRAGMENT_SPREAD) return ofFragment(node.name.value, sized);
      const type = node.typeCondition === undefined ? parent : compositeType(schema, node.typeCondition.name.value);
      return ofSelections(node.selectionSet, type, sized);
    });
    return (variables) => prices.reduce((total, price) => total + price(variables), 0);
  };

  const price = ofSelections(operation.selectionSet, root ?? undefined, false);
  const defaults = defaultCounts(operation);
  const least = operation.operation === OperationTypeNode.SUBSCRIPTION ? leastOfSubscription : 1;
  return (variables) => Math.max(least, price({ ...defaults, ...variables }));
}

const free: Price = () => 0;

function compositeType(schema: GraphQLSchema, name: string): GraphQLCompositeType | undefined {
  const type = schema.getType(name);
  return isCompositeType(type) ? type : undefined;
}

/** The defaults of the variables that could count items. */
function defaultCounts({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  );
}

/** The items that a size argument asks for: in the text, by a variable, or by the argument's default. */
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
