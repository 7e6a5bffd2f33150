import {
  isCompositeType,
  isObjectType,
  isSubtype,
  operationFromDocument,
  typenameFieldName,
  type CompositeType,
  type FieldSelection,
  type Schema,
  type SelectionSet,
  type Type,
} from '@apollo/federation-internals';
import { isRecord } from '../shared/is-record.js';
import type { Variables } from '../shared/subgraph/variables.js';
import { completionOf, forbiddenNull, report, reportedNull, type Completion, type Run } from './complete-value.js';
import { inclusionOf } from './inclusion.js';
import type { InternalNames } from './internal-names.js';
import { compileIntrospection } from './introspection.js';
import { validityOf } from './leaf-values.js';
import { isPlain, own, put, type Data } from './merge.js';
import type { Path } from './merge-errors.js';
import type { Schemas } from './operation.js';

export interface Projected {
  /** Null where a required value is missing and the null propagates to the root. */
  readonly data: Data | null;
  /** Paths at which a required value is missing, or is not of its type. */
  readonly missing: readonly Path[];
}

/** Projects the data of subgraphs to the form of the caller's document, without changing them. */
export type Projection = (returned: Data, variables: Variables) => Projected;

/** What is known where a selection set is compiled. */
interface Scope {
  readonly schema: Schema;
  /** Returns the caller's name for a response name: some are renamed for the planner. */
  readonly callerName: (name: string) => string;
  readonly introspect: (selection: FieldSelection) => (variables: Variables) => unknown;
  /** Whether another selection of the same response name may have made a part of the object already. */
  readonly repeated: boolean;
}

/** Adds one response name to an object; returns false when the object must become null. */
type Step = (input: Data, output: Data, run: Run) => boolean;

/**
 * Compiles the only operation of a document, which is valid on the schema. Types, response names and the fragments that apply to
 * a type are resolved once: for a type when its first object comes. Projects as Apollo Gateway does, except for a fragment on an
 * object's own type within one on a wider type: Apollo Gateway loses the fields of the inner one.
 */
export function compileProjection(
  { api: schema, apiSchema }: Schemas,
  { document, callerName }: InternalNames,
): Projection {
  const operation = operationFromDocument(schema, document, { validate: false });
  const root = schema.schemaDefinition.rootType(operation.rootKind);
  if (root === undefined) throw new Error(`The schema has no ${operation.rootKind}`);
  const introspect = (selection: FieldSelection) => compileIntrospection(apiSchema, document, selection);
  const complete = objectOf({ schema, callerName, introspect, repeated: false }, root, operation.selectionSet);
  return (returned, variables) => {
    const run: Run = { variables, path: [], missing: [] };
    const data = complete(returned, undefined, run);
    return { data: isRecord(data) ? data : null, missing: run.missing };
  };
}

function objectOf(scope: Scope, declared: CompositeType, selectionSet: SelectionSet): Completion {
  const stepsByTypename = new Map<unknown, readonly Step[]>();
  const stepsFor = (typename: unknown): readonly Step[] | undefined => {
    const known = stepsByTypename.get(typename);
    if (known !== undefined) return known;
    const type = typename === undefined ? declared : typeNamed(scope.schema, typename);
    // Unknown types are not remembered: their names come from outside, and their number has no limit.
    if (type === undefined || !isCompositeType(type)) return undefined;
    const steps = stepsOf(scope, selectionSet, type, isObjectType(type) ? type : undefined);
    stepsByTypename.set(typename, steps);
    return steps;
  };
  return (value, earlier, run) => {
    if (!isRecord(value))
      throw new Error('A subgraph returned a value that is not an object for a field that is an object');
    const steps = stepsFor(value[typenameFieldName]);
    if (steps === undefined) return report(run);
    const output = isRecord(earlier) ? earlier : {};
    for (const step of steps) if (!step(value, output, run)) return reportedNull;
    return output;
  };
}

function typeNamed(schema: Schema, name: unknown): Type | undefined {
  return typeof name === 'string' ? schema.type(name) : undefined;
}

/**
 * Returns the steps for objects of one type, in the order of the document.
 * @param actual - the type that such an object has; undefined where it does not say so and could be of several
 */
function stepsOf(
  scope: Scope,
  selectionSet: SelectionSet,
  parent: CompositeType,
  actual: CompositeType | undefined,
  names = new Set<string>(),
): Step[] {
  return selectionSet.selections().flatMap((selection) => {
    const included = inclusionOf(scope.schema, selection.element);
    if (included === false) return [];
    if (selection.kind === 'FragmentSelection') {
      const { typeCondition = parent } = selection.element;
      const applies = selection.element.typeCondition === undefined || isSubtype(typeCondition, actual ?? parent);
      const steps = applies ? stepsOf(scope, selection.selectionSet, typeCondition, actual, names) : [];
      return included === true ? steps : steps.map((step) => conditional(included, step));
    }
    const name = selection.element.responseName();
    const repeated = scope.repeated || names.has(name);
    names.add(name);
    const step = stepOf({ ...scope, repeated }, name, selection, parent);
    return [included === true ? step : conditional(included, step)];
  });
}

function stepOf(scope: Scope, name: string, selection: FieldSelection, parent: CompositeType): Step {
  if (selection.element.name === typenameFieldName) return typenameStep(scope, name, parent);
  if (selection.element.definition.isSchemaIntrospectionField()) return introspectionStep(scope, name, selection);
  return fieldStep(scope, name, selection);
}

function conditional(included: (variables: Variables) => boolean, step: Step): Step {
  return (input, output, run) => !included(run.variables) || step(input, output, run);
}

function fieldStep(scope: Scope, name: string, { element, selectionSet }: FieldSelection): Step {
  const type = element.definition.type;
  if (type === undefined) throw new Error(`${element.definition.coordinate} has no type`);
  const complete = completionOf(type, (unwrapped) =>
    selectionSet !== undefined && isCompositeType(unwrapped)
      ? objectOf(scope, unwrapped, selectionSet)
      : leafOf(unwrapped),
  );
  const { repeated } = scope;
  const shown = scope.callerName(name);
  // Nearly all names: an own property needs no check for each object.
  const [plain, plainlyShown] = [isPlain(name), isPlain(shown)];
  return (input, output, run) => {
    const earlier = repeated ? own(output, shown) : undefined;
    // For a value without fields, the first selection has done everything.
    if (earlier !== undefined && selectionSet === undefined) return true;
    run.path.push(shown);
    const completed = complete(plain ? input[name] : own(input, name), earlier, run);
    run.path.pop();
    const value = typeof completed === 'symbol' ? null : completed;
    if (plainlyShown) output[shown] = value;
    else put(output, shown, value);
    return completed !== forbiddenNull;
  };
}

function leafOf(type: Type): Completion {
  const isValid = validityOf(type);
  return (value, _earlier, run) => (isValid(value) ? value : report(run));
}

function typenameStep({ schema, callerName }: Scope, name: string, parent: CompositeType): Step {
  const shown = callerName(name);
  return (input, output) => {
    const said = own(input, name) ?? input[typenameFieldName];
    const type = said === parent.name ? parent : (typeNamed(schema, said) ?? parent);
    if (!isObjectType(type)) return false;
    put(output, shown, type.name);
    return true;
  };
}

function introspectionStep({ introspect, callerName }: Scope, name: string, selection: FieldSelection): Step {
  const shown = callerName(name);
  const result = introspect(selection);
  return (_input, output, { variables }) => {
    put(output, shown, result(variables));
    return true;
  };
}
