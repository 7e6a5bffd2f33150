import { getDirectiveValues, isInterfaceType, isObjectType, type GraphQLField, type GraphQLSchema } from 'graphql';
import { z } from 'zod';

/** List size that a subgraph declares by `@listSize` of Apollo's demand control, which follows IBM's cost specification. */
export interface DeclaredListSize {
  /** Number of items that the list is taken to have where no argument says how many. */
  readonly assumedSize?: number | undefined;
}

const declaredSize = z.object({ assumedSize: z.int().min(0).optional() });
const declaredCost = z.object({ weight: z.int().min(0) });
const sized = z.object({ listSize: declaredSize });
const weighted = z.object({ cost: z.object({ weight: z.number() }) });

/** Adds the sizes of lists and the costs of fields (`@cost`) that the supergraph declares to the fields of the API schema, as `extensions`. */
export function withCostsOf(supergraph: GraphQLSchema, api: GraphQLSchema): GraphQLSchema {
  const declarations = { listSize: declaredSize, cost: declaredCost };
  for (const type of Object.values(supergraph.getTypeMap())) {
    const shown = api.getType(type.name);
    if (!(isObjectType(type) || isInterfaceType(type)) || !(isObjectType(shown) || isInterfaceType(shown))) continue;
    const fields = shown.getFields();
    for (const { name, astNode } of Object.values(type.getFields())) {
      const field = fields[name];
      if (astNode == null || field === undefined) continue;
      for (const [declaration, form] of Object.entries(declarations)) {
        const directive = supergraph.getDirective(declaration);
        const values = directive == null ? undefined : getDirectiveValues(directive, astNode);
        if (values !== undefined) field.extensions = { ...field.extensions, [declaration]: form.parse(values) };
      }
    }
  }
  return api;
}

export function listSizeOf({ extensions }: GraphQLField<unknown, unknown>): DeclaredListSize | undefined {
  return sized.safeParse(extensions).data?.listSize;
}

/** Returns the declared cost of a field that has fields, in points; 1 without a declaration. */
export function weightOf({ extensions }: GraphQLField<unknown, unknown>): number {
  return weighted.safeParse(extensions).data?.cost.weight ?? 1;
}
