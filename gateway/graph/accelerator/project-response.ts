import {
  getOperationAST,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
  isListType,
  isNonNullType,
} from 'graphql';
import { isRecord } from '../../../shared/kernel/is-record.js';
import { fragmentsOf } from '../../../shared/graphql/root-names.js';
import type { Variables } from '../../../shared/graphql/variables.js';
import type { Path } from '../merge-errors.js';
import { isPlain, own, put, type Data } from './merge.js';

export interface Projected {
  /** Null where a required value is missing and the null propagates to the root. */
  readonly data: Data | null;
  /** Paths at which a required value is missing, or is not of its type. */
  readonly missing: readonly Path[];
}

/** Projects the data of subgraphs to the form of the caller's document, without changing them. */
export type Projection = (returned: Data, variables: Variables) => Projected;

interface Scope {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Whether another selection of the same response name may have made a part of the object already. */
  readonly repeated: boolean;
}

/** Adds one response name to an object; returns false when the object must become null. */
type Step = (input: Data, output: Data, run: Run) => boolean;

/** Compiles the only operation of a valid document without introspection. A type's names and fragments are resolved with its first object. */
export function compileProjection(schema: GraphQLSchema, document: DocumentNode): Projection {
  const operation = getOperationAST(document);
  const root = operation == null ? undefined : schema.getRootType(operation.operation);
  if (operation == null || root == null) throw new Error('The document has no operation on the schema');
  const fragments = fragmentsOf(document);
  const complete = objectOf({ schema, fragments, repeated: false }, root, operation.selectionSet);
  return (returned, variables) => {
    const run: Run = { variables, path: [], missing: [] };
    const data = complete(returned, undefined, run);
    return { data: isRecord(data) ? data : null, missing: run.missing };
  };
}

function objectOf(scope: Scope, declared: GraphQLCompositeType, selectionSet: SelectionSetNode): Completion {
  const stepsByTypename = new Map<unknown, readonly Step[]>();
  const stepsFor = (typename: unknown): readonly Step[] | undefined => {
    const known = stepsByTypename.get(typename);
    if (known !== undefined) return known;
    const type = typename === undefined ? declared : typeNamed(scope.schema, typename);
    // Unknown types are not remembered: their names come from outside, and their number has no limit.
    if (type === undefined) return undefined;
    const steps = stepsOf(scope, selectionSet, type);
    stepsByTypename.set(typename, steps);
    return steps;
  };
  return (value, earlier, run) => {
    if (!isRecord(value))
      throw new Error('A subgraph returned a value that is not an object for a field that is an object');
    const steps = stepsFor(value['__typename']);
    if (steps === undefined) return report(run);
    const output = isRecord(earlier) ? earlier : {};
    for (const step of steps) if (!step(value, output, run)) return reportedNull;
    return output;
  };
}

function typeNamed(schema: GraphQLSchema, name: unknown): GraphQLCompositeType | undefined {
  const type = typeof name === 'string' ? schema.getType(name) : undefined;
  return isCompositeType(type) ? type : undefined;
}

function stepsOf(
  scope: Scope,
  { selections }: SelectionSetNode,
  type: GraphQLCompositeType,
  names = new Set<string>(),
): Step[] {
  return selections.flatMap((selection) => {
    const included = inclusionOf(selection.directives);
    if (included === false) return [];
    const steps =
      selection.kind === Kind.FIELD
        ? [stepOf(scope, selection, type, names)]
        : fragmentSteps(scope, selection, type, names);
    return included === true ? steps : steps.map((step) => conditional(included, step));
  });
}

function fragmentSteps(
  scope: Scope,
  fragment: Exclude<SelectionSetNode['selections'][number], FieldNode>,
  type: GraphQLCompositeType,
  names: Set<string>,
): Step[] {
  const { typeCondition, selectionSet } =
    fragment.kind === Kind.INLINE_FRAGMENT ? fragment : (scope.fragments.get(fragment.name.value) ?? {});
  const condition = typeCondition === undefined ? type : scope.schema.getType(typeCondition.name.value);
  const applies =
    condition === type ||
    (isAbstractType(condition) &&
      (isObjectType(type) || isInterfaceType(type)) &&
      scope.schema.isSubType(condition, type));
  return applies && selectionSet !== undefined ? stepsOf(scope, selectionSet, type, names) : [];
}

function stepOf(scope: Scope, field: FieldNode, type: GraphQLCompositeType, names: Set<string>): Step {
  const name = (field.alias ?? field.name).value;
  const repeated = scope.repeated || names.has(name);
  names.add(name);
  return field.name.value === '__typename'
    ? typenameStep(scope, name, type)
    : fieldStep({ ...scope, repeated }, name, field, type);
}

function conditional(included: (variables: Variables) => boolean, step: Step): Step {
  return (input, output, run) => !included(run.variables) || step(input, output, run);
}

function inclusionOf(directives: readonly DirectiveNode[] = []): boolean | ((variables: Variables) => boolean) {
  const conditions: ((variables: Variables) => boolean)[] = [];
  for (const { name: directive, arguments: [argument] = [] } of directives) {
    const wanted = directive.value === 'include';
    if ((!wanted && directive.value !== 'skip') || argument === undefined) continue;
    const { value } = argument;
    if (value.kind === Kind.VARIABLE) conditions.push((variables) => variables[value.name.value] === wanted);
    else if (value.kind === Kind.BOOLEAN && value.value !== wanted) return false;
  }
  return conditions.length === 0 || ((variables) => conditions.every((holds) => holds(variables)));
}

function fieldStep(scope: Scope, name: string, field: FieldNode, parent: GraphQLCompositeType): Step {
  const { selectionSet } = field;
  const type = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[field.name.value]?.type : undefined;
  if (type === undefined) throw new Error(`${parent.name} has no field ${field.name.value}`);
  const complete = completionOf(type, (unwrapped) =>
    selectionSet !== undefined && isCompositeType(unwrapped)
      ? objectOf(scope, unwrapped, selectionSet)
      : leafOf(unwrapped),
  );
  const { repeated } = scope;
  // Nearly all names: an own property needs no check for each object.
  const plain = isPlain(name);
  return (input, output, run) => {
    const earlier = repeated ? own(output, name) : undefined;
    // For a value without fields, the first selection has done everything.
    if (earlier !== undefined && selectionSet === undefined) return true;
    run.path.push(name);
    const completed = complete(plain ? input[name] : own(input, name), earlier, run);
    run.path.pop();
    const value = typeof completed === 'symbol' ? null : completed;
    if (plain) output[name] = value;
    else put(output, name, value);
    return completed !== forbiddenNull;
  };
}

function leafOf(type: GraphQLOutputType): Completion {
  const isValid = validityOf(type);
  return (value, _earlier, run) => (isValid(value) ? value : report(run));
}

/** Returns the check of a scalar's or an enum's values on the wire. The values of a custom scalar are not checked: its subgraph is responsible for them. */
function validityOf(type: GraphQLOutputType): (value: unknown) => boolean {
  if (isEnumType(type)) return (value) => typeof value === 'string' && type.getValue(value) !== undefined;
  if (!isScalarType(type) || !isSpecifiedScalarType(type)) return () => true;
  switch (type.name) {
    case 'Boolean':
      return (value) => typeof value === 'boolean';
    case 'Int':
      return Number.isSafeInteger;
    case 'Float':
      return Number.isFinite;
    case 'ID':
      return (value) => typeof value === 'string' || Number.isSafeInteger(value);
    default:
      return (value) => typeof value === 'string';
  }
}

function typenameStep({ schema }: Scope, name: string, parent: GraphQLCompositeType): Step {
  return (input, output) => {
    const said = own(input, name) ?? input['__typename'];
    const type = said === parent.name ? parent : (typeNamed(schema, said) ?? parent);
    if (!isObjectType(type)) return false;
    put(output, name, type.name);
    return true;
  };
}

/* Lists, and nulls where none are allowed, as GraphQL §6.4.3 and §6.4.4 complete them. */

interface Run {
  readonly variables: Variables;
  /** Path of the current value. One array for the whole run. */
  readonly path: (string | number)[];
  readonly missing: Path[];
}

/** A null whose reason is already in `missing`. */
const reportedNull = Symbol('reported null');
/** A null where none is allowed: the surrounding value becomes null as well. */
const forbiddenNull = Symbol('forbidden null');

/** Returns the caller's value, null, `reportedNull` or `forbiddenNull`. It adds to `earlier`, the value of another selection of the same response name. */
type Completion = (value: unknown, earlier: unknown, run: Run) => unknown;

function completionOf(type: GraphQLOutputType, unwrapped: (type: GraphQLOutputType) => Completion): Completion {
  if (isNonNullType(type)) return required(completionOf(type.ofType, unwrapped));
  const complete = isListType(type) ? listOf(completionOf(type.ofType, unwrapped)) : unwrapped(type);
  return (value, earlier, run) =>
    value === null || value === undefined || earlier === null ? null : complete(value, earlier, run);
}

function required(complete: Completion): Completion {
  return (value, earlier, run) => {
    const completed = complete(value, earlier, run);
    if (completed === null) report(run);
    return completed === null || completed === reportedNull ? forbiddenNull : completed;
  };
}

function listOf(complete: Completion): Completion {
  return (value, earlier, run) => {
    if (!Array.isArray(value))
      throw new Error('A subgraph returned a value that is not a list for a field that is a list');
    const earlierItems: readonly unknown[] = Array.isArray(earlier) ? earlier : [];
    const items: unknown[] = [];
    let isComplete = true;
    for (let at = 0; at < value.length; at++) {
      run.path.push(at);
      const item = complete(value[at], earlierItems[at], run);
      run.path.pop();
      isComplete &&= item !== forbiddenNull;
      items.push(typeof item === 'symbol' ? null : item);
    }
    return isComplete ? items : reportedNull;
  };
}

function report({ missing, path }: Run): typeof reportedNull {
  missing.push([...path]);
  return reportedNull;
}
