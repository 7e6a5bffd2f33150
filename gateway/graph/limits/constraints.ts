import {
  getDirectiveValues,
  getNamedType,
  GraphQLError,
  isInputObjectType,
  isInputType,
  isObjectType,
  Kind,
  TypeInfo,
  typeFromAST,
  valueFromAST,
  visit,
  visitWithTypeInfo,
  type GraphQLSchema,
  type ValueNode,
} from 'graphql';
import { ApiError, maxDetails, type ErrorDetail, type BrokenRule } from '../../../shared/kernel/errors.js';
import type { Constraint } from '../../../shared/graphql/constraint.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import { dotted } from '../../../shared/kernel/json.js';
import { eachInTurns, isLongList } from '../../../shared/kernel/turns.js';
import {
  checkOf,
  checkWithin,
  constraintOf,
  definedOf,
  type Check,
  type Found,
  type Input,
  type Path,
} from './constraint-checks.js';
import { invalidDocument, maxDocumentErrors } from '../document-errors.js';
import type { Prepared } from '../operation.js';

/** Adds the constraints that the supergraph declares to the arguments and input fields of the API schema, as `extensions`. */
export function withConstraintsOf(supergraph: GraphQLSchema, api: GraphQLSchema): GraphQLSchema {
  const directive = supergraph.getDirective('constraint');
  if (directive == null) return api;
  const declared = new Map<string, Constraint>();
  eachInput(supergraph, (place, { astNode }) => {
    const values = astNode == null ? undefined : getDirectiveValues(directive, astNode);
    if (values !== undefined) declared.set(place, definedOf(values));
  });
  eachInput(api, (place, input) => {
    input.extensions = { ...input.extensions, constraint: declared.get(place) };
  });
  return api;
}

function eachInput(schema: GraphQLSchema, visitInput: (place: string, input: Input) => void): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) visitInput(`${type.name}.${field.name}`, field);
    } else if (isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        for (const argument of field.args) visitInput(`${type.name}.${field.name}.${argument.name}`, argument);
      }
    }
  }
}

interface VariableChecks {
  readonly whole: Check[];
  readonly within: Check | undefined;
}

/** Refuses variables that are too long: synchronously, or in turns where they hold a long list. */
export type VariablesCheck = (variables: Variables) => Promise<void> | undefined;

/** Checks literals against their constraints now, variables by the returned function. @throws {ApiError} BAD_REQUEST that names every value too long */
export function constraintCheck(schema: GraphQLSchema, { document, operation }: Prepared): VariablesCheck {
  const errors: GraphQLError[] = [];
  const checks = new Map<string, VariableChecks>();
  for (const { variable, type: node } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node);
    checks.set(variable.name.value, { whole: [], within: isInputType(type) ? checkWithin(type) : undefined });
  }
  const take = (value: ValueNode | undefined, input: Input | null | undefined) => {
    if (value === undefined || input == null) return;
    const check = checkOf(input.type, constraintOf(input));
    if (check === undefined) return;
    if (value.kind === Kind.VARIABLE) checks.get(value.name.value)?.whole.unshift(check);
    else eachLiteral(value, check, (node, message) => errors.push(new GraphQLError(message, { nodes: node })));
  };
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument: ({ value }) => {
        take(value, types.getArgument());
      },
      ObjectField: ({ name, value }) => {
        const parent = getNamedType(types.getParentInputType());
        take(value, isInputObjectType(parent) ? parent.getFields()[name.value] : undefined);
      },
    }),
  );
  if (errors.length > 0) throw invalidDocument(document, errors.slice(0, maxDocumentErrors));
  const wanted = [...checks].filter(([, { whole, within }]) => whole.length > 0 || within !== undefined);
  // A document is short enough for its defaults to be checked synchronously.
  const none = refuseLong(wanted, defaultsOf(schema, operation), false);
  if (none !== undefined) throw new Error('The check of the default values is not synchronous');
  return (variables) => refuseLong(wanted, variables, true);
}

function defaultsOf(schema: GraphQLSchema, { variableDefinitions = [] }: Prepared['operation']): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, type: node, defaultValue }) => {
      const type = typeFromAST(schema, node);
      return defaultValue !== undefined && isInputType(type)
        ? [[variable.name.value, valueFromAST(defaultValue, type)]]
        : [];
    }),
  );
}

function refuseLong(
  checks: readonly (readonly [string, VariableChecks])[],
  variables: Variables,
  inTurns: boolean,
): Promise<void> | undefined {
  const details: ErrorDetail[] = [];
  const found: Found = (path, broken) => {
    if (details.length < maxDetails) details.push({ path: dotted(path), ...broken });
  };
  const long: (() => Promise<void>)[] = [];
  for (const [name, { whole, within }] of checks) {
    const value: unknown = variables[name];
    if (value == null) continue;
    const before = details.length;
    // The items of a list that is too long are not checked.
    const fits = whole.every((check) => {
      check(value, [name], found);
      return details.length === before;
    });
    if (!fits || within === undefined) continue;
    if (inTurns && isLongList(value))
      long.push(() => eachInTurns(value, (item, index) => within(item, [name, index], found)));
    else within(value, [name], found);
  }
  if (long.length === 0) {
    refuseFound(details);
    return undefined;
  }
  return inOrder(long).then(() => refuseFound(details));
}

async function inOrder(acts: readonly (() => Promise<void>)[]): Promise<void> {
  for (const act of acts) await act();
}

function refuseFound(details: readonly ErrorDetail[]): void {
  const [first] = details;
  if (first === undefined) return;
  throw new ApiError('BAD_REQUEST', {
    details,
    ...(details.length === 1 ? { message: `${first.path}: ${first.message}` } : {}),
  });
}

function eachLiteral(value: ValueNode, check: Check, found: (node: ValueNode, message: string) => void): void {
  const report =
    (node: ValueNode) =>
    (_path: Path, { message }: BrokenRule) => {
      found(node, message);
    };
  if (value.kind === Kind.STRING) check(value.value, [], report(value));
  if (value.kind !== Kind.LIST) return;
  // Only the number of items is checked here; the items themselves are checked next.
  check(Array<null>(value.values.length).fill(null), [], report(value));
  for (const item of value.values) eachLiteral(item, check, found);
}
