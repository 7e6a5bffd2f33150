import {
  coerceInputValue,
  getNullableType,
  getVariableValues,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { errorKinds } from '../registry.js';
import { ApiError, maxDetails, type ErrorDetail } from '../kernel/errors.js';
import { dotted } from '../kernel/json.js';
import { eachInTurns, isLongList } from '../kernel/turns.js';
import { brokenIn } from './scalars.js';

export type Variables = Readonly<Record<string, unknown>>;

/** Coerces the variables of a request and fills in defaults. @throws {ApiError} BAD_REQUEST that names everything wrong with them */
export function coerceVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Variables,
): Variables {
  const { variableDefinitions } = operation;
  if (variableDefinitions === undefined || variableDefinitions.length === 0) return {};
  // Each error is created with its stack: the first one is enough to know that there are any.
  const { coerced } = getVariableValues(schema, variableDefinitions, given, { maxErrors: 1 });
  if (coerced !== undefined) return coerced;
  const details = errorsOf(schema, operation, given);
  throw new ApiError('BAD_REQUEST', { details: details.slice(0, maxDetails), message: summaryOf(details) });
}

/** Like `coerceVariables`, but long lists in slices that yield: 50,000 contracts would block for 250 ms. @throws {ApiError} BAD_REQUEST with all errors */
export function coerceInTurns(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Variables,
): Variables | Promise<Variables> {
  const long = longLists(schema, operation, given);
  return long.length === 0 ? coerceVariables(schema, operation, given) : coerceLong(schema, operation, given, long);
}

interface LongList {
  readonly name: string;
  readonly itemType: GraphQLInputType;
  readonly items: readonly unknown[];
}

function longLists(schema: GraphQLSchema, operation: OperationDefinitionNode, given: Variables): LongList[] {
  return (operation.variableDefinitions ?? []).flatMap(({ variable, type: typeNode }) => {
    const name = variable.name.value;
    const items = given[name];
    if (!isLongList(items)) return [];
    const type = typeFromAST(schema, typeNode);
    const list = isInputType(type) ? getNullableType(type) : undefined;
    return isListType(list) ? [{ name, itemType: list.ofType, items }] : [];
  });
}

async function coerceLong(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Variables,
  long: readonly LongList[],
): Promise<Variables> {
  const coerced: Record<string, unknown> = {};
  const details: ErrorDetail[] = [];
  for (const { name, itemType, items } of long) {
    const taken: unknown[] = [];
    await eachInTurns(items, (item, index) => {
      // Each error costs a stack trace, and no more than `maxDetails` are reported.
      if (details.length > maxDetails) return;
      const value: unknown = coerceInputValue(item, itemType, (path, _value, error) => {
        if (details.length <= maxDetails) details.push(detailOf([name, index, ...path], error));
      });
      taken.push(value);
    });
    coerced[name] = taken;
  }
  const short = { ...given, ...Object.fromEntries(long.map(({ name }) => [name, []])) };
  if (details.length > 0) {
    const all = [...errorsOf(schema, operation, short), ...details];
    throw new ApiError('BAD_REQUEST', { details: all.slice(0, maxDetails), message: summaryOf(all) });
  }
  return { ...coerceVariables(schema, operation, short), ...coerced };
}

function summaryOf(details: readonly ErrorDetail[]): string {
  const [only, another] = details;
  if (details.length > maxDetails) return `The request is not valid: the first ${maxDetails} of its errors are listed`;
  return only === undefined || another !== undefined ? errorKinds.BAD_REQUEST.message : `${only.path}: ${only.message}`;
}

class Enough extends Error {}

/** Returns the errors of the variables, at most `maxDetails` and one more. */
function errorsOf(schema: GraphQLSchema, operation: OperationDefinitionNode, given: Variables): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  try {
    addErrors(details, schema, operation, given);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return details;
}

function addErrors(
  details: ErrorDetail[],
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  given: Variables,
): void {
  for (const { variable, type: typeNode, defaultValue } of operation.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode);
    const value = given[name];
    if (!isInputType(type)) details.push({ path: name, message: 'has a type that is not in the schema' });
    else if (value !== undefined) {
      coerceInputValue(value, type, (path, _value, error) => {
        details.push(detailOf([name, ...path], error));
        if (details.length > maxDetails) throw new Enough();
      });
    } else if (isNonNullType(type) && defaultValue === undefined)
      details.push({ path: name, message: `A value of type ${String(type)} is required` });
  }
}

function detailOf(path: readonly (string | number)[], error: GraphQLError): ErrorDetail {
  return { path: dotted(path), message: error.message, ...brokenIn(error) };
}
