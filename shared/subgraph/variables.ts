import {
  coerceInputValue,
  getVariableValues,
  isInputType,
  isNonNullType,
  typeFromAST,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { Fault, type FaultDetail } from '../errors.js';

export type Variables = Readonly<Record<string, unknown>>;

/**
 * The variables of a request as resolvers take them, with defaults filled in.
 * @throws {Fault} BAD_REQUEST that names everything wrong with them.
 */
export function coerceVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Variables,
): Variables {
  const { variableDefinitions } = operation;
  if (variableDefinitions === undefined || variableDefinitions.length === 0) return {};
  const { coerced } = getVariableValues(schema, variableDefinitions, given);
  if (coerced !== undefined) return coerced;
  const details = faultsOf(schema, operation, given);
  const [only, another] = details;
  throw new Fault('BAD_REQUEST', {
    details,
    ...(only === undefined || another !== undefined ? {} : { message: `${only.path}: ${only.message}` }),
  });
}

function faultsOf(schema: GraphQLSchema, operation: OperationDefinitionNode, given: Variables): FaultDetail[] {
  const details: FaultDetail[] = [];
  for (const { variable, type: typeNode } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    const value = given[name];
    if (!isInputType(type)) details.push({ path: name, message: 'Is not of a type that this graph knows' });
    else if (value !== undefined) {
      coerceInputValue(value, type, (path, _value, { message }) => {
        details.push({ path: dotted([name, ...path]), message });
      });
    } else if (isNonNullType(type))
      details.push({ path: name, message: `A value of type ${String(type)} is required` });
  }
  return details;
}

/** `contracts[17].debtorDocument`. */
export function dotted(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
}
