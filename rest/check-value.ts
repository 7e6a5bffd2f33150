import {
  GraphQLError,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
  type GraphQLInputType,
} from 'graphql';
import { InexactNumber } from '../shared/kernel/json.js';
import { maxDetails, type ErrorDetail, byRule } from '../shared/kernel/errors.js';
import { scalarSchema, type JsonSchema } from '../gateway/graph/json-schema/json-schema.js';
import { withoutDecimalComma } from '../shared/kernel/format/format.js';
import { identifyingText, isVisible } from '../shared/kernel/identifying-text.js';
import { isRecord } from '../shared/kernel/is-record.js';
import { eachInTurns, isLongList } from '../shared/kernel/turns.js';
import type { Parameter } from './route.js';

/** The errors of an input: the first of them in detail, and the number of all. */
export interface ErrorList {
  readonly details: ErrorDetail[];
  total: number;
}

/** Checks the value at `path`, and returns it as the graph takes it. Errors are added to `errors`. */
export type CheckValue = (value: unknown, path: string, errors: ErrorList) => unknown;

export function addError(errors: ErrorList, path: string, message: string): unknown {
  errors.total += 1;
  if (errors.details.length < maxDetails) errors.details.push({ path, message });
  return undefined;
}

/** Makes a value's check by schema and type. Unlike a JSON Schema validator it keeps only the errors that are reported, of lists of 50,000. */
export function valueCheck(type: GraphQLInputType, schema: JsonSchema, parameter: Parameter | undefined): CheckValue {
  const check = checkOf(getNullableType(type), schema, parameter);
  return schema.nullable === true
    ? (value, path, errors) => (value === null ? null : check(value, path, errors))
    : check;
}

function checkOf(type: GraphQLInputType, schema: JsonSchema, parameter: Parameter | undefined): CheckValue {
  const rule = parameter?.rule;
  if (isListType(type)) {
    return listCheck(itemCheck(type.ofType, schema, parameter), schema, rule);
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(({ name, type: own }): [string, CheckValue] => [
      name,
      valueCheck(own, schema.properties?.[name] ?? {}, parameter?.members?.[name]),
    ]);
    return objectCheck(new Map(fields), new Set(schema.required));
  }
  return schema['x-decimals'] === undefined
    ? leafCheck(type, schema, parameter)
    : decimalCheck(schema['x-decimals'], schema, rule);
}

function listCheck(item: CheckValue, { minItems = 0, maxItems = Infinity }: JsonSchema, rule?: string): CheckValue {
  return (value, path, errors) => {
    if (!Array.isArray(value)) return addError(errors, path, 'must be of type array');
    const items: readonly unknown[] = value;
    if (items.length < minItems) return addError(errors, path, rule ?? `must have at least ${minItems} items`);
    if (items.length > maxItems) return addError(errors, path, rule ?? `must have at most ${maxItems} items`);
    return items.map((one, index) => item(one, `${path}[${index}]`, errors));
  };
}

/** Makes the check of a value that may be a long list: a long list is checked in slices, so that other requests get their turn in between. */
export function checkInTurns(
  type: GraphQLInputType,
  schema: JsonSchema,
  parameter: Parameter | undefined,
): (value: unknown, path: string, errors: ErrorList) => unknown {
  const check = valueCheck(type, schema, parameter);
  const list = getNullableType(type);
  if (!isListType(list)) return check;
  const item = itemCheck(list.ofType, schema, parameter);
  const { maxItems = Infinity } = schema;
  return (value, path, errors) => {
    if (!isLongList(value) || value.length > maxItems) return check(value, path, errors);
    const taken: unknown[] = [];
    return eachInTurns(value, (one, index) => taken.push(item(one, `${path}[${index}]`, errors))).then(() => taken);
  };
}

/** Makes the check of a whole number or a boolean in a path or a query, which is text and stays text. Returns undefined for any other type. */
export function wordCheck(
  { type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema,
  rule: string | undefined,
): CheckValue | undefined {
  if (type === 'boolean') {
    const error = rule ?? 'must be true or false';
    return (value, path, errors) => (value === 'true' || value === 'false' ? value : addError(errors, path, error));
  }
  if (type !== 'integer') return undefined;
  const error = rule ?? `must be a whole number from ${minimum} to ${maximum}`;
  return (value, path, errors) => {
    const right = typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value);
    return right && Number(value) >= minimum && Number(value) <= maximum ? value : addError(errors, path, error);
  };
}

function itemCheck(type: GraphQLInputType, schema: JsonSchema, parameter: Parameter | undefined): CheckValue {
  const itemRule = parameter?.members === undefined ? undefined : parameter;
  return valueCheck(type, schema.items ?? {}, itemRule);
}

function objectCheck(members: ReadonlyMap<string, CheckValue>, required: ReadonlySet<string>): CheckValue {
  return (value, path, errors) => {
    if (!isObject(value)) return addError(errors, path, 'must be of type object');
    const taken: Record<string, unknown> = {};
    for (const [name, check] of members) {
      if (Object.hasOwn(value, name)) taken[name] = check(value[name], `${path}.${name}`, errors);
      else if (required.has(name)) addError(errors, `${path}.${name}`, 'is required');
    }
    return taken;
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !(value instanceof InexactNumber);
}

const notVisible = byRule('VISIBLE').message;
const notWellFormed = byRule('WELL_FORMED').message;

function leafCheck(type: GraphQLInputType, schema: JsonSchema, parameter: Parameter | undefined): CheckValue {
  const { rule, form, lowerCase, identifies } = parameter ?? {};
  const wrong = schema.type === 'string' ? textError(schema, form) : () => undefined;
  const read = reader(type, schema);
  const own = String(schema.type);
  return (given, path, errors) => {
    if (!isOfType(given, own)) return addError(errors, path, `must be of type ${own}`);
    const value = identifies === true && typeof given === 'string' ? identifyingText(given) : given;
    const hidden = identifies === true && typeof value === 'string' && !isVisible(value) ? notVisible : undefined;
    const error = hidden ?? (typeof value === 'string' ? wrong(value) : undefined) ?? read(value);
    if (error !== undefined) return addError(errors, path, commaError(type, value) ?? rule ?? error);
    return lowerCase === true && typeof value === 'string' ? value.toUpperCase() : value;
  };
}

function commaError(type: GraphQLInputType, value: unknown): string | undefined {
  if (String(getNullableType(type)) !== 'Decimal' || typeof value !== 'string') return undefined;
  const right = withoutDecimalComma(value);
  return right && `must have a decimal point, not a comma: "${right}"`;
}

function isOfType(value: unknown, type: string | undefined): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

/** Returns the check that a scalar of the graph makes, for example of a day that does not exist; no check where the route gives the value another form. */
function reader(type: GraphQLInputType, schema: JsonSchema): (value: unknown) => string | undefined {
  if (!isScalarType(type) || scalarSchema(type.name).type !== schema.type) return () => undefined;
  return (value) => {
    try {
      type.parseValue(value);
      return undefined;
    } catch (error) {
      return error instanceof GraphQLError ? error.message : 'is not valid';
    }
  };
}

function textError(
  { enum: values, minLength = 0, maxLength = Infinity, pattern }: JsonSchema,
  form?: RegExp,
): (text: string) => string | undefined {
  const written = pattern === undefined ? undefined : new RegExp(pattern, 'u');
  return (text) => {
    if (!text.isWellFormed()) return notWellFormed;
    // Null may be among them, and is no word to send as a text.
    if (values !== undefined && !values.includes(text))
      return `must be one of ${values.filter((value) => typeof value === 'string').join(', ')}`;
    if (lengthOf(text, minLength) < minLength) return `must have at least ${minLength} characters`;
    if (lengthOf(text, maxLength) > maxLength) return `must have at most ${maxLength} characters`;
    if (written?.test(text) === false) return `must match ${String(pattern)}`;
    return form?.test(text) === false ? `must match ${String(form)}` : undefined;
  };
}

/** Returns the number of characters. Counts them only if the number of UTF-16 units does not decide the comparison with `bound`. */
function lengthOf(text: string, bound: number): number {
  return text.length < bound || text.length > 2 * bound ? text.length : Array.from(text).length;
}

/** Converts a JSON number to a Decimal's text exactly: numbers that a double would round come as `InexactNumber`. */
function decimalCheck(places: number, { maximum = 0 }: JsonSchema, rule: string | undefined): CheckValue {
  const form = new RegExp(String.raw`^-?\d+(\.\d{1,${places}})?$`);
  const error = rule ?? `must have at most ${places} decimals, and no more than ${maximum}`;
  return (value, path, errors) => {
    // A number within the limits has at most 15 digits, which a double keeps.
    if (value instanceof InexactNumber) return addError(errors, path, error);
    if (typeof value !== 'number') {
      const right = typeof value === 'string' ? withoutDecimalComma(value) : undefined;
      return addError(
        errors,
        path,
        right === undefined ? 'must be of type number' : `must be a JSON number with a decimal point: ${right}`,
      );
    }
    const text = String(value);
    return form.test(text) && Math.abs(value) <= maximum ? text : addError(errors, path, error);
  };
}
