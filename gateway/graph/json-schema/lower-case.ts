import { GraphQLEnumType } from 'graphql';

/** Returns an enum with the same values in lower case, as a documented interface writes them. */
export function lowerCaseEnum(type: GraphQLEnumType): GraphQLEnumType {
  const { values, ...config } = type.toConfig();
  const lower = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value] as const);
  return new GraphQLEnumType({ ...config, values: Object.fromEntries(lower) });
}
