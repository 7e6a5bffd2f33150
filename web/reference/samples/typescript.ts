import type { JsonSchema } from '../../../gateway/json-schema/json-schema.js';
import { isRecord } from '../../../shared/is-record.js';
import { schemaAt, type OpenApi, type Operation } from '../open-api.js';
import { sampleInputs, schemeOf } from './input.js';

const options: Readonly<Record<string, string>> = {
  apiKey: "apiKey: process.env['API_KEY'] ?? ''",
  developerKey: "developerKey: process.env['DEVELOPER_KEY'] ?? ''",
  session: "session: process.env['ACCESS_TOKEN'] ?? ''",
  accessToken:
    "trading: { apiKey: process.env['TRADING_API_KEY'] ?? '', secretKey: process.env['TRADING_SECRET_KEY'] ?? '' }",
  signature: "originator: { clientId: process.env['CLIENT_ID'] ?? '', privateKey }",
};

/** Returns the example of an operation with `@lastro/sdk`. A test checks its types against the package. */
export function typescriptSample(document: OpenApi, operation: Operation): string {
  const scheme = schemeOf(operation);
  const credential = scheme === undefined ? undefined : options[scheme];
  const signed = scheme === 'signature';
  const settings = ["baseUrl: process.env['LASTRO_URL'] ?? ''", ...(credential === undefined ? [] : [credential])];
  const inputs = sampleInputs(document, operation);
  const fields = inputs.map(({ name, value, schema }) => `  ${name}: ${written(document, value, schema, '  ')},\n`);
  const input = fields.length === 0 ? '' : `{\n${fields.join('')}}`;
  return [
    ...(signed ? ["import { readFile } from 'node:fs/promises';"] : []),
    "import { createClient } from '@lastro/sdk';",
    '',
    ...(signed ? ["const privateKey = await readFile(process.env['PRIVATE_KEY'] ?? '', 'utf8');"] : []),
    'const client = createClient({',
    ...settings.map((line) => `  ${line},`),
    '});',
    `const response = await client.${groupOf(operation.tag)}.${operation.id}(${input});`,
    'console.log(response);',
  ].join('\n');
}

/** The group of the client: the tag in camel case. */
export function groupOf(tag: string): string {
  const [first = '', ...rest] = tag.split(' ');
  return first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Decimals are text for the client. */
function written(document: OpenApi, value: unknown, given: JsonSchema, indent: string): string {
  const schema = schemaAt(document, given);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => written(document, item, schema.items ?? {}, deeper));
    return items.every((item) => !item.includes('\n'))
      ? `[${items.join(', ')}]`
      : `[\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}]`;
  }
  if (isRecord(value)) {
    const fields = Object.entries(value).map(
      ([name, one]) => `${deeper}${name}: ${written(document, one, schema.properties?.[name] ?? {}, deeper)},\n`,
    );
    return `{\n${fields.join('')}${indent}}`;
  }
  if (typeof value === 'number' && schema['x-decimals'] !== undefined)
    return `'${value.toFixed(schema['x-decimals'])}'`;
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
  return JSON.stringify(value);
}
