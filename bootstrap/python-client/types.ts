import { admitsNull, type JsonSchema } from '../../gateway/json-schema/json-schema.js';
import { bodyOf } from '../clients/operation.js';
import { operationsOf, refName, type OpenApi } from '../clients/openapi.js';
import { docstring, heading, literal, pascal, snake } from './text.js';

const imports = [
  'import datetime as dt',
  'from dataclasses import dataclass, field',
  'from decimal import Decimal',
  'from typing import Any, Literal, TypeAlias',
];
/** These types have no field without a described form. */
const withoutAny = imports.map((line) => line.replace('Any, ', ''));
const eventPrefix = 'event.';

/** Where a type is written: names of other modules have a prefix; a caller passes any sequence, but receives a list. */
export interface Place {
  readonly prefix: string;
  readonly input: boolean;
}

const here: Place = { prefix: '', input: false };

/** Returns the Python type of a value; JSON without a described form is `Any`. */
export function pythonType(schema: JsonSchema, place: Place = here): string {
  const type = bareType(schema, place);
  return admitsNull(schema) && type !== 'Any' ? `${type} | None` : type;
}

function bareType(schema: JsonSchema, place: Place): string {
  const name = refName(schema);
  if (name !== undefined) return place.prefix + pascal(name);
  const enumName = enumNameOf(schema, place);
  if (enumName !== undefined) return place.prefix + enumName;
  if (schema.enum !== undefined)
    return `Literal[${schema.enum
      .filter((value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      .map((value) => literal(String(value)))
      .join(', ')}]`;
  switch (schema.type) {
    case 'string':
      return textType(schema);
    case 'integer':
      return 'int';
    case 'number':
      return 'Decimal';
    case 'boolean':
      return 'bool';
    case 'array': {
      const items = schema.items ?? {};
      const item = isInput(items) ? place.prefix + inputNameOf(items) : pythonType(items, place);
      return `${place.input ? 'Sequence' : 'list'}[${item}]`;
    }
    default:
      return 'Any';
  }
}

function textType({ format, pattern = '' }: JsonSchema): string {
  if (format === 'date') return 'dt.date';
  if (format === 'date-time') return 'dt.datetime';
  return pattern.startsWith('^-?') ? 'Decimal' : 'str';
}

/** Whether a schema is an object of a request body, which is described in place. */
function isInput(schema: JsonSchema): boolean {
  return schema.type === 'object' && schema.properties !== undefined;
}

/** Objects in request bodies have no name in the document: the first property, without `Id`, tells them apart. */
const inputNames: Readonly<Record<string, string>> = { externalId: 'ContractInput', contractId: 'SettlementInput' };

function inputNameOf({ properties = {} }: JsonSchema): string {
  const [first = ''] = Object.keys(properties);
  const name = inputNames[first];
  if (name === undefined) throw new Error(`Objects of a request body that begin with ${first} need a name`);
  return name;
}

/** Long enums of arguments have no name in the document: the first value tells them apart. */
const enumNames: Readonly<Record<string, string>> = {
  'payment.completed': 'EventName',
  OPEN: 'OrderStatusFilter',
  DRAFT: 'BatchStatus',
};
const longestInPlace = 5;

function enumNameOf({ enum: values = [] }: JsonSchema, { input }: Place): string | undefined {
  if (!input || values.length <= longestInPlace) return undefined;
  const name = enumNames[String(values[0])];
  if (name === undefined) throw new Error(`An enum of an argument that begins with ${String(values[0])} needs a name`);
  return name;
}

/** Returns the long enums of arguments, by their names. */
function argumentEnums(document: OpenApi): [string, JsonSchema][] {
  const schemas = operationsOf(document).flatMap((operation) => [
    ...operation.parameters.flatMap((one) => ('schema' in one ? [one.schema] : [])),
    ...Object.values(bodyOf(operation)?.properties ?? {}).map((one) => one.items ?? one),
  ]);
  const named = schemas.flatMap((schema): [string, JsonSchema][] => {
    const name = enumNameOf(schema, { prefix: '', input: true });
    return name === undefined ? [] : [[name, { enum: schema.enum ?? [], description: 'A value of an argument.' }]];
  });
  return [...new Map(named)].filter(([name, schema]) => {
    const known = document.components.schemas[name];
    if (known !== undefined && String(known.enum) !== String(schema.enum)) throw new Error(`${name} has other values`);
    return known === undefined;
  });
}

/** Returns the module with the types of responses, and of objects in requests. */
export function typesModule(document: OpenApi): string {
  const schemas = Object.entries(document.components.schemas).filter(([name]) => !name.startsWith(eventPrefix));
  const enums = [...schemas.filter(([, { enum: values }]) => values !== undefined), ...argumentEnums(document)];
  const unions = schemas.filter(([, { oneOf }]) => oneOf !== undefined);
  const objects = schemas.filter(([name, { properties }]) => properties !== undefined && name !== 'Error');
  const inputs = inputsOf(document);
  return [
    heading('The types of responses, and of objects in requests.', withoutAny),
    all([...enums, ...objects, ...inputs, ...unions].map(([name]) => pascal(name))),
    ...enums.map(([name, schema]) => alias(name, bareType({ enum: schema.enum ?? [] }, here), schema)),
    ...objects.map(([name, schema]) => `\n${dataclass(pascal(name), schema)}`),
    ...inputs.map(([name, schema]) => `\n${dataclass(name, schema, { prefix: '', input: true })}`),
    ...(unions.length > 0 ? [''] : []),
    ...unions.map(([name, schema]) =>
      alias(name, (schema.oneOf ?? []).map((one) => bareType(one, here)).join(' | '), schema),
    ),
  ].join('\n');
}

/** Returns the module with the data of each event of webhooks. */
export function eventsModule(document: OpenApi): string {
  const events = Object.entries(document.components.schemas)
    .filter(([name]) => name.startsWith(eventPrefix))
    .map(([name, { properties = {}, description = '' }]) => {
      return { name: name.slice(eventPrefix.length), schema: { ...properties['data'], description } };
    });
  const names = events.map(({ name }) => pascal(name));
  const entries = events.map(({ name }) => `    ${literal(name)}: ${pascal(name)},\n`).join('');
  return [
    heading(
      'The data of each event of webhooks.',
      withoutAny.map((line) => line.replace(', field', '')),
    ),
    all([...names, 'EVENT_TYPES', 'EventData']),
    ...events.map(({ name, schema }) => `\n${dataclass(pascal(name), schema)}`),
    `\nEventData: TypeAlias = (\n    ${names.join('\n    | ')}\n)\n`,
    `EVENT_TYPES: dict[str, type[EventData]] = {\n${entries}}\n"""The class of the data of each event, by the name of the event."""\n`,
  ].join('\n');
}

/** Returns `__all__`, sorted as the linter asks: constants first. */
function all(names: readonly string[]): string {
  const isConstant = (name: string) => name === name.toUpperCase();
  const sorted = [...names].sort((one, other) => {
    return Number(isConstant(other)) - Number(isConstant(one)) || (one < other ? -1 : 1);
  });
  return `__all__ = [\n${sorted.map((name) => `    ${literal(name)},\n`).join('')}]\n`;
}

function alias(name: string, type: string, { description = '' }: JsonSchema): string {
  return `${wrappedAlias(`${pascal(name)}: TypeAlias = `, type)}\n${docstring([description], '')}`;
}

/** Breaks a long list of literals as the formatter does. */
function wrappedAlias(start: string, type: string): string {
  if (start.length + type.length <= 120) return start + type;
  const items = type.slice('Literal['.length, -1).split(', ');
  const oneLine = `    ${items.join(', ')}`;
  if (oneLine.length <= 120) return `${start}Literal[\n${oneLine}\n]`;
  return `${start}Literal[\n${items.map((item) => `    ${item},\n`).join('')}]`;
}

function dataclass(name: string, schema: JsonSchema, place: Place = here): string {
  const fields = Object.entries(schema.properties ?? {}).map(([key, one]) => {
    const required = schema.required?.includes(key) ?? false;
    return fieldOf(key, one, required, place) + docstring([one.description ?? ''], '    ');
  });
  const description = schema.description ?? `An item of \`${name === 'ContractInput' ? 'contracts' : 'settlements'}\`.`;
  const head = `@dataclass(frozen=True, slots=True, kw_only=True)\nclass ${name}:\n${docstring([description], '    ')}`;
  return `${head}\n${fields.join('')}`;
}

function fieldOf(key: string, schema: JsonSchema, required: boolean, place: Place): string {
  const type = pythonType(schema, place);
  const optional = required ? type : `${type.replace(/ \| None$/, '')} | None`;
  const settings = [
    ...(required ? [] : ['default=None']),
    // Other names follow from the one in Python.
    ...(camel(snake(key)) === key ? [] : [`metadata={"name": ${literal(key)}}`]),
    ...(place.input && schema.type === 'number' ? ['metadata={"number": True}'] : []),
  ];
  const value =
    settings.length === 0
      ? ''
      : settings[0] === 'default=None' && settings.length === 1
        ? ' = None'
        : ` = field(${settings.join(', ')})`;
  return `    ${snake(key)}: ${optional}${value}\n`;
}

const camel = (name: string) =>
  name.replace(/_$/, '').replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function inputsOf(document: OpenApi): [string, JsonSchema][] {
  const found = new Map<string, JsonSchema>();
  for (const operation of operationsOf(document)) {
    for (const { items = {} } of Object.values(bodyOf(operation)?.properties ?? {})) {
      if (!isInput(items)) continue;
      const name = inputNameOf(items);
      const known = found.get(name);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(items)) {
        throw new Error(`${name} of ${operation.operationId} differs from that of another operation`);
      }
      found.set(name, items);
    }
  }
  return [...found];
}
