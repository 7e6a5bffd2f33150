import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isScalarType,
  Kind,
  print,
  type DocumentNode,
  type GraphQLSchema,
  type GraphQLType,
  type TypeNode,
} from 'graphql';
import { isRecord } from '../../../shared/is-record.js';
import type { OpenApi, Operation } from '../open-api.js';
import { sampleInputs } from './input.js';

/** A document with its variables, as `POST /graphql` takes it. */
export interface GraphqlSample {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Returns the document that a path runs, with the values of its example. */
export function graphqlSample(
  { schema }: { readonly schema: GraphQLSchema },
  openApi: OpenApi,
  operation: Operation,
  document: DocumentNode,
): GraphqlSample {
  const values = new Map(sampleInputs(openApi, operation).map(({ name, value }) => [name, value]));
  const definition = document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  const declared = definition?.variableDefinitions ?? [];
  const variables = declared.flatMap(({ variable, type }) => {
    const name = variable.name.value;
    return values.has(name) ? [[name, coerced(inputType(schema, type), values.get(name))] as const] : [];
  });
  return { document: print(document), variables: Object.fromEntries(variables) };
}

/** Converts a value of the REST path: decimals are text in the graph, and the values of enums in upper case. */
function coerced(given: GraphQLType | undefined, value: unknown): unknown {
  const type = getNamedType(given);
  if (Array.isArray(value)) return value.map((item) => coerced(type, item));
  if (isInputObjectType(type) && isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, coerced(type.getFields()[name]?.type, one)]),
    );
  if (isEnumType(type) && typeof value === 'string') return value.toUpperCase();
  if (isScalarType(type) && type.name === 'Decimal') return String(value);
  return value;
}

/** The type of a variable’s value or of the items of its list. */
function inputType(schema: GraphQLSchema, node: TypeNode): GraphQLType | undefined {
  if (node.kind !== Kind.NAMED_TYPE) return inputType(schema, node.type);
  return schema.getType(node.name.value);
}
