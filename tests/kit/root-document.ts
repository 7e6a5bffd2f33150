import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
} from 'graphql';

/** A value that a type takes, as it stands in a document. */
function literal(given: GraphQLInputType): string {
  const type = getNullableType(given);
  if (isListType(type)) return `[${literal(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return `{${needed.map((field) => `${field.name}: ${literal(field.type)}`).join(', ')}}`;
  }
  const known: Readonly<Record<string, string>> = {
    Int: '1',
    Float: '1',
    Boolean: 'true',
    Date: '"2026-01-01"',
    Month: '"2026-01"',
    DateTime: '"2026-01-01T00:00:00Z"',
    Decimal: '"1"',
    String: '"text"',
  };
  return known[type.name] ?? '"00000000-0000-4000-8000-000000000000"';
}

/** A valid document that asks for one root field, with values for the arguments that it needs. */
export function documentFor(kind: string, { name, args, type }: GraphQLField<unknown, unknown>): string {
  const needed = args.filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined);
  const given = needed.length === 0 ? '' : `(${needed.map((arg) => `${arg.name}: ${literal(arg.type)}`).join(', ')})`;
  const named = getNamedType(type);
  return `${kind} { ${name}${given} ${'getFields' in named || 'getTypes' in named ? '{ __typename }' : ''} }`;
}
