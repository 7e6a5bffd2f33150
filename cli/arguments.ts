import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { OperatorField, OperatorFields, OperatorInput } from '../bootstrap/operator-field.js';
import { fromWindows1252 } from '../shared/kernel/format/windows-1252.js';
import { isRecord } from '../shared/kernel/is-record.js';

/** Returns a type without its outer `!`. */
const nullable = (type: string) => type.replace(/!$/, '');

export function itemOf(type: string): string | undefined {
  return type.startsWith('[') ? nullable(type).slice(1, -1) : undefined;
}

export const namedOf = (type: string) => type.replace(/[[\]!]/g, '');

export const isRequired = ({ type, byDefault }: Pick<OperatorInput, 'type' | 'byDefault'>) =>
  type.endsWith('!') && byDefault === undefined;

export interface GivenArguments {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly all: boolean;
  /** Everything that is wrong; the values are complete where there is nothing. */
  readonly errors: readonly string[];
}

/** Others see the arguments of a process: these come from a file or standard input only. */
const secrets = new Set(['apiKey', 'secret', 'password']);

/** Thrown and caught here, so that all errors are reported at once. */
class Wrong extends Error {}

/** Reads `--<argument> <value>` by the types of the arguments: a dot leads into an input object, and a list repeats its argument. */
export async function readArguments(
  field: OperatorField,
  described: OperatorFields,
  args: readonly string[],
): Promise<GivenArguments> {
  const errors: string[] = [];
  const variables: Record<string, unknown> = {};
  const switches = new Set<string>();
  const seen = new Set<string>();
  const words = [...args];
  while (words.length > 0) {
    const word = words.shift() ?? '';
    const [, flag = '', inline] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    try {
      if (flag === '') throw new Wrong(`"${word}" is no argument: arguments are written as --<name> <value>`);
      if (flag === 'json' || (flag === 'all' && field.hasPages)) {
        switches.add(flag);
        continue;
      }
      const target = flag === 'input' ? undefined : findInput(field, described, flag);
      if (target === undefined && flag !== 'input') {
        // Its value belongs to it.
        if (inline === undefined && words[0]?.startsWith('--') === false) words.shift();
        throw new Wrong(unknownFlag(field, flag));
      }
      const text = inline ?? nextValue(words, flag, target);
      if (target === undefined) mergeBelow(variables, parseObject(await contentOf(text, flag)));
      else place(variables, flag, target, await valueOf(text, flag, target, described), seen);
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      errors.push(error.message);
    }
  }
  if (errors.length === 0) errors.push(...missing(field.arguments, variables, described, '--'));
  return { variables, json: switches.has('json'), all: switches.has('all'), errors };
}

function findInput(field: OperatorField, described: OperatorFields, flag: string): OperatorInput | undefined {
  let inputs = field.arguments;
  let found: OperatorInput | undefined;
  for (const step of flag.split('.')) {
    found = inputs.find(({ name }) => name === step);
    if (found === undefined) break;
    inputs = itemOf(found.type) === undefined ? (described.inputs[namedOf(found.type)] ?? []) : [];
  }
  return found;
}

function unknownFlag(field: OperatorField, flag: string): string {
  const known = field.arguments.map(({ name }) => `--${name}`);
  const all = field.hasPages ? ['--all'] : [];
  return `${field.name} has no argument --${flag}. It has ${[...known, ...all, '--input', '--json'].join(', ')}`;
}

function nextValue(words: string[], flag: string, target: OperatorInput | undefined): string {
  const [next] = words;
  if (target !== undefined && namedOf(target.type) === 'Boolean' && next !== 'true' && next !== 'false') return 'true';
  if (next === undefined || next.startsWith('--')) throw new Wrong(`--${flag} needs a value`);
  words.shift();
  return next;
}

/** Reads a file, or `-` for standard input. Text that is not UTF-8 is Windows-1252, as in files of banks. */
async function contentOf(path: string, flag: string): Promise<string> {
  try {
    const bytes = path === '-' ? await buffer(process.stdin) : await readFile(path);
    return isUtf8(bytes) ? bytes.toString('utf8') : fromWindows1252(bytes.toString('latin1'));
  } catch (error) {
    throw new Wrong(`--${flag}: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function valueOf(given: string, flag: string, { name, type }: OperatorInput, described: OperatorFields) {
  if (secrets.has(name) && !given.startsWith('@'))
    throw new Wrong(`--${flag} is secret, and others see the arguments of a process: use @file, @- or --input`);
  const content = given.startsWith('@') ? await contentOf(given.slice(1), flag) : given;
  const text = secrets.has(name) ? content.trim() : content;
  if (text === 'null' && !type.endsWith('!')) return null;
  const item = itemOf(type);
  if (item === undefined) return convert(text, flag, type, described);
  // JSON text stands for the whole list.
  return /^\s*\[/.test(text) ? parseList(text, flag) : [convert(text, flag, item, described)];
}

function convert(text: string, flag: string, type: string, { enums, inputs }: OperatorFields): unknown {
  const named = namedOf(type);
  const values = Object.hasOwn(enums, named) ? enums[named] : undefined;
  if (values !== undefined) {
    const found = values.find((value) => value === text.toUpperCase().replaceAll('-', '_'));
    if (found === undefined) throw new Wrong(`--${flag} must be one of ${values.join(', ')}, and "${text}" is not`);
    return found;
  }
  if (named === 'Boolean') {
    if (text !== 'true' && text !== 'false') throw new Wrong(`--${flag} must be true or false, and "${text}" is not`);
    return text === 'true';
  }
  if (named === 'Int' || named === 'Float') {
    const number = Number(text);
    if (!/^-?\d/.test(text) || !(named === 'Int' ? Number.isSafeInteger(number) : Number.isFinite(number)))
      throw new Wrong(`--${flag} must be a ${named === 'Int' ? 'whole number' : 'number'}, and "${text}" is not`);
    return number;
  }
  return Object.hasOwn(inputs, named) ? parseObject(text, flag) : text;
}

function parseJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Wrong(`--${flag} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseObject(text: string, flag = 'input'): Record<string, unknown> {
  const value = parseJson(text, flag);
  if (!isRecord(value)) throw new Wrong(`--${flag} must be a JSON object`);
  return value;
}

function parseList(text: string, flag: string): unknown[] {
  const value = parseJson(text, flag);
  if (!Array.isArray(value)) throw new Wrong(`--${flag} must be a JSON array`);
  return value;
}

/** Puts a value where its argument leads to, into what `--input` has given. */
function place(
  variables: Record<string, unknown>,
  flag: string,
  { type }: OperatorInput,
  value: unknown,
  seen: Set<string>,
): void {
  const isAgain = seen.has(flag);
  seen.add(flag);
  const steps = flag.split('.');
  const last = steps.pop() ?? '';
  let at = variables;
  for (const step of steps) {
    const below = at[step];
    const next = isRecord(below) ? below : {};
    at[step] = next;
    at = next;
  }
  const before: unknown = at[last];
  if (!isAgain) at[last] = value;
  else if (itemOf(type) === undefined) throw new Wrong(`--${flag} is given twice`);
  else at[last] = [...toList(before), ...toList(value)];
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function mergeBelow(variables: Record<string, unknown>, more: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(more)) {
    const present = variables[name];
    if (isRecord(present) && isRecord(value)) mergeBelow(present, value);
    else if (!Object.hasOwn(variables, name)) variables[name] = value;
  }
}

/** Names every argument that must be given and is not, in input objects too. */
function missing(
  inputs: readonly OperatorInput[],
  values: Readonly<Record<string, unknown>>,
  described: OperatorFields,
  prefix: string,
): string[] {
  return inputs.flatMap((input) => {
    const value = values[input.name];
    const fields = itemOf(input.type) === undefined ? (described.inputs[namedOf(input.type)] ?? []) : [];
    const below = isRecord(value) || (value === undefined && isRequired(input)) ? (value ?? {}) : undefined;
    const lacking = isRecord(below) ? missing(fields, below, described, `${prefix}${input.name}.`) : [];
    if (lacking.length > 0 || value !== undefined || !isRequired(input)) return lacking;
    return [`${prefix}${input.name} is missing`];
  });
}
