import { isScalarType, type GraphQLSchema } from 'graphql';
import { DateScalar, DateTimeScalar, DecimalScalar, MonthScalar } from '../../shared/subgraph/scalars.js';

/**
 * Adds to the scalars of a schema that was built from text the check of their values. Without it any value would be valid here, and a
 * wrong one would be found only during a run, where its place in the caller's document is lost.
 */
export function withCommonScalars(schema: GraphQLSchema): GraphQLSchema {
  for (const { name, parseValue, parseLiteral } of [DateScalar, DateTimeScalar, DecimalScalar, MonthScalar]) {
    const type = schema.getType(name);
    if (isScalarType(type)) Object.assign(type, { parseValue, parseLiteral });
  }
  return schema;
}
