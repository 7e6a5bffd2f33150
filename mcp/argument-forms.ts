import { maxDetails, type ErrorDetail } from '../shared/errors.js';
import type { JsonSchema } from '../gateway/json-schema/json-schema.js';
import type { ObjectSchema } from './json-schema.js';

/** The argument that selects parts of the result. */
export const sectionsArgument = 'secoes';

/** Which other forms of a tool's arguments are accepted. */
export interface ArgumentForms {
  /** Earlier and usual names of arguments and of sections, each with the name in the tool. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Arguments that are codes of currencies, alone or as the pair of a market. */
  readonly symbols: ReadonlySet<string>;
  /** The parts of the result, and whether each is in it by default; empty where the tool has none. */
  readonly sections: ReadonlyMap<string, boolean>;
}

/** The most arguments that are read; every tool has fewer. */
const maxArguments = 100;

/** Arguments in the tool's own names and values, or the errors in them. */
export interface ReadArguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly details: readonly ErrorDetail[];
}

/**
 * Reads the arguments of a call as tolerantly as their meaning is certain: by their earlier names, values of an enum and symbols in any case,
 * a market as `BTC-BRL`, a whole number as text, and one value in place of a list of one.
 */
export function readArguments(schema: ObjectSchema, forms: ArgumentForms, given: object): ReadArguments {
  const entries: [string, unknown][] = Object.entries(given);
  if (entries.length > maxArguments) {
    return { values: {}, details: [{ path: '', message: `must have at most ${maxArguments} arguments` }] };
  }
  const values = new Map<string, unknown>();
  const sections: string[] = [];
  const details: ErrorDetail[] = [];
  for (const [sent, value] of entries) {
    const name = ownName(schema, forms, sent);
    if (name !== sent && Object.hasOwn(given, name)) {
      details.push({ path: sent, message: `is another name of ${name}: send ${name} only` });
    } else if (forms.sections.has(name)) {
      if (typeof value !== 'boolean') details.push({ path: sent, message: 'must be boolean' });
      else if (value) sections.push(name);
    } else {
      const property = schema.properties?.[name];
      // Many agents send an empty text for every argument for which they have no value. (Null was left out when the message was read.)
      if (value === '' && property !== undefined && schema.required?.includes(name) !== true) continue;
      const formed = inForm(value, property);
      values.set(name, forms.symbols.has(name) ? symbolOf(formed) : formed);
    }
  }
  if (sections.length > 0) values.set(sectionsArgument, withSections(forms, values.get(sectionsArgument), sections));
  return { values: Object.fromEntries(values), details: details.slice(0, maxDetails) };
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

function ownName({ properties }: ObjectSchema, { aliases }: ArgumentForms, sent: string): string {
  return properties !== undefined && Object.hasOwn(properties, sent) ? sent : (aliases.get(sent) ?? sent);
}

/** Adds sections that were requested by their earlier argument to the list, which is the default one where none was sent. */
function withSections({ sections }: ArgumentForms, chosen: unknown, added: readonly string[]): unknown {
  const usual = [...sections].flatMap(([name, included]) => (included ? [name] : []));
  const listed: readonly unknown[] = Array.isArray(chosen) ? chosen : usual;
  return [...new Set([...listed, ...added])];
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
