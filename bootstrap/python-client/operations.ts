import { takesKey, type Paging } from '../clients/operation.js';
import { callsOf, credentialsOf, hasWholeBody, pagingOf, type Call } from './calls.js';
import { operationsOf, type OpenApi } from '../clients/openapi.js';
import { heading, literal, snake, tuple } from './text.js';
import { pythonType, type Place } from './types.js';

const place: Place = { prefix: 't.', input: false };

/** Returns the name of a call in Python, which its method and, in capitals, its constant have. */
export function nameOf({ operation, suffix }: Call): string {
  return snake(operation.operationId) + suffix;
}

/** Returns the type of the result of a call. */
export function resultOf({ responses }: Call): string {
  const types = responses.map((schema) => (schema === undefined ? 'None' : pythonType(schema, place)));
  return types.includes('Any') ? 'Any' : types.join(' | ');
}

/** Returns the type of the items of a list. */
export function itemOf({ item }: Paging): string {
  return pythonType(item, place);
}

/** Returns the module that describes each call to the client: a constant each. */
export function operationsModule(document: OpenApi): string {
  const constants = operationsOf(document)
    .flatMap(callsOf)
    .map((call) => constantOf(document, call));
  const imports = [
    'from typing import Any',
    '',
    'from .._operation import ListOperation, Operation',
    'from . import types as t',
  ];
  return `${heading('How each operation is called.', imports)}${constants.join('')}`;
}

function constantOf(document: OpenApi, call: Call): string {
  const { operation, parameters, body, mediaType, accept } = call;
  const paging = pagingOf(document, call);
  const of = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name);
  const fields =
    hasWholeBody(call) || (mediaType !== undefined && body === undefined)
      ? ['body']
      : Object.keys(body?.properties ?? {});
  const settings: [string, string][] = [
    ['name', literal(operation.operationId)],
    ['method', literal(operation.method)],
    ['path', literal(operation.path)],
    ['result', resultOf(call)],
    ['credentials', tuple(credentialsOf(call))],
    ...(of('query').length > 0 ? [['query', tuple(of('query'))] satisfies [string, string]] : []),
    ...(of('header').length > 0 ? [['headers', tuple(of('header'))] satisfies [string, string]] : []),
    ...(mediaType === undefined ? [] : [['media_type', literal(mediaType)] satisfies [string, string]]),
    ...(fields.length > 0 ? [['body', tuple(fields)] satisfies [string, string]] : []),
    ...(hasWholeBody(call) ? [['whole_body', 'True'] satisfies [string, string]] : []),
    ...(takesKey(operation) ? [['takes_key', 'True'] satisfies [string, string]] : []),
    ...(accept === 'application/json' ? [] : [['accept', literal(accept)] satisfies [string, string]]),
    ...(paging === undefined ? [] : pagingSettings(paging)),
  ];
  const type =
    paging === undefined ? `Operation[${resultOf(call)}]` : `ListOperation[${resultOf(call)}, ${itemOf(paging)}]`;
  const lines = settings.map(([name, value]) => setting(name, value)).join('');
  return `\n${nameOf(call).toUpperCase()}: ${type} = ${type.slice(0, type.indexOf('['))}(\n${lines})\n`;
}

function pagingSettings(paging: Paging): [string, string][] {
  return [
    ['paging', literal(paging.form)],
    ['items', literal(paging.items)],
    ['item', itemOf(paging)],
  ];
}

/** Breaks a long tuple as the formatter does. */
function setting(name: string, value: string): string {
  const line = `    ${name}=${value},\n`;
  if (line.length <= 121 || !value.startsWith('(')) return line;
  const items = value.slice(1, -1).split(', ');
  return `    ${name}=(\n${items.map((item) => `        ${item},\n`).join('')}    ),\n`;
}
