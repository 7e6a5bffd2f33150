import type { JsonSchema } from '../../gateway/json-schema/json-schema.js';
import { takesKey, type Paging } from '../clients/operation.js';
import { callsOf, hasWholeBody, pagingOf, type Call } from './calls.js';
import { operationsOf, resolved, type OpenApi } from '../clients/openapi.js';
import { itemOf, nameOf, resultOf } from './operations.js';
import { argument, docstring, heading, literal, snake } from './text.js';
import { pythonType, type Place } from './types.js';

/** What differs between the methods of the two clients. */
export interface Flavour {
  readonly module: string;
  readonly className: string;
  readonly base: string;
  readonly iterator: string;
  readonly def: string;
  readonly wait: string;
}

export const flavours: readonly Flavour[] = [
  {
    module: 'sync_methods',
    className: 'SyncMethods',
    base: 'SyncExecutor',
    iterator: 'Iterator',
    def: 'def',
    wait: '',
  },
  {
    module: 'async_methods',
    className: 'AsyncMethods',
    base: 'AsyncExecutor',
    iterator: 'AsyncIterator',
    def: 'async def',
    wait: 'await ',
  },
];

/** The lists that are also offered as frames, by operation: the name of the method. */
const frames: Readonly<Record<string, string>> = {
  unitPriceList: 'price_history',
  paymentSchedule: 'schedule',
  assetList: 'assets',
  inventory: 'inventory_credits',
  fetchStatement: 'statement',
};
const place: Place = { prefix: 't.', input: true };
const sizeNote = 'Items per page; omitted: 100, the most that a page has.';
const pageParameters = ['limit', 'nextToken', 'page'];

/** An argument of a method: its name on the wire, its declaration, and its description. */
interface Argument {
  readonly wire: string;
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly positional: boolean;
  readonly description: string;
}

/** Returns a module with a method for each call. */
export function methodsModule(document: OpenApi, flavour: Flavour): string {
  const imports = [
    'import datetime as dt',
    `from collections.abc import ${flavour.iterator}, Sequence`,
    'from decimal import Decimal',
    'from typing import TYPE_CHECKING, Any, Literal, overload',
    '',
    ...[
      `from .._${flavour.module.replace('_methods', '')} import ${flavour.base}`,
      'from .._frames import FrameKind',
    ].sort(),
    'from . import operations as ops',
    'from . import types as t',
    '',
    'if TYPE_CHECKING:',
    '    import pandas',
    '    import polars',
  ];
  const calls = operationsOf(document).flatMap(callsOf);
  requireDistinctNames(calls);
  const methods = calls.flatMap((call) => methodsOf(document, call, flavour));
  const head = `\n\nclass ${flavour.className}(${flavour.base}):\n    """A method for each operation."""\n`;
  return `${heading('The methods of the client.', imports)}${head}${methods.map((text) => `\n${text}`).join('')}`;
}

/** A second method of the same name would replace the first one without an error. */
function requireDistinctNames(calls: readonly Call[]): void {
  const names = [...calls.map(nameOf), ...Object.values(frames)];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two methods have the name ${twice}`);
  const known = new Set(calls.map(({ operation }) => operation.operationId));
  const unknown = Object.keys(frames).find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`There is no operation ${unknown} for a frame`);
}

function methodsOf(document: OpenApi, call: Call, flavour: Flavour): string[] {
  const paging = pagingOf(document, call);
  const frame = call.suffix === '' ? frames[call.operation.operationId] : undefined;
  return [
    method(call, flavour),
    ...(paging === undefined || paging.form === 'none' ? [] : [iteration(document, call, paging, flavour)]),
    ...(frame === undefined ? [] : [frameMethods(document, call, frame, flavour)]),
  ];
}

/** What the forms of a call say of themselves, by its suffix. */
const forms: Readonly<Record<string, readonly string[]>> = {
  _csv: ['As CSV: the whole list.'],
  _cnab444: ['From a CNAB 444 file, which is sent compressed.'],
  _file: ['From a file in CNAB 444 or CSV, which is sent compressed.'],
};

function method(call: Call, { def, wait }: Flavour): string {
  const args = argumentsOf(call);
  const key = takesKey(call.operation);
  const all = key ? [...args, idempotencyKey] : args;
  const { summary, description } = call.operation;
  const text = docstring([`${summary}.`, description, ...(forms[call.suffix] ?? []), section(all)], '        ');
  return `${signature(def, nameOf(call), all, resultOf(call))}\n${text}        return ${wait}${passed('_call', call, args, key ? 'idempotency_key' : undefined)}\n`;
}

function iteration(document: OpenApi, call: Call, paging: Paging, { iterator }: Flavour): string {
  const args = argumentsOf(call).map((one) => (one.wire === 'limit' ? { ...one, description: sizeNote } : one));
  const { summary, description } = call.operation;
  const lead = `${summary}: all items, page by page.`;
  const text = docstring([lead, description, absence(document, call), section(args)], '        ');
  const head = signature('def', `iter_${nameOf(call)}`, args, `${iterator}[${itemOf(paging)}]`);
  return `${head}\n${text}        return ${passed('_iterate', call, args)}\n`;
}

/** Says that a list may not be there, for a response that has another form then. */
function absence(document: OpenApi, call: Call): string {
  const isUnion = call.responses.some(
    (schema) => schema !== undefined && resolved(document, schema).oneOf !== undefined,
  );
  return isUnion ? `There are no items where they are not published: \`${nameOf(call)}\` says why.` : '';
}

/** The method that returns a frame, with an overload for each kind. */
function frameMethods(document: OpenApi, call: Call, name: string, { def, wait }: Flavour): string {
  const args = argumentsOf(call).filter(({ wire }) => !pageParameters.includes(wire));
  const overloads = [
    { type: 'Literal["pandas"] = "pandas"', result: 'pandas.DataFrame' },
    { type: 'Literal["polars"]', result: 'polars.DataFrame' },
  ].map(({ type, result }) => `    @overload\n${signature(def, name, [...args, frameOf(type)], result)} ...\n\n`);
  const all = [...args, frameOf('FrameKind = "pandas"')];
  const lead = `${call.operation.summary}: all items as a frame.`;
  const note =
    'Decimals stay `Decimal` and days stay days. Raises ImportError where the package of the frame is not installed.';
  const text = docstring([lead, call.operation.description, absence(document, call), note, section(all)], '        ');
  const head = signature(def, name, all, 'Any');
  return `${overloads.join('')}${head}\n${text}        return ${wait}${passed('_frame', call, args, 'frame')}
`;
}

function signature(def: string, name: string, args: readonly Argument[], result: string): string {
  const positional = args.filter((one) => one.positional);
  const named = args.filter((one) => !one.positional);
  const items = ['self', ...positional.map(declared), ...(named.length > 0 ? ['*', ...named.map(declared)] : [])];
  const oneLine = `    ${def} ${name}(${items.join(', ')}) -> ${result}:`;
  if (items.length === 1) return oneLine;
  return `    ${def} ${name}(\n${items.map((item) => `        ${item},\n`).join('')}    ) -> ${result}:`;
}

function declared({ name, type, optional }: Argument): string {
  return `${name}: ${type}${optional ? ' = None' : ''}`;
}

/** A call of the executor with the arguments by their names on the wire, laid out as the formatter does. */
function passed(name: string, call: Call, args: readonly Argument[], last?: string): string {
  const constant = `ops.${nameOf(call).toUpperCase()}`;
  const after = last === undefined ? [] : [last];
  if (args.length === 0) return `self.${name}(${[constant, '{}', ...after].join(', ')})`;
  const entries = args.map(({ wire, name: argument }) => `                ${literal(wire)}: ${argument},\n`).join('');
  const items = [constant, `{\n${entries}            }`, ...after];
  return `self.${name}(\n${items.map((item) => `            ${item},\n`).join('')}        )`;
}

function section(args: readonly Argument[]): string {
  const lines = args.filter(({ description }) => description !== '').map((one) => argument(one.name, one.description));
  return lines.length === 0 ? '' : `Args:\n${lines.join('\n')}`;
}

const idempotencyKey: Argument = {
  wire: '',
  name: 'idempotency_key',
  type: 'str | None',
  optional: true,
  positional: false,
  description: 'Makes it safe to repeat the call later, with the same arguments. Omitted: a new one for this call.',
};

function frameOf(type: string): Argument {
  const description = 'The kind of the frame: `pandas` or `polars`.';
  return { wire: '', name: 'frame', type, optional: false, positional: false, description };
}

function argumentsOf(call: Call): Argument[] {
  const args = [
    ...call.parameters.map(({ name, in: where, required, description, schema }) => {
      return argumentOf(name, schema, { required, positional: where === 'path', description });
    }),
    ...bodyArguments(call),
  ];
  return [...args.filter(({ optional }) => !optional), ...args.filter(({ optional }) => optional)];
}

function bodyArguments(call: Call): Argument[] {
  const { body, mediaType } = call;
  if (mediaType === undefined) return [];
  const described = { required: true, positional: false };
  const one = { wire: 'body', name: 'body', optional: false, positional: false };
  if (body === undefined) return [{ ...one, type: 'bytes', description: 'The file.' }];
  if (hasWholeBody(call)) return [{ ...one, type: 'Any', description: 'The body, as JSON.' }];
  return Object.entries(body.properties ?? {}).map(([name, schema]) => {
    if (schema.type === 'number')
      throw new Error(`${name} of ${call.operation.operationId}: numbers are read in lists only`);
    const required = body.required?.includes(name) ?? false;
    return argumentOf(name, schema, { ...described, required, description: schema.description ?? '' });
  });
}

function argumentOf(
  wire: string,
  schema: JsonSchema,
  { required, ...rest }: Pick<Argument, 'positional' | 'description'> & { readonly required: boolean },
): Argument {
  const type = pythonType(schema, place).replace(/ \| None$/, '');
  return { wire, name: snake(wire), type: required ? type : `${type} | None`, optional: !required, ...rest };
}
