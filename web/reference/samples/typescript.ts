import type { JsonSchema } from '../../../gateway/json-schema/json-schema.js';
import { isRecord } from '../../../shared/is-record.js';
import { schemaAt, type OpenApi, type Operation } from '../open-api.js';
import { hasWholeBody, sampleInputs, schemeOf, type SampleInput } from './input.js';

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
  const call = [`'${operation.path}'`, ...inputOf(document, operation)].join(', ');
  return [
    ...(signed ? ["import { readFile } from 'node:fs/promises';"] : []),
    "import { createClient } from '@lastro/sdk';",
    '',
    ...(signed ? ["const privateKey = await readFile(process.env['PRIVATE_KEY'] ?? '', 'utf8');"] : []),
    'const client = createClient({',
    ...settings.map((line) => `  ${line},`),
    '});',
    `const response = await client.${operation.method}(${call});`,
    'console.log(response);',
  ].join('\n');
}

/** What the call takes beside the path; nothing where it takes nothing. */
function inputOf(document: OpenApi, operation: Operation): string[] {
  const inputs = sampleInputs(document, operation);
  const object = (place: SampleInput['place'], indent: string) => {
    const fields = inputs
      .filter((one) => one.place === place)
      .map(({ name, value, schema }) => `${indent}  ${name}: ${written(document, value, schema, `${indent}  `)},\n`);
    return fields.length === 0 ? [] : [`{\n${fields.join('')}${indent}}`];
  };
  const params = (['path', 'query'] as const).flatMap((place) =>
    object(place, '    ').map((one) => `    ${place}: ${one},\n`),
  );
  const body = hasWholeBody(operation)
    ? inputs.filter(({ place }) => place === 'body').map(({ value, schema }) => written(document, value, schema, '  '))
    : object('body', '  ');
  const parts = [
    ...(params.length === 0 ? [] : [`  params: {\n${params.join('')}  },\n`]),
    ...body.map((one) => `  body: ${one},\n`),
  ];
  return parts.length === 0 ? [] : [`{\n${parts.join('')}}`];
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
