import type { JsonSchema } from '../../../../gateway/graph/json-schema/json-schema.js';
import { isRecord } from '../../../../shared/kernel/is-record.js';
import { schemaAt, type OpenApi, type Operation } from '../open-api.js';
import { sampleInputs, schemeOf } from './input.js';

const options: Readonly<Record<string, string>> = {
  apiKey: 'api_key=os.environ["API_KEY"]',
  developerKey: 'developer_key=os.environ["DEVELOPER_KEY"]',
  session: 'session_token=os.environ["ACCESS_TOKEN"]',
  accessToken: 'trading=TradingKey(os.environ["TRADING_API_KEY"], os.environ["TRADING_SECRET_KEY"])',
  signature: 'originator=Originator(os.environ["CLIENT_ID"], Path(os.environ["PRIVATE_KEY"]).read_text())',
};
const keywords = new Set(['from', 'import', 'in', 'is', 'class', 'def', 'global', 'pass', 'return', 'with']);
const decimalForm = '^-?';

/** Returns the name of a method or an argument in Python. */
export function snake(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
  return keywords.has(words) ? `${words}_` : words;
}

/** Returns the example of an operation with the package `lastro`. */
export function pythonSample(document: OpenApi, operation: Operation): string {
  const scheme = schemeOf(operation);
  const credential = scheme === undefined ? undefined : options[scheme];
  const inputs = sampleInputs(document, operation);
  const names = new Map(operation.parameters.map(({ name, required }) => [name, required]));
  const written = inputs.map(({ name, place, value, schema }) => {
    const text = literal(document, value, { schema, name, indent: '        ' });
    return place === 'path' && names.get(name) === true ? text : `${snake(name)}=${text}`;
  });
  const one = written.join(', ');
  const call = one.length < 60 ? one : `\n${written.map((line) => `        ${line},\n`).join('')}    `;
  const body = [
    `with Client(os.environ["LASTRO_URL"]${credential === undefined ? '' : `, ${credential}`}) as client:`,
    `    response = client.${snake(operation.id)}(${call})`,
    '    print(response)',
  ].join('\n');
  return `${importsFor(body)}\n\n${body}`;
}

function importsFor(body: string): string {
  const own = ['Client', 'Originator', 'TradingKey'].filter((name) => body.includes(`${name}(`));
  const types = [...new Set([...body.matchAll(/\b(\w+Input)\(/g)].map(([, name = '']) => name))];
  return [
    ...(body.includes('dt.') ? ['import datetime as dt'] : []),
    'import os',
    ...(body.includes('Decimal(') ? ['from decimal import Decimal'] : []),
    ...(body.includes('Path(') ? ['from pathlib import Path'] : []),
    '',
    `from lastro import ${own.join(', ')}`,
    ...(types.length === 0 ? [] : [`from lastro.types import ${types.join(', ')}`]),
  ].join('\n');
}

interface Place {
  readonly schema: JsonSchema;
  readonly name: string;
  readonly indent: string;
}

function literal(document: OpenApi, value: unknown, { schema: given, name, indent }: Place): string {
  const schema = schemaAt(document, given);
  const deeper = `${indent}    `;
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      literal(document, item, { schema: schema.items ?? {}, name: name.replace(/s$/, ''), indent: deeper }),
    );
    return items.every((item) => !item.includes('\n'))
      ? `[${items.join(', ')}]`
      : `[\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}]`;
  }
  if (isRecord(value)) return objectLiteral(document, value, { schema, name, indent });
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (value === null) return 'None';
  if (typeof value === 'number')
    return schema['x-decimals'] === undefined ? String(value) : `Decimal("${value.toFixed(2)}")`;
  const text = JSON.stringify(value);
  if (schema.format === 'date') return `dt.date.fromisoformat(${text})`;
  if (schema.format === 'date-time') return `dt.datetime.fromisoformat(${text.replace('Z"', '+00:00"')})`;
  return schema.pattern?.startsWith(decimalForm) === true ? `Decimal(${text})` : text;
}

/** Objects with known fields are classes of the package; others are dictionaries. */
function objectLiteral(document: OpenApi, value: Record<string, unknown>, { schema, name, indent }: Place): string {
  const deeper = `${indent}    `;
  const isKnown = schema.properties !== undefined;
  const fields = Object.entries(value).map(([key, one]) => {
    const text = literal(document, one, { schema: schema.properties?.[key] ?? {}, name: key, indent: deeper });
    return `${deeper}${isKnown ? `${snake(key)}=` : `${JSON.stringify(key)}: `}${text},\n`;
  });
  const [open, close] = isKnown ? [`${name.charAt(0).toUpperCase()}${name.slice(1)}Input(`, ')'] : ['{', '}'];
  return `${open}\n${fields.join('')}${indent}${close}`;
}
