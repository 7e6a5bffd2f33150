import { getDirectiveValues, isInterfaceType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import { z } from 'zod';

/** What a subgraph declares of a list by `@listSize` of Apollo's demand control, which follows IBM's cost specification. */
export interface DeclaredListSize {
  /** Number of items that the list is taken to have where no argument says how many. */
  readonly assumedSize?: number | undefined;
}

const declared = z.object({ assumedSize: z.int().min(0).optional() });
const extended = z.object({ listSize: declared });

/** Adds the list sizes that the supergraph declares to the fields of the API schema, as `extensions`. */
export function withListSizesOf(supergraph: GraphQLSchema, api: GraphQLSchema): GraphQLSchema {
  const directive = supergraph.getDirective('listSize');
  if (directive == null) return api;
  for (const type of Object.values(supergraph.getTypeMap())) {
    const shown = api.getType(type.name);
    if (!(isObjectType(type) || isInterfaceType(type)) || !(isObjectType(shown) || isInterfaceType(shown))) continue;
    const fields = shown.getFields();
    for (const { name, astNode } of Object.values(type.getFields())) {
      const values = astNode == null ? undefined : getDirectiveValues(directive, astNode);
      const field = fields[name];
      if (values === undefined || field === undefined) continue;
      field.extensions = { ...field.extensions, listSize: declared.parse(values) };
    }
  }
  return api;
}

/** Returns the declared size of a field's list, if any. */
export function listSizeOf({ extensions }: GraphQLField<unknown, unknown>): DeclaredListSize | undefined {
  return extended.safeParse(extensions).data?.listSize;
}
