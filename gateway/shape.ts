import {
  isCompositeType,
  isCustomScalarType,
  isEnumType,
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
import type { DocumentNode } from 'graphql';
import { isData, own, put, type Data } from './merge.js';
import type { Path } from './shown.js';

export interface Shaped {
  /** Null where a value is missing that must be there, all the way up. */
  readonly data: Data | null;
  /** Where a value is missing that must be there, or is not of its type. */
  readonly missing: readonly Path[];
}

/** Gives what subgraphs have answered the form of the caller's document, and changes none of it. */
export type Shaper = (answered: Data) => Shaped;

interface Run {
  /** Where the object stands that is under work. One list for the whole run. */
  readonly path: (string | number)[];
  readonly missing: Path[];
}

/** Null, and `missing` has the reason. */
const told = Symbol('told');
/** Null where no null may be: what holds it cannot stand. */
const broken = Symbol('broken');

/**
 * The value in its form, null, `told` or `broken`. `before` is what another selection of the same response name has
 * made of the value, for this one to add to.
 */
type Complete = (value: unknown, before: unknown, run: Run) => unknown;

/** Adds one response name to an object; false when the object cannot stand. */
type Step = (input: Data, output: Data, run: Run) => boolean;

interface Scope {
  readonly schema: Schema;
  /** Whether another selection of the same response name may have made a part of the object already. */
  readonly again: boolean;
}

/**
 * Compiles the only operation of a document, which is valid on the schema. Types, response names and the fragments that apply to
 * a type are found out once: a type's when its first object comes. Shapes as Apollo Gateway does, but for a fragment on an
 * object's own type within one on a wider type: Apollo Gateway loses the fields of the inner one.
 */
export function compileShape(schema: Schema, document: DocumentNode): Shaper {
  const operation = operationFromDocument(schema, document, { validate: false });
  const root = schema.schemaDefinition.rootType(operation.rootKind);
  if (root === undefined) throw new Error(`The schema has no ${operation.rootKind}`);
  const complete = objectOf({ schema, again: false }, root, operation.selectionSet);
  return (answered) => {
    const run: Run = { path: [], missing: [] };
    const data = complete(answered, undefined, run);
    return { data: isData(data) ? data : null, missing: run.missing };
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
  return (value, _before, run) => (isValid(value) ? value : tell(run));
}

/** The library's type guards forget what it is that a list holds, or that must not be null: always a type. */
function heldBy({ ofType }: { readonly ofType: unknown }): Type {
  return ofType as Type;
}

function tell({ missing, path }: Run): typeof told {
  missing.push([...path]);
  return told;
}

function required(complete: Complete): Complete {
  return (value, before, run) => {
    const completed = complete(value, before, run);
    if (completed === null) tell(run);
    return completed === null || completed === told ? broken : completed;
  };
}

function listOf(complete: Complete): Complete {
  return (value, before, run) => {
    if (!Array.isArray(value)) throw new Error('A subgraph answered something else where a list stands');
    const held: readonly unknown[] = Array.isArray(before) ? before : [];
    const items: unknown[] = [];
    let stands = true;
    for (let at = 0; at < value.length; at++) {
      run.path.push(at);
      const item = complete(value[at], held[at], run);
      run.path.pop();
      stands &&= item !== broken;
      items.push(typeof item === 'symbol' ? null : item);
    }
    return stands ? items : told;
  };
}

function objectOf(scope: Scope, declared: CompositeType, selectionSet: SelectionSet): Complete {
  const known = new Map<unknown, readonly Step[]>();
  const stepsFor = (typename: unknown): readonly Step[] | undefined => {
    const steps = known.get(typename);
    if (steps !== undefined) return steps;
    const type = typename === undefined ? declared : typeNamed(scope.schema, typename);
    // What is no type is not remembered: names come from outside, and there is no end to them.
    if (type === undefined || !isCompositeType(type)) return undefined;
    const made = stepsOf(scope, selectionSet, type, isObjectType(type) ? type : undefined);
    known.set(typename, made);
    return made;
  };
  return (value, before, run) => {
    if (!isData(value)) throw new Error('A subgraph answered something else where an object stands');
    const steps = stepsFor(value[typenameFieldName]);
    if (steps === undefined) return tell(run);
    const output = isData(before) ? before : {};
    for (const step of steps) if (!step(value, output, run)) return told;
    return output;
  };
}

function typeNamed(schema: Schema, name: unknown): Type | undefined {
  return typeof name === 'string' ? schema.type(name) : undefined;
}

/**
 * The steps for objects of one type, in the order of the document.
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
    if (selection.kind === 'FragmentSelection') {
      const { typeCondition = parent } = selection.element;
      const applies = selection.element.typeCondition === undefined || isSubtype(typeCondition, actual ?? parent);
      return applies ? stepsOf(scope, selection.selectionSet, typeCondition, actual, names) : [];
    }
    const name = selection.element.responseName();
    if (selection.element.name === typenameFieldName) return [typenameStep(scope, name, parent)];
    const again = scope.again || names.has(name);
    names.add(name);
    return [fieldStep({ ...scope, again }, name, selection)];
  });
}

function fieldStep(scope: Scope, name: string, { element, selectionSet }: FieldSelection): Step {
  const type = element.definition.type;
  if (type === undefined) throw new Error(`${element.definition.coordinate} has no type`);
  const complete = valueOf(scope, type, selectionSet);
  return (input, output, run) => {
    const before = scope.again ? own(output, name) : undefined;
    // Of a value without fields, the first selection has made all there is.
    if (before !== undefined && selectionSet === undefined) return true;
    run.path.push(name);
    const completed = complete(own(input, name), before, run);
    run.path.pop();
    put(output, name, typeof completed === 'symbol' ? null : completed);
    return completed !== broken;
  };
}

function typenameStep({ schema }: Scope, name: string, parent: CompositeType): Step {
  return (input, output) => {
    const said = own(input, name) ?? input[typenameFieldName];
    const type = said === parent.name ? parent : (typeNamed(schema, said) ?? parent);
    if (!isObjectType(type)) return false;
    put(output, name, type.name);
    return true;
  };
}

/** Which values a scalar or an enum has on the wire. Those of a house scalar are its subgraph's business. */
function validityOf(type: Type): (value: unknown) => boolean {
  if (isEnumType(type)) {
    const names = new Set<unknown>(type.values.map(({ name }) => name));
    return (value) => names.has(value);
  }
  if ('kind' in type && isCustomScalarType(type)) return () => true;
  switch (String(type)) {
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
