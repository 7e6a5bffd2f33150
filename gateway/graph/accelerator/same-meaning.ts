import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  Kind,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLEnumType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

type Named = GraphQLNamedType | null | undefined;

/**
 * Whether a document that is valid on both schemas means the same on a subgraph's as on the graph's. It does not where
 * the subgraph may return a type or an enum value that the graph hides or does not know, where a type condition holds for
 * other objects, or where a variable takes other values. In doubt the result is false.
 */
export function meansTheSame(document: DocumentNode, subgraph: GraphQLSchema, api: GraphQLSchema): boolean {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.typeCondition.name.value] as const] : [],
    ),
  );
  const [inSubgraph, inApi] = [new TypeInfo(subgraph), new TypeInfo(api)];
  let same = true;
  const narrow = (condition: string | undefined): void => {
    same &&= condition === undefined || sameCondition(inSubgraph.getParentType(), condition, subgraph, api);
  };
  visit(
    document,
    visitWithTypeInfo(
      inSubgraph,
      visitWithTypeInfo(inApi, {
        Field: () => {
          same &&= sameOutput(getNamedType(inSubgraph.getType()), getNamedType(inApi.getType()), subgraph, api);
        },
        FragmentSpread: ({ name }) => {
          narrow(fragments.get(name.value));
        },
        InlineFragment: ({ typeCondition }) => {
          narrow(typeCondition?.name.value);
        },
        VariableDefinition: ({ type }) => {
          same &&= sameInput(
            getNamedType(typeFromAST(subgraph, type)),
            getNamedType(typeFromAST(api, type)),
            new Set(),
          );
        },
      }),
    ),
  );
  return same;
}

/** Whether every value that the subgraph may return of its type is a value of the graph's type. */
function sameOutput(returned: Named, shown: Named, subgraph: GraphQLSchema, api: GraphQLSchema): boolean {
  if (isEnumType(returned)) return isEnumType(shown) && hasValuesOf(shown, returned);
  if (!isCompositeType(returned)) return isScalarType(returned) && isScalarType(shown);
  return objectsOf(returned, subgraph).every(({ name }) => {
    const type = api.getType(name);
    return isObjectType(type) && (type === shown || (isAbstractType(shown) && api.isSubType(shown, type)));
  });
}

/** Whether a type condition holds for the same objects in both schemas, among those that are possible there. */
function sameCondition(parent: Named, condition: string, subgraph: GraphQLSchema, api: GraphQLSchema): boolean {
  return objectsOf(parent, subgraph).every(
    ({ name }) => holdsFor(name, condition, subgraph) === holdsFor(name, condition, api),
  );
}

function holdsFor(name: string, condition: string, schema: GraphQLSchema): boolean {
  if (name === condition) return true;
  const [type, wider] = [schema.getType(name), schema.getType(condition)];
  return isObjectType(type) && isAbstractType(wider) && schema.isSubType(wider, type);
}

function objectsOf(type: Named, schema: GraphQLSchema): readonly GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  return isAbstractType(type) ? schema.getPossibleTypes(type) : [];
}

/** Whether the subgraph accepts no other values than the graph does. */
function sameInput(taken: Named, shown: Named, seen: Set<string>): boolean {
  if (isEnumType(taken)) return isEnumType(shown) && hasValuesOf(shown, taken);
  if (!isInputObjectType(taken)) return isScalarType(taken) && isScalarType(shown);
  if (!isInputObjectType(shown)) return false;
  if (seen.has(taken.name)) return true;
  seen.add(taken.name);
  const fields = shown.getFields();
  return Object.values(taken.getFields()).every(({ name, type }) => {
    const field = fields[name];
    if (field === undefined || String(field.type) !== String(type)) return false;
    return sameInput(getNamedType(type), getNamedType(field.type), seen);
  });
}

function hasValuesOf(wider: GraphQLEnumType, narrower: GraphQLEnumType): boolean {
  return narrower.getValues().every(({ name }) => wider.getValue(name) !== undefined);
}
