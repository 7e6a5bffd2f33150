import type { ErrorDetail } from '../shared/kernel/errors.js';
import type { JsonSchema } from '../gateway/graph/json-schema/json-schema.js';
import type { ObjectSchema } from './json-schema.js';

export const sectionsArgument = 'secoes';

export interface ArgumentForms {
  /** Arguments that are codes of currencies, single or as the pair of a market. */
  readonly symbols: ReadonlySet<string>;
  /** The parts of the result, and whether each is in it by default; empty where the tool has none. */
  readonly sections: ReadonlyMap<string, boolean>;
}

/** The most arguments that are read; every tool has fewer. */
const maxArguments = 100;

export interface ReadArguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly details: readonly ErrorDetail[];
}

/** Reads arguments tolerantly: enums and symbols in any case, a market as `BTC-BRL`, whole numbers as text, one value for a list of one. */
export function readArguments(schema: ObjectSchema, forms: ArgumentForms, given: object): ReadArguments {
  const entries: [string, unknown][] = Object.entries(given);
  if (entries.length > maxArguments) {
    return { values: {}, details: [{ path: '', message: `must have at most ${maxArguments} arguments` }] };
  }
  const properties = new Map(Object.entries(schema.properties ?? {}));
  const values = new Map<string, unknown>();
  for (const [name, value] of entries) {
    const property = properties.get(name);
    // Many agents send an empty text for every argument for which they have no value. (Null was left out when the message was read.)
    if (value === '' && property !== undefined && schema.required?.includes(name) !== true) continue;
    const formed = inForm(value, property);
    values.set(name, forms.symbols.has(name) ? symbolOf(formed) : formed);
  }
  return { values: Object.fromEntries(values), details: [] };
}

/** Returns the variables of the operation: the arguments, with a Boolean for each section in place of the list. */
export function variablesFor(
  { sections }: ArgumentForms,
  { [sectionsArgument]: chosen, ...values }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (sections.size === 0) return chosen === undefined ? values : { ...values, [sectionsArgument]: chosen };
  const wanted: readonly unknown[] | undefined = Array.isArray(chosen) ? chosen : undefined;
  const included = [...sections].map(([name, usual]) => [name, wanted?.includes(name) ?? usual] as const);
  return { ...values, ...Object.fromEntries(included) };
}

/** Returns the symbol as markets have it, `BTC/BRL`, for a text that can be one. */
function symbolOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[A-Z0-9]{1,20}([-/][A-Z0-9]{1,20})?$/i.test(value)) return value;
  return value.toUpperCase().replace('-', '/');
}

function inForm(value: unknown, schema: JsonSchema | undefined): unknown {
  if (schema === undefined || value === null || value === undefined) return value;
  if (schema.type === 'array') {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.map((item) => inForm(item, schema.items));
  }
  if (typeof value !== 'string') return value;
  if (schema.type === 'integer' && /^\d{1,9}$/.test(value)) return Number(value);
  const word = value.toLowerCase();
  const known = (schema.enum ?? []).filter((one) => typeof one === 'string');
  return known.find((one) => one.toLowerCase() === word) ?? value;
}
