import {
  isCompositeType,
  isListType,
  isNonNullType,
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
import type { Schemas } from './operation.js';
import type { InternalNames } from './internal-names.js';
import { compileIntrospection } from './introspection.js';
import { inclusionOf } from './inclusion.js';
import { validityOf } from './leaf-values.js';
import { isPlain, own, put, type Data } from './merge.js';
import type { Path } from './merge-errors.js';

export interface Projected {
  /** Null where a required value is missing and the null propagates to the root. */
  readonly data: Data | null;
  /** Paths at which a required value is missing, or is not of its type. */
  readonly missing: readonly Path[];
}

/** Projects the data of subgraphs to the form of the caller's document, without changing them. */
export type Projection = (returned: Data, variables: Variables) => Projected;

interface Run {
  readonly variables: Variables;
  /** Path of the current object. One array for the whole run. */
  readonly path: (string | number)[];
  readonly missing: Path[];
}

interface Compilation {
  readonly schema: Schema;
  readonly callerName: (name: string) => string;
  readonly introspect: (selection: FieldSelection) => (variables: Variables) => unknown;
}

/** A null whose reason is already in `missing`. */
const reported = Symbol('reported');
/** A null where none is allowed: the surrounding value becomes null as well. */
const broken = Symbol('broken');

/**
 * Returns the value in its form, null, `reported` or `broken`. `before` is the value that another selection of the same response name has
 * produced; this one adds to it.
 */
type Complete = (value: unknown, before: unknown, run: Run) => unknown;

/** Adds one response name to an object; returns false when the object must become null. */
type Step = (input: Data, output: Data, run: Run) => boolean;

interface Scope extends Compilation {
  /** Whether another selection of the same response name may have made a part of the object already. */
  readonly again: boolean;
}

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
  const complete = objectOf({ schema, callerName, introspect, again: false }, root, operation.selectionSet);
  return (returned, variables) => {
    const run: Run = { variables, path: [], missing: [] };
    const data = complete(returned, undefined, run);
    return { data: isRecord(data) ? data : null, missing: run.missing };
  };
}

function valueOf(scope: Scope, type: Type, selectionSet: SelectionSet | undefined): Complete {
  if (isNonNullType(type)) return required(valueOf(scope, heldBy(type), selectionSet));
  const complete = presentOf(scope, type, selectionSet);
  return (value, before, run) =>
    value === null || value === undefined || before === null ? null : complete(value, before, run);
}

function presentOf(scope: Scope, type: Type, selectionSet: SelectionSet | undefined): Complete {
  if (isListType(type)) return listOf(valueOf(scope, heldBy(type), selectionSet));
  if (selectionSet !== undefined && isCompositeType(type)) return objectOf(scope, type, selectionSet);
  const isValid = validityOf(type);
  return (value, _before, run) => (isValid(value) ? value : report(run));
}

/** Returns the type within a list or a non-null type; the library's type guards lose that it is always a type. */
function heldBy({ ofType }: { readonly ofType: unknown }): Type {
  return ofType as Type;
}

function report({ missing, path }: Run): typeof reported {
  missing.push([...path]);
  return reported;
}

function required(complete: Complete): Complete {
  return (value, before, run) => {
    const completed = complete(value, before, run);
    if (completed === null) report(run);
    return completed === null || completed === reported ? broken : completed;
  };
}

function listOf(complete: Complete): Complete {
  return (value, before, run) => {
    if (!Array.isArray(value))
      throw new Error('A subgraph returned a value that is not a list for a field that is a list');
    const held: readonly unknown[] = Array.isArray(before) ? before : [];
    const items: unknown[] = [];
    let isComplete = true;
    for (let at = 0; at < value.length; at++) {
      run.path.push(at);
      const item = complete(value[at], held[at], run);
      run.path.pop();
      isComplete &&= item !== broken;
      items.push(typeof item === 'symbol' ? null : item);
    }
    return isComplete ? items : reported;
  };
}

function objectOf(scope: Scope, declared: CompositeType, selectionSet: SelectionSet): Complete {
  const known = new Map<unknown, readonly Step[]>();
  const stepsFor = (typename: unknown): readonly Step[] | undefined => {
    const steps = known.get(typename);
    if (steps !== undefined) return steps;
    const type = typename === undefined ? declared : typeNamed(scope.schema, typename);
    // Unknown types are not remembered: their names come from outside, and their number has no limit.
    if (type === undefined || !isCompositeType(type)) return undefined;
    const made = stepsOf(scope, selectionSet, type, isObjectType(type) ? type : undefined);
    known.set(typename, made);
    return made;
  };
  return (value, before, run) => {
    if (!isRecord(value))
      throw new Error('A subgraph returned a value that is not an object for a field that is an object');
    const steps = stepsFor(value[typenameFieldName]);
    if (steps === undefined) return report(run);
    const output = isRecord(before) ? before : {};
    for (const step of steps) if (!step(value, output, run)) return reported;
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
    const again = scope.again || names.has(name);
    names.add(name);
    const step = stepOf({ ...scope, again }, name, selection, parent);
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
  const complete = valueOf(scope, type, selectionSet);
  const { again } = scope;
  const shown = scope.callerName(name);
  const [plain, plainlyShown] = [isPlain(name), isPlain(shown)];
  return (input, output, run) => {
    const before = again ? own(output, shown) : undefined;
    // For a value without fields, the first selection has done everything.
    if (before !== undefined && selectionSet === undefined) return true;
    run.path.push(shown);
    const completed = complete(plain ? input[name] : own(input, name), before, run);
    run.path.pop();
    const value = typeof completed === 'symbol' ? null : completed;
    if (plainlyShown) output[shown] = value;
    else put(output, shown, value);
    return completed !== broken;
  };
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
